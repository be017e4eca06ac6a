/// A redirect URI that a sign-in can wait for (RFC 8252 7), told by its scheme.
package enum RedirectURI: Sendable, Equatable {
  /// On a port of this machine.
  case loopback(RedirectTarget)
  /// With a scheme of the client's own.
  case privateUse(PrivateUseRedirect)

  /// Reads a redirect URI.
  ///
  /// - Parameter uri: The redirect URI as registered at the provider.
  /// - Throws: `RedirectTargetError` when no sign-in could wait for it.
  package init(_ uri: String) throws(RedirectTargetError) {
    if uri.hasPrefix("http:") || uri.hasPrefix("https:") {
      self = .loopback(try RedirectTarget(uri: uri))
    } else {
      self = .privateUse(try PrivateUseRedirect(uri: uri))
    }
  }
}
