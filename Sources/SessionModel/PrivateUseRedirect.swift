/// A redirect URI with a scheme of the client's own (RFC 8252 7.1), such as
/// `com.example.app://sign-in/callback`.
///
/// Any program of the person may claim the scheme: what comes back counts only with the state of a
/// sign-in that waits, and with its issuer.
package struct PrivateUseRedirect: Sendable, Equatable {
  /// The URI, byte for byte as registered.
  package let uri: String

  /// Takes `SCHEME://HOST/PATH` with a scheme that is somebody's domain name, reversed.
  ///
  /// - Parameter uri: The redirect URI as registered at the provider.
  /// - Throws: `RedirectTargetError.privateUse` when it is anything else.
  package init(uri: String) throws(RedirectTargetError) {
    let parts = uri.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, PrivateUseScheme.isScheme(parts[0]), parts[1].hasPrefix("//") else {
      throw .privateUse(uri)
    }
    let rest = parts[1].dropFirst(2)
    let host = rest.prefix { $0 != "/" }
    let path = rest.dropFirst(host.count)
    guard !host.isEmpty, path.utf8.count > 1, rest.utf8.allSatisfy(PrivateUseScheme.isPlain) else {
      throw .privateUse(uri)
    }
    self.uri = uri
  }
}
