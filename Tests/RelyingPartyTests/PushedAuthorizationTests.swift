import DevelopmentProvider
import HTTPExchange
import HostControl
import LoopbackHTTP
import OIDCClient
import SessionModel
import StrictJSON
import TestSupport
import Testing

/// The pushed authorization request (RFC 9126), where the provider requires it.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct PushedAuthorizationTests {
  @Test(arguments: [nil, "client secret"])
  func pr01TheBrowserCarriesAReferenceThatIsGoodOnce(secret: String?) async throws {
    let host = try await HostFixture {
      $0.requiresPushedRequests = true
      $0.clients[0].secret = secret
    } client: {
      guard let secret else { return }
      $0.authentication = .secret { () throws(ClientSecretError) in secret }
    }
    let urls = EventRecorder<String>()
    let end = try await host.signIn { event in
      if case .authorize(let url, _) = event { urls.record(url) }
      try await HostFixture.browse(event)
    }
    #expect(end == .signedIn(.primary))
    let url = urls.events[0]
    let query = try #require(url.split(separator: "?").last)
    #expect(
      query.split(separator: "&").map { $0.prefix { $0 != "=" } } == ["client_id", "request_uri"])
    #expect(
      host.provider.requests.map(\.endpoint)
        == [.discovery, .pushedAuthorization, .authorize, .token, .keys, .userinfo])
    #expect(try await HTTPClient().send(HTTPRequest(url: url)).status == 400)
  }

  @Test(arguments: [
    (200, #"{"request_uri":"urn:x","expires_in":60}"#, "the status is not 201"),
    (201, #"{"expires_in":60}"#, "request_uri is missing"),
  ])
  func pr01AnyOtherAnswerStartsNoSignIn(status: Int, body: String, check: String) async throws {
    let host = try await HostFixture(provider: { $0.requiresPushedRequests = true })
    var effect = FaultEffect.status(status)
    effect.body = Array(body.utf8)
    host.provider.setFaults([FaultRule(.pushedAuthorization, .always, effect)])
    try await host.expectRefusal(
      "the provider's answer failed a check: pushed authorization request: \(check)",
      requests: [.discovery, .pushedAuthorization])
  }

  @Test func pr01ARefusalIsSaid() async throws {
    let host = try await HostFixture(provider: { $0.requiresPushedRequests = true })
    var effect = FaultEffect.status(400)
    effect.body = Array(#"{"error":"invalid_request"}"#.utf8)
    host.provider.setFaults([FaultRule(.pushedAuthorization, .always, effect)])
    try await host.expectRefusal(
      "the provider answered with the error invalid_request", reason: .providerError,
      requests: [.discovery, .pushedAuthorization])
  }

  @Test(arguments: [401, 403])
  func pr01APublicClientThatIsNotLetPushIsToldWhatItNeeds(status: Int) async throws {
    let host = try await HostFixture(provider: { $0.requiresPushedRequests = true })
    host.provider.setFaults([FaultRule(.pushedAuthorization, .always, .status(status))])
    try await host.expectRefusal(
      "the provider wants authorization requests pushed and does not let a public client push;"
        + " configure a client with a secret",
      reason: .configuration, requests: [.discovery, .pushedAuthorization])
  }

  @Test func aProviderThatRequiresItAndNamesNoEndpointIsSaid() async throws {
    let host = try await HostFixture(provider: { $0.requiresPushedRequests = true })
    host.provider.overrides.discovery = [.remove("pushed_authorization_request_endpoint")]
    try await host.expectRefusal(
      "the provider's metadata has no pushed_authorization_request_endpoint",
      reason: .configuration, requests: [.discovery])
  }
}
