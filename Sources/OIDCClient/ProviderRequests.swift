import HTTPExchange
import SessionModel

/// Sends the client's requests to one provider, authenticated where they have to be.
struct ProviderRequests: Sendable {
  /// The longest that metadata and keys may take.
  static let documentTimeout = Duration.seconds(10)

  let http: HTTPClient
  let configuration: OIDCConfiguration
  let time: ClientTime

  /// Posts a form with the client's credentials.
  ///
  /// - Throws: `ExchangeFailure.local` or `.transport`.
  func post(
    _ parameters: [(String, String)], to endpoint: WebAddress, metadata: ProviderMetadata,
    namesClient: Bool = false
  ) async throws(ExchangeFailure) -> HTTPResponse {
    let credentials = try await ClientCredentials.make(
      clientId: configuration.clientId, authentication: configuration.authentication,
      methods: metadata.tokenAuthenticationMethods)
    var pairs = parameters + credentials.parameters
    if namesClient, !pairs.contains(where: { $0.0 == "client_id" }) {
      pairs.append(("client_id", configuration.clientId))
    }
    return try await send(
      HTTPRequest(
        method: .post, url: endpoint.text,
        headers: [
          ("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json"),
        ] + credentials.headers,
        body: FormText.body(pairs)))
  }

  /// Gets a document that everyone may read: metadata or keys.
  ///
  /// - Returns: the body of an answer that is a document.
  /// - Throws: `ExchangeFailure.transport` or `.unavailable`.
  func document(_ address: WebAddress) async throws(ExchangeFailure) -> HTTPResponse {
    let response: HTTPResponse
    do throws(HTTPError) {
      response = try await http.send(
        HTTPRequest(
          url: address.text, headers: [("Accept", "application/json")],
          timeout: Self.documentTimeout))
    } catch {
      // No credential was in it: that it may have arrived means nothing for any token.
      throw .transport(
        HTTPError(
          error.code, requestWasSent: false, endpoint: error.endpoint, reason: error.reason))
    }
    guard response.status == 200 else {
      throw .unavailable(
        status: response.status, retryAfter: response.retryAfter(now: time.now().rawValue))
    }
    // Unlike tokens, these are believed for long: a page in their place is never read.
    guard response.contentType != "text/html" else {
      throw .unavailable(status: response.status, retryAfter: nil)
    }
    return response
  }

  /// Sends a request.
  ///
  /// - Throws: `ExchangeFailure.transport`.
  func send(_ request: HTTPRequest) async throws(ExchangeFailure) -> HTTPResponse {
    do throws(HTTPError) {
      return try await http.send(request)
    } catch {
      throw .transport(error)
    }
  }
}
