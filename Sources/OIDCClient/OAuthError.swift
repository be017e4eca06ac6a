/// An error code of OAuth 2.0 and its extensions, as a provider sent it.
package enum OAuthError: Sendable, Hashable {
  /// `invalid_request`, RFC 6749 5.2.
  case invalidRequest
  /// `invalid_client`, RFC 6749 5.2.
  case invalidClient
  /// `invalid_grant`, RFC 6749 5.2.
  case invalidGrant
  /// `unauthorized_client`, RFC 6749 5.2.
  case unauthorizedClient
  /// `unsupported_grant_type`, RFC 6749 5.2.
  case unsupportedGrantType
  /// `invalid_scope`, RFC 6749 5.2.
  case invalidScope
  /// `access_denied`, RFC 6749 4.1.2.1 and RFC 8628 3.5.
  case accessDenied
  /// `server_error`, RFC 6749 4.1.2.1.
  case serverError
  /// `temporarily_unavailable`, RFC 6749 4.1.2.1.
  case temporarilyUnavailable
  /// `authorization_pending`, RFC 8628 3.5.
  case authorizationPending
  /// `slow_down`, RFC 8628 3.5.
  case slowDown
  /// `expired_token`, RFC 8628 3.5.
  case expiredToken
  /// `unsupported_token_type`, RFC 7009 2.2.1.
  case unsupportedTokenType
  /// `invalid_token`, RFC 6750 3.1.
  case invalidToken
  /// Another code; the text is one only if it looks like one.
  case other(String)

  /// Reads the value of an `error` member or parameter.
  ///
  /// A code that is not one of the known ones is kept only if it could be one: a provider that
  /// echoes a token there must not get it into a log.
  package init(_ code: String) {
    self =
      switch code {
      case "invalid_request": .invalidRequest
      case "invalid_client": .invalidClient
      case "invalid_grant": .invalidGrant
      case "unauthorized_client": .unauthorizedClient
      case "unsupported_grant_type": .unsupportedGrantType
      case "invalid_scope": .invalidScope
      case "access_denied": .accessDenied
      case "server_error": .serverError
      case "temporarily_unavailable": .temporarilyUnavailable
      case "authorization_pending": .authorizationPending
      case "slow_down": .slowDown
      case "expired_token": .expiredToken
      case "unsupported_token_type": .unsupportedTokenType
      case "invalid_token": .invalidToken
      default: .other(Self.looksLikeCode(code) ? code : "unrecognised")
      }
  }

  /// The code as the RFC spells it.
  package var code: String {
    switch self {
    case .invalidRequest: "invalid_request"
    case .invalidClient: "invalid_client"
    case .invalidGrant: "invalid_grant"
    case .unauthorizedClient: "unauthorized_client"
    case .unsupportedGrantType: "unsupported_grant_type"
    case .invalidScope: "invalid_scope"
    case .accessDenied: "access_denied"
    case .serverError: "server_error"
    case .temporarilyUnavailable: "temporarily_unavailable"
    case .authorizationPending: "authorization_pending"
    case .slowDown: "slow_down"
    case .expiredToken: "expired_token"
    case .unsupportedTokenType: "unsupported_token_type"
    case .invalidToken: "invalid_token"
    case .other(let code): code
    }
  }

  /// Lower-case words joined by underscores: no digits, as tokens have them and codes do not.
  private static func looksLikeCode(_ text: String) -> Bool {
    (1...48).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
  }
}
