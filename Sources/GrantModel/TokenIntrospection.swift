package import SessionModel

/// What a provider says about a token that was shown to it (RFC 7662 2.2); never the token.
package struct TokenIntrospection: Sendable, Hashable {
  /// Whether the token is good at the provider now (`active`).
  package var isActive: Bool
  /// `scope`, space-separated.
  package var scope: String?
  /// `client_id`.
  package var clientId: String?
  /// `username`, for people.
  package var username: String?
  /// `token_type`.
  package var tokenType: String?
  /// `exp`.
  package var expiresAt: UnixTime?
  /// `iat`.
  package var issuedAt: UnixTime?
  /// `sub`.
  package var subject: String?
  /// `aud`, one or more.
  package var audience: [String]
  /// `iss`.
  package var issuer: String?

  /// Makes an answer.
  package init(
    isActive: Bool, scope: String? = nil, clientId: String? = nil, username: String? = nil,
    tokenType: String? = nil, expiresAt: UnixTime? = nil, issuedAt: UnixTime? = nil,
    subject: String? = nil, audience: [String] = [], issuer: String? = nil
  ) {
    self.isActive = isActive
    self.scope = scope
    self.clientId = clientId
    self.username = username
    self.tokenType = tokenType
    self.expiresAt = expiresAt
    self.issuedAt = issuedAt
    self.subject = subject
    self.audience = audience
    self.issuer = issuer
  }
}

/// How a question about a token ended (RFC 7662 2.3).
package enum IntrospectionOutcome: Sendable, Hashable {
  /// The provider has said what it holds of the token.
  case answered(TokenIntrospection)
  /// The provider offers no introspection, or not to this client.
  case unsupported(String)
  /// The answer is no introspection response; the text names the check.
  case unusable(String)
  /// It may succeed later.
  case transient(TransientCause, retryAfter: Duration?)
}
