import GrantModel
import HTTPExchange
import SessionModel

/// The revocation request (RFC 7009 2).
struct Revocation: Sendable {
  let requests: ProviderRequests
  let metadata: ProviderMetadata

  /// Revokes a token, and with a refresh token the grant.
  func revoke(_ token: RevocableToken) async -> RevocationOutcome {
    guard let endpoint = metadata.revocation else {
      return .unsupported("the provider names no revocation endpoint")
    }
    do throws(ExchangeFailure) {
      let response = try await requests.post(
        [("token", token.copiedText()), ("token_type_hint", token.typeHint)],
        to: endpoint, metadata: metadata)
      // RFC 7009 2.2: also for a token that is not known any more. The body says nothing, and some
      // send an empty one as text/html.
      if (200...299).contains(response.status), !ProviderAnswer.looksLikePage(response.body) {
        return .done
      }
      throw ProviderAnswer.failure(of: response, now: requests.time.now().rawValue)
    } catch {
      return Self.outcome(
        of: error, revoking: token,
        isConfidential: requests.configuration.authentication.isConfidential)
    }
  }

  /// What a failure means for a token that was to be forgotten.
  private static func outcome(
    of failure: ExchangeFailure, revoking token: RevocableToken, isConfidential: Bool
  ) -> RevocationOutcome {
    switch failure {
    case .oauth(.unsupportedTokenType, _, _):
      return .unsupported("the provider does not revoke \(token.kindName)s")
    // Not in RFC 7009, but what some say of a token that is gone.
    case .oauth(.invalidToken, _, _), .oauth(.invalidGrant, _, _):
      return .done
    case .oauth(.invalidClient, _, _) where !isConfidential,
      .oauth(.unauthorizedClient, _, _) where !isConfidential,
      .refused(status: 401) where !isConfidential, .refused(status: 403) where !isConfidential:
      return .unsupported("the provider does not let a public client revoke")
    case .refused(status: 404), .refused(status: 405), .unavailable(status: 501, _):
      return .unsupported("the provider has nothing at its revocation endpoint")
    default:
      let (cause, retryAfter) = failure.transientCause
      return .transient(cause, retryAfter: retryAfter)
    }
  }
}

extension RevocableToken {
  /// What RFC 7009 2.1 calls the kind (`token_type_hint`).
  fileprivate var typeHint: String {
    switch self {
    case .refreshToken: "refresh_token"
    case .accessToken: "access_token"
    }
  }

  /// The kind in words.
  fileprivate var kindName: String {
    switch self {
    case .refreshToken: "refresh token"
    case .accessToken: "access token"
    }
  }
}
