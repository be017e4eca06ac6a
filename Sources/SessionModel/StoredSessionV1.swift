/// The record of one session, compatible with the `stored-session-v1` JSON schema.
///
/// A flat object: `version` (always 1), `issuer`, `clientId`, `accessToken`, `tokenType`, and
/// optionally `refreshToken`, `idToken`, `scope`, `expiresAt`. Nothing is ever added to it.
/// The refresh and ID tokens are not visible to programs that only read.
public struct StoredSessionV1: Sendable, Hashable {
  /// The issuer identifier (OpenID Connect Core 1.2), compared byte by byte.
  public let issuer: String
  /// The client identifier (RFC 6749 2.2).
  public let clientId: String
  /// The access token (RFC 6749 1.4), a secret.
  public let accessToken: String
  /// The access token's type (RFC 6749 7.1), `Bearer` as a rule.
  public let tokenType: String
  /// The granted scope, space-separated (RFC 6749 3.3), where the provider named one.
  public let scope: String?
  /// When the access token ends; nil when the provider did not say.
  public let expiresAt: UnixTime?

  /// The refresh token, in a record that the host keeps or shares.
  package let refreshToken: String?
  /// The ID token, in a record that the host keeps or shares.
  package let idToken: String?

  /// Makes a record of the members that the schema has.
  package init(
    issuer: String, clientId: String, accessToken: String, tokenType: String,
    refreshToken: String? = nil, idToken: String? = nil, scope: String? = nil,
    expiresAt: UnixTime? = nil
  ) {
    self.issuer = issuer
    self.clientId = clientId
    self.accessToken = accessToken
    self.tokenType = tokenType
    self.refreshToken = refreshToken
    self.idToken = idToken
    self.scope = scope
    self.expiresAt = expiresAt
  }

  /// The same record without the tokens that only the host may use.
  package var withoutHostTokens: StoredSessionV1 {
    StoredSessionV1(
      issuer: issuer, clientId: clientId, accessToken: accessToken, tokenType: tokenType,
      scope: scope, expiresAt: expiresAt)
  }
}

// A record must never be interpolated into a log line: its text says what it is, not what it holds.
extension StoredSessionV1: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The issuer and client of the session, without any token.
  public var description: String { "session of \(clientId) at \(issuer)" }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// No children, so that `dump` shows no token.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
