import HTTPExchange
import SessionModel
import StrictJSON

/// The pushed authorization request (RFC 9126 2): the parameters go to the provider by themselves,
/// and the browser carries a reference to them.
struct PushedAuthorization: Sendable {
  let requests: ProviderRequests
  let metadata: ProviderMetadata

  /// Pushes a request.
  ///
  /// - Parameter pairs: the parameters of the authorization request.
  /// - Returns: the parameters that are left for the browser, good for one use.
  /// - Throws: `ExchangeFailure`.
  func push(
    _ pairs: [(String, String)]
  ) async throws(ExchangeFailure) -> [(String, String)] {
    guard let endpoint = metadata.pushedAuthorization else {
      throw .configuration("\(MetadataError.missing("pushed_authorization_request_endpoint"))")
    }
    let clientId = requests.configuration.clientId
    let response = try await requests.post(
      pairs.filter { $0.0 != "client_id" }, to: endpoint, metadata: metadata, namesClient: true)
    // RFC 9126 2.1 has public clients push as well; not every provider does.
    if !requests.configuration.authentication.isConfidential,
      [401, 403].contains(response.status)
    {
      throw .configuration(
        "the provider wants authorization requests pushed and does not let a public client push;"
          + " configure a client with a secret")
    }
    let object = try ProviderAnswer.object(of: response, now: requests.time.now().rawValue)
    // RFC 9126 2.2; a 200 is some other endpoint's.
    guard response.status == 201 else {
      throw .invalid("pushed authorization request: the status is not 201")
    }
    guard let reference = object["request_uri"]?.string, TokenText.isToken(reference) else {
      throw .invalid("pushed authorization request: request_uri is missing")
    }
    return [("client_id", clientId), ("request_uri", reference)]
  }
}
