import GrantModel
import HTTPExchange
import SessionModel

/// The requests of RFC 6749 to the token endpoint, each sent once and never again.
struct TokenEndpoint: Sendable {
  let requests: ProviderRequests
  let metadata: ProviderMetadata

  /// Exchanges an authorization code (RFC 6749 4.1.3, RFC 7636 4.5).
  ///
  /// - Throws: `ExchangeFailure`.
  func exchange(
    code: String, transaction: AuthorizationTransaction
  ) async throws(ExchangeFailure) -> TokenAnswer {
    try await send([
      ("grant_type", "authorization_code"), ("code", code),
      ("redirect_uri", transaction.redirectURI),
      ("code_verifier", transaction.proofKey.verifier),
    ])
  }

  /// Renews with a refresh token (RFC 6749 6); the scope stays what it was.
  ///
  /// - Throws: `ExchangeFailure`.
  func refresh(_ token: RefreshToken) async throws(ExchangeFailure) -> TokenAnswer {
    try await send([("grant_type", "refresh_token"), ("refresh_token", token.copiedText())])
  }

  /// Asks once whether the person has approved a device (RFC 8628 3.4).
  ///
  /// - Throws: `ExchangeFailure`.
  func poll(deviceCode: String) async throws(ExchangeFailure) -> TokenAnswer {
    try await send(
      [
        ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        ("device_code", deviceCode),
      ], namesClient: true)
  }

  private func send(
    _ parameters: [(String, String)], namesClient: Bool = false
  ) async throws(ExchangeFailure) -> TokenAnswer {
    guard let endpoint = metadata.token else {
      throw requests.configuration.missing("token_endpoint", setting: "token")
    }
    let response = try await requests.post(
      parameters, to: endpoint, metadata: metadata, namesClient: namesClient)
    return try TokenAnswer(
      ProviderAnswer.object(of: response, now: requests.time.now().rawValue))
  }
}
