/// A token endpoint's answer whose form has been checked; its ID token has not.
package struct TokenResponse: Sendable {
  /// The access token, a secret.
  package let accessToken: String
  /// How long the access token lives; nil if the provider does not say.
  package let lifetime: Duration?
  /// How long the refresh token lives; nil if the provider does not say, or says that it does not end.
  package let renewableFor: Duration?
  /// The scope that the provider names; nil if it names none.
  package let scope: String?
  /// The ID token, unverified and a secret; nil if there is none.
  package let idToken: String?

  /// The one type of token that is taken, in the spelling of RFC 6750.
  package static let tokenType = "Bearer"
}

extension TokenResponse: CustomStringConvertible, CustomReflectable {
  /// A fixed text: most of it is a credential.
  package var description: String { "TokenResponse(not shown)" }
  /// No children, so that `dump` shows no token.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
