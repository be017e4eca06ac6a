import DevelopmentProvider
import GrantModel
import HTTPExchange
import HostControl
import LoopbackHTTP
import OIDCClient
import SessionHost
import SessionModel
import StrictJSON
import TestSupport
import Testing

/// What a provider's endpoints must not get away with, at a whole host.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct ProviderAnswerRefusalTests {
  private static func effect(
    _ status: Int, _ body: [UInt8] = [], _ fields: [(String, String)] = []
  ) -> FaultEffect {
    var effect = FaultEffect.status(status)
    effect.body = body
    effect.headers = fields.map { .init(name: $0.0, value: $0.1) }
    return effect
  }

  @Test(arguments: ["/", "1", "case"])
  func rp26MetadataOfAnotherIssuerStartsNoSignIn(change: String) async throws {
    let host = try await HostFixture()
    let issuer = host.provider.issuer
    let stated = change == "case" ? issuer.replacing("http:", with: "HTTP:") : issuer + change
    host.provider.overrides.discovery = [.set("issuer", .string(stated))]
    try await host.expectRefusal(
      "the provider's metadata names another issuer; set `issuer` to exactly the one it names",
      reason: .configuration, requests: [.discovery])
  }

  /// What stands in place of a document; a name, because a failing test prints its arguments.
  enum Substitute: CaseIterable, Sendable {
    case error, page, redirect, endless, nothing

    var effect: FaultEffect {
      switch self {
      case .error: ProviderAnswerRefusalTests.effect(500)
      case .page:
        ProviderAnswerRefusalTests.effect(
          200, Array("<html>".utf8), [("Content-Type", "text/html")])
      case .redirect:
        ProviderAnswerRefusalTests.effect(302, [], [("Location", "http://127.0.0.1:1/")])
      case .endless:
        ProviderAnswerRefusalTests.effect(200, [UInt8](repeating: 0x20, count: 3_000_000))
      case .nothing: .drop
      }
    }

    var text: String {
      switch self {
      case .error: "the provider answered with status 500"
      case .page: "the provider answered with status 200"
      case .redirect: "the provider answered with status 302"
      case .endless: "is larger than allowed"
      case .nothing: "ended before the answer was complete"
      }
    }
  }

  @Test(arguments: Substitute.allCases, [ProviderEndpoint.discovery, .keys])
  func rp28ADocumentThatCannotBeHadEndsTheSignIn(
    substitute: Substitute, endpoint: ProviderEndpoint
  ) async throws {
    let host = try await HostFixture()
    host.provider.setFaults([FaultRule(endpoint, .always, substitute.effect)])
    guard case .failed(.offline, let message) = try await host.signIn() else {
      Issue.record("the sign-in did not fail as offline")
      return
    }
    #expect(message.contains(substitute.text))
    try await host.expectNothing(
      of: endpoint == .keys ? IDTokenRefusalTests.requests : [.discovery])
  }

  @Test func rp28ADocumentThatDoesNotComeIsWaitedForTenSeconds() async throws {
    let host = try await HostFixture()
    var silence = FaultEffect()
    silence.delay = .seconds(40)
    host.provider.setFaults([FaultRule(.discovery, .always, silence)])
    let start = ContinuousClock.now
    guard case .failed(.offline, let message) = try await host.signIn() else {
      Issue.record("the sign-in did not fail as offline")
      return
    }
    #expect(message.contains("did not answer in time"))
    #expect((.seconds(9)...(.seconds(30))).contains(ContinuousClock.now - start))
    try await host.expectNothing(of: [.discovery])
  }

  @Test(arguments: [true, false])
  func rp30UserInfoOfAnotherAccountEndsTheSignIn(revokes: Bool) async throws {
    let host = try await HostFixture(revokes: revokes)
    host.provider.overrides.userinfo = [.set("sub", .string("alice-00011"))]
    try await host.expectRefusal(
      "the provider's answer is about another account: UserInfo: sub is not that of the ID token",
      requests: IDTokenRefusalTests.requests + [.userinfo])
  }

  @Test func rp31TheAccessTokenGoesInTheHeaderFieldAlone() async throws {
    let requests = EventRecorder<LoopbackRequest>()
    let server = try LoopbackServer(port: 0, options: LoopbackServer.Options()) { request in
      requests.record(request)
      return LoopbackResponse(
        status: 200, headers: [.init(name: "Content-Type", value: "application/json")],
        body: Array("{\"sub\":\"alice-0001\"}".utf8))
    }
    defer { server.stop() }
    let host = try await HostFixture(client: {
      $0.endpoints.userInfo = server.origin + "/userinfo"
    })
    #expect(try await host.signIn() == .signedIn(.primary))
    let token = try #require(try host.stored()?.grant?.accessToken)
    let request = try #require(requests.events.first)
    #expect(requests.events.count == 1)
    #expect(request.method == "GET")
    #expect(request.headers(named: "authorization") == ["Bearer \(token)"])
    #expect(request.query.isEmpty && request.body.isEmpty)
    #expect(!request.path.contains(token))
  }

  @Test(arguments: ["mac", "DPoP", "N_A"], [true, false])
  func rp40AnotherTokenTypeIsRefused(type: String, revokes: Bool) async throws {
    let host = try await HostFixture(revokes: revokes)
    host.provider.overrides.tokenResponse = [.set("token_type", .string(type))]
    try await host.expectRefusal(
      "the provider's answer failed a check: token_type is not Bearer",
      requests: [.discovery, .authorize, .token])
  }

  @Test func rp40TheTokenTypesCaseDoesNotMatter() async throws {
    let host = try await HostFixture()
    host.provider.overrides.tokenResponse = [.set("token_type", .string("bEARER"))]
    #expect(try await host.signIn() == .signedIn(.primary))
    #expect(try host.stored()?.grant?.tokenType == "Bearer")
  }

  @Test(
    arguments: [
      (JSONValue.integer(1_000_000_000), 2_592_000), (.string("3600"), 3_600),
      (.real(9_223_372_036_854_775_808), 2_592_000),
    ] as [(JSONValue, Int64)])
  func rp41AnyLifetimeIsReadWithoutHarm(value: JSONValue, seconds: Int64) async throws {
    let host = try await HostFixture()
    host.provider.overrides.tokenResponse = [.set("expires_in", value)]
    #expect(try await host.signIn() == .signedIn(.primary))
    let grant = try #require(try host.stored()?.grant)
    #expect(grant.expiresAt == grant.issuedAt + .seconds(seconds))
    await host.service.stop()
  }

  @Test(arguments: [JSONValue.integer(-1), .integer(0)])
  func rp41ATokenThatIsOverWhenItComesIsNoSignIn(value: JSONValue) async throws {
    let host = try await HostFixture()
    host.provider.overrides.tokenResponse = [.set("expires_in", value)]
    // The second token request is the renewal that a first token's end alone would call for.
    try await host.expectRefusal(
      "the provider's answer failed a check: the access token had expired when it came",
      requests: [.discovery, .authorize, .token, .keys, .userinfo, .token], refreshes: 1)
  }

  @Test func rp39AndRp43LifetimeAndScopeAreThoseOfTheAnswer() async throws {
    let host = try await HostFixture()
    host.provider.overrides.tokenResponse = [
      .remove("expires_in"), .set("scope", .string("openid email")),
    ]
    #expect(try await host.signIn() == .signedIn(.primary))
    #expect(host.hasSnapshot())
    #expect(try host.stored()?.grant?.scope == "openid email")
    let status = try await host.status()
    #expect(status?.session == "expiry-unknown")
    #expect(status?.expiresAt == nil)
  }

  @Test func pk03AProviderWithoutS256StartsNoSignIn() async throws {
    let host = try await HostFixture()
    host.provider.overrides.discovery = [
      .set("code_challenge_methods_supported", .array([.string("plain")]))
    ]
    try await host.expectRefusal(
      "the provider's metadata lists no S256, so an injected code could not be told apart",
      reason: .configuration, requests: [.discovery])
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func ht01ARedirectOfTheTokenEndpointLeadsNowhere(status: Int) async throws {
    let other = try LoopbackProvider(ProviderConfiguration(), key: TestKeys.shared.get().other)
    defer { other.stop() }
    let host = try await HostFixture()
    host.provider.setFaults([
      FaultRule(.token, .always, Self.effect(status, [], [("Location", other.issuer + "/token")]))
    ])
    try await host.expectRefusal(
      "the provider answered with status \(status)", reason: .offline,
      requests: [.discovery, .authorize, .token])
    #expect(other.requests.isEmpty)
  }

  @Test func ht02ARedirectOfUserInfoGetsNoToken() async throws {
    let other = try LoopbackProvider(ProviderConfiguration(), key: TestKeys.shared.get().other)
    defer { other.stop() }
    let host = try await HostFixture()
    host.provider.setFaults([
      FaultRule(
        .userinfo, .always, Self.effect(302, [], [("Location", other.issuer + "/userinfo")]))
    ])
    #expect(try await host.signIn() == .signedIn(.primary))
    #expect(other.requests.isEmpty)
  }
}
