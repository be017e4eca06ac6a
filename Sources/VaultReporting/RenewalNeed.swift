package import VaultReader

/// Whether a refused token is worth asking the host for a newer one.
package enum RenewalNeed {
  /// How long `token` waits for the host: to be heard and to be answered, taken together.
  package static let patience = Duration.seconds(3)

  /// The validity to ask the host for.
  ///
  /// The host renews only if its own token lives for less, so that of many callers at expiry the
  /// first one's renewal is enough for all.
  /// - Parameter error: why the token was refused.
  /// - Returns: nil where the host cannot help: nobody is signed in, or nothing can be read.
  package static func validity(after error: AccessTokenError) -> Duration? {
    switch error.reason {
    // A host that has the session publishes a snapshot anew that somebody has removed.
    case .expired, .absent: .seconds(1)
    case .tooShort(_, let required): required
    default: nil
    }
  }
}
