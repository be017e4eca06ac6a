/// How a sign-in ended, for the person whose browser waits for it.
///
/// Nothing here comes from the authorization response: an account is named by a verified answer.
package enum RedirectEnding: Sendable, Hashable {
  /// The account is connected.
  ///
  /// - Parameters:
  ///   - account: What the account is called; nil where the provider does not say.
  ///   - provider: The provider's host, or its configured name.
  ///   - replaced: The account that was connected until now, where that was another one.
  case connected(account: String?, provider: String, replaced: String?)

  /// The person or the provider said no.
  case denied(provider: String)

  /// The provider answered about another account than the one that signed in.
  case wrongAccount(provider: String)

  /// The code that the browser brought is not good any more.
  case expired

  /// Somebody called the sign-in off.
  case cancelled

  /// The answer did not belong to this sign-in.
  case mismatched

  /// The provider could not be reached to finish.
  case unreachable(provider: String)

  /// The provider answered, and the session could not be kept.
  case unsaved

  /// The provider answered with an error, or a check failed.
  case failed(provider: String)
}
