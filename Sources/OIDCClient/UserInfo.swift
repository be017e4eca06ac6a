import HTTPExchange
import SessionModel
import StrictJSON

/// The UserInfo request (OpenID Connect Core 5.3).
struct UserInfo: Sendable {
  let requests: ProviderRequests

  /// Asks who the account is.
  ///
  /// The token goes in the header field only: a query is logged, a body is form data.
  ///
  /// - Parameters:
  ///   - endpoint: the UserInfo endpoint.
  ///   - accessToken: the access token.
  ///   - subject: the `sub` of the ID token; nil where there is none.
  /// - Returns: the claims.
  /// - Throws: `ExchangeFailure`; `.otherAccount` when the answer is about another account.
  func claims(
    at endpoint: WebAddress, accessToken: String, subject: String?
  ) async throws(ExchangeFailure) -> JSONObject {
    let response = try await requests.send(
      HTTPRequest(
        url: endpoint.text,
        headers: [("Authorization", "Bearer \(accessToken)"), ("Accept", "application/json")]))
    let claims = try ProviderAnswer.object(of: response, now: requests.time.now().rawValue)
    // Core 5.3.2: otherwise a token could be swapped for another account's.
    if let subject {
      guard let stated = claims["sub"]?.string, sameBytes(stated, subject) else {
        throw .otherAccount("UserInfo: sub is not that of the ID token")
      }
    }
    return claims
  }
}

/// Finds what a person would call an account.
enum AccountName {
  /// The claims looked at, the first usable one counts.
  static let claims = ["email", "preferred_username", "name", "login", "nickname"]

  /// A name fit for a terminal, or nil.
  static func find(in objects: [JSONObject?]) -> String? {
    for object in objects {
      for claim in claims {
        guard let text = object?[claim]?.string, !text.isEmpty else { continue }
        return PrintableText.oneLine(String(text.prefix(128)))
      }
    }
    return nil
  }
}
