package import SessionModel

/// What a provider granted: everything that the host keeps of one signed-in account.
package struct Grant: Sendable {
  /// The issuer identifier, or the configured name of a provider without one.
  package let issuer: String
  /// The client identifier.
  package let clientId: String
  /// The account at the provider (`sub`), where the provider tells.
  package let subject: String?
  /// What a person would call the account: an e-mail address or a name, for display only.
  package let accountName: String?
  /// The access token.
  ///
  /// Secret.
  package let accessToken: String
  /// The access token's type, `Bearer` as a rule.
  package let tokenType: String
  /// The granted scope, space-separated.
  package let scope: String?
  /// When the access token was obtained.
  package let issuedAt: UnixTime
  /// When the access token ends; nil when that is not known.
  package let expiresAt: UnixTime?
  /// When the refresh token ends, where the provider says so; a renewal may move it.
  package let renewableUntil: UnixTime?
  /// What the session is renewed with; nil when the provider gave nothing.
  package let refreshToken: RefreshToken?
  /// The ID token of the sign-in, verified, as later ones must agree with it.
  ///
  /// Secret.
  package let idToken: String?

  /// Creates a grant from its parts.
  package init(
    issuer: String, clientId: String, subject: String?, accountName: String?,
    accessToken: String, tokenType: String, scope: String?, issuedAt: UnixTime,
    expiresAt: UnixTime?, refreshToken: RefreshToken?, idToken: String?,
    renewableUntil: UnixTime? = nil
  ) {
    self.issuer = issuer
    self.clientId = clientId
    self.subject = subject
    self.accountName = accountName
    self.accessToken = accessToken
    self.tokenType = tokenType
    self.scope = scope
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
    self.refreshToken = refreshToken
    self.idToken = idToken
    self.renewableUntil = renewableUntil
  }

  /// Whether another grant is of the same account: issuer and subject, byte by byte.
  ///
  /// A subject that is not known to both says nothing.
  package func isSameAccount(as other: Grant) -> Bool {
    guard issuer.utf8.elementsEqual(other.issuer.utf8) else { return false }
    guard let subject, let otherSubject = other.subject else { return true }
    return subject.utf8.elementsEqual(otherSubject.utf8)
  }
}

extension Grant: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The client and the issuer, without any token.
  package var description: String { "grant to \(clientId) at \(issuer)" }
  /// The same as `description`.
  package var debugDescription: String { description }
  /// No children, so that `dump` shows no token.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
