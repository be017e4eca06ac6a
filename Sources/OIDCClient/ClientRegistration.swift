package import HTTPExchange
import SessionModel
import StrictJSON

/// Registers a client at a provider (RFC 7591 3).
package struct ClientRegistration: Sendable {
  private let requests: ProviderRequests

  /// Makes the request's sender; nothing is sent before it is asked to.
  ///
  /// - Parameters:
  ///   - issuer: the issuer identifier, whose metadata name the endpoint.
  ///   - http: what the requests are sent with.
  ///   - time: the clocks.
  package init(issuer: String, http: HTTPClient, time: ClientTime) {
    requests = ProviderRequests(
      http: http, configuration: OIDCConfiguration(issuer: issuer, clientId: "", scopes: []),
      time: time)
  }

  /// Registers a client.
  ///
  /// - Parameters:
  ///   - client: what it asks to be; device codes are added where the provider has them.
  ///   - token: the initial access token (RFC 7591 1.2), where the provider wants one.
  /// - Returns: the client.
  /// - Throws: `RegistrationError`.
  package func register(
    _ client: ClientMetadata, token: String?
  ) async throws(RegistrationError) -> RegisteredClient {
    guard token.map(TokenText.isToken) ?? true else {
      throw .configuration(
        "the initial access token is empty or holds characters that no token has")
    }
    let metadata: ProviderMetadata
    do throws(ExchangeFailure) {
      metadata = try await Discovery(requests: requests, wanting: ["registration_endpoint"])
        .metadata()
    } catch {
      guard case .unavailable(status: 400..<429, _) = error else {
        throw RegistrationError(error, words: nil, hasToken: token != nil)
      }
      throw .configuration("below this issuer is no provider's metadata; check how it is spelled")
    }
    guard let endpoint = metadata.registration else { throw .notOffered }
    var client = client
    client.usesDeviceCodes = metadata.deviceAuthorization != nil
    let choice = ClientMetadata.choice(of: metadata.tokenAuthenticationMethods)
    client.authentication = client.authentication ?? choice
    var registered = try await sendOrAskForLess(client, to: endpoint, token: token)
    if registered.secret == nil, choice != .publicClient {
      registered.notes.append(
        "the provider does not list clients without a secret; if it refuses sign-ins, register"
          + " with --authentication \(choice == .basic ? "basic" : "post")")
    }
    return registered
  }

  private func sendOrAskForLess(
    _ client: ClientMetadata, to endpoint: WebAddress, token: String?
  ) async throws(RegistrationError) -> RegisteredClient {
    do throws(RegistrationError) {
      return try await send(client, to: endpoint, token: token)
    } catch {
      // Some have device codes and do not let clients register for them; others refuse the
      // grant's own name. The refusal has registered nothing.
      guard client.usesDeviceCodes, case .refused(code: "invalid_client_metadata", _) = error
      else { throw error }
      var client = client
      client.usesDeviceCodes = false
      var registered = try await send(client, to: endpoint, token: token)
      registered.notes.append("the provider does not register this client for device codes")
      return registered
    }
  }

  private func send(
    _ client: ClientMetadata, to endpoint: WebAddress, token: String?
  ) async throws(RegistrationError) -> RegisteredClient {
    let object: JSONObject
    var words: String?
    do throws(ExchangeFailure) {
      let response = try await requests.send(Self.request(client, to: endpoint, token: token))
      words = Self.words(of: response, token: token)
      // Some answer 200 where RFC 7591 3.2.1 has 201.
      object = try ProviderAnswer.object(of: response, now: requests.time.now().rawValue)
    } catch {
      throw RegistrationError(error, words: words, hasToken: token != nil)
    }
    return try RegisteredClient(object, asked: client)
  }

  private static func request(
    _ client: ClientMetadata, to endpoint: WebAddress, token: String?
  ) -> HTTPRequest {
    HTTPRequest(
      method: .post, url: endpoint.text,
      headers: [("Content-Type", "application/json"), ("Accept", "application/json")]
        + (token.map { [("Authorization", "Bearer \($0)")] } ?? []),
      body: client.object.encoded())
  }

  /// What a refusal says to a person, unless the token stands in it.
  private static func words(of response: HTTPResponse, token: String?) -> String? {
    guard response.status == 400, let object = try? ProviderAnswer.json(response.body),
      let words = object["error_description"]?.string, !words.isEmpty
    else { return nil }
    return token.map(words.contains) == true ? nil : words
  }
}
