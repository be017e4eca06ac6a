import DevelopmentProvider
import GrantModel
import HTTPExchange
import LoopbackHTTP
import OIDCClient
import SessionModel
import StrictJSON
import TestSupport
import Testing

/// What a provider says about an access token (RFC 7662).
@Suite(.timeLimit(.minutes(1)))
struct IntrospectionTests {
  private static let secret = "client secret"

  private static func fixture(isConfidential: Bool) throws -> (ClientFixture, OIDCSessionSource) {
    let fixture = try ClientFixture { if isConfidential { $0.clients[0].secret = secret } }
    let source = fixture.source {
      guard isConfidential else { return }
      $0.authentication = .secret { () throws(ClientSecretError) in secret }
    }
    return (fixture, source)
  }

  @Test(arguments: [false, true])
  func aGoodTokenIsDescribedAndARevokedOneIsNot(isConfidential: Bool) async throws {
    let (fixture, source) = try Self.fixture(isConfidential: isConfidential)
    let grant = try await fixture.grant(source)
    #expect(
      await source.introspect(grant)
        == .answered(
          TokenIntrospection(
            isActive: true, scope: "openid profile email offline_access", clientId: "desktop",
            username: "Alice", tokenType: "Bearer", expiresAt: fixture.now + .seconds(300),
            issuedAt: fixture.now, subject: "alice-0001", issuer: fixture.provider.issuer)))
    fixture.provider.revokeAllGrants()
    #expect(await source.introspect(grant) == .answered(TokenIntrospection(isActive: false)))
  }

  @Test func aProviderWithoutTheEndpointIsAskedNothing() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [.remove("introspection_endpoint")]
    let source = fixture.source()
    #expect(
      await source.introspect(try await fixture.grant(source))
        == .unsupported("the provider names no introspection_endpoint"))
    #expect(fixture.provider.count(of: .introspect) == 0)
  }

  @Test func theConfigurationMayNameTheEndpoint() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [.remove("introspection_endpoint")]
    let source = fixture.source {
      $0.endpoints.introspection = fixture.provider.issuer + "/introspect"
    }
    guard case .answered(let answer) = await source.introspect(try await fixture.grant(source))
    else {
      Issue.record("it was not asked")
      return
    }
    #expect(answer.isActive)
  }

  private static let refusal = "the provider does not let a public client ask about tokens"

  @Test(arguments: [
    (401, "", IntrospectionOutcome.unsupported(refusal)),
    (403, "", .unsupported(refusal)),
    (401, #"{"error":"invalid_client"}"#, .unsupported(refusal)),
    (404, "", .unsupported("the provider has nothing at its introspection endpoint")),
    (500, "", .transient(.unavailable(status: 500), retryAfter: nil)),
    (302, "", .transient(.unavailable(status: 302), retryAfter: nil)),
    (200, "<html>", .transient(.unavailable(status: 200), retryAfter: nil)),
    (
      400, #"{"error":"invalid_request"}"#,
      .transient(.oauth(code: "invalid_request"), retryAfter: nil)
    ),
    (200, "{}", .unusable("introspection: active is missing or is not true or false")),
    (
      200, #"{"active":"true"}"#,
      .unusable("introspection: active is missing or is not true or false")
    ),
    (200, "[true]", .unusable("introspection: the answer is not a JSON object")),
  ])
  func anyOtherAnswerSaysNothing(
    status: Int, body: String, expected: IntrospectionOutcome
  ) async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    var effect = FaultEffect.status(status)
    effect.body = Array(body.utf8)
    effect.headers = [.init(name: "Location", value: fixture.provider.issuer + "/userinfo")]
    fixture.provider.setFaults([FaultRule(.introspect, .always, effect)])
    let requests = fixture.provider.requests.count
    #expect(await source.introspect(grant) == expected)
    #expect(fixture.provider.requests.count == requests + 1)
  }

  @Test(arguments: [#"{"active":true,"active":false}"#, "active", #"{"active":true"#])
  func whatIsNoStrictJSONIsUnusable(body: String) async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    var effect = FaultEffect.status(200)
    effect.body = Array(body.utf8)
    fixture.provider.setFaults([FaultRule(.introspect, .always, effect)])
    guard case .unusable(let check) = await source.introspect(grant) else {
      Issue.record("it was taken")
      return
    }
    #expect(check.hasPrefix("introspection: "))
  }

  @Test func aClientWithASecretIsToldThatItMayBeWrong() async throws {
    let (fixture, source) = try Self.fixture(isConfidential: true)
    let grant = try await fixture.grant(source)
    fixture.provider.setFaults([FaultRule(.introspect, .always, .status(401))])
    #expect(
      await source.introspect(grant)
        == .unsupported(
          "the provider does not let this client ask about tokens, or its secret is wrong"))
  }

  @Test func whatAnInactiveTokenWasIsNotBelieved() throws {
    let object: JSONObject = ["active": .bool(false), "sub": .string("mallory")]
    #expect(try TokenIntrospection(object, of: "t") == TokenIntrospection(isActive: false))
  }

  @Test func membersOfAnotherKindCountAsAbsentAndAnAudienceIsOneOrMore() throws {
    let object: JSONObject = [
      "active": .bool(true), "scope": .array([.string("a")]), "exp": .string("1"), "iat": .real(2),
      "aud": .array([.string("a"), .integer(1), .string("b")]),
    ]
    #expect(
      try TokenIntrospection(object, of: "token")
        == TokenIntrospection(isActive: true, audience: ["a", "b"]))
    #expect(
      try TokenIntrospection(["active": .bool(true), "aud": .string("a")], of: "token").audience
        == ["a"])
  }

  @Test(arguments: ["username", "scope", "sub", "aud"])
  func anAnswerThatShowsTheTokenIsRefused(member: String) {
    let object: JSONObject = ["active": .bool(true), member: .string("user of token-1234")]
    #expect(throws: ExchangeFailure.invalid("introspection: the answer shows the token itself")) {
      try TokenIntrospection(object, of: "token-1234")
    }
  }

  @Test func noTimeIsBeforeTheFirst() throws {
    let object: JSONObject = ["active": .bool(true), "exp": .integer(0), "iat": .integer(-1)]
    #expect(
      try TokenIntrospection(object, of: "token") == TokenIntrospection(isActive: true))
  }

  @Test(arguments: [
    ("username", JSONValue.string(String(repeating: "a", count: 2_049))),
    ("aud", .array([JSONValue](repeating: .string("a"), count: 17))),
  ])
  func aMemberWithoutAnEndIsRefused(member: String, value: JSONValue) {
    let object: JSONObject = ["active": .bool(true), member: value]
    #expect(
      throws: ExchangeFailure.invalid("introspection: a member is longer than any real one")
    ) { try TokenIntrospection(object, of: "token") }
  }
}
