import DevelopmentProvider
import GrantModel
import HTTPExchange
import LoopbackHTTP
import OIDCClient
import StrictJSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RevocationTests {
  private static func effect(_ status: Int, _ body: String = "", retryAfter: String? = nil)
    -> FaultEffect
  {
    var effect = FaultEffect.status(status)
    effect.body = Array(body.utf8)
    if let retryAfter { effect.headers = [.init(name: "Retry-After", value: retryAfter)] }
    return effect
  }

  @Test func lo03AGrantIsForgottenAndSoIsOneThatIsNotKnown() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let token = try #require(try await fixture.grant(source).refreshToken)
    #expect(await source.revoke(.refreshToken(token)) == .done)
    #expect(fixture.provider.counts.revocations == 1)
    #expect(await source.revoke(.refreshToken(token)) == .done)
  }

  @Test func lo03AnAccessTokenIsRevokedAsSuch() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    #expect(await source.revoke(.accessToken(grant.accessToken)) == .done)
    #expect(fixture.provider.requests.last?.endpoint == .revoke)
    #expect(fixture.provider.requests.last?.status == 200)
    // The provider has forgotten the one token, and the grant is as it was.
    _ = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    #expect(fixture.provider.counts.revocations == 0)
  }

  @Test(arguments: [
    (
      effect(400, "{\"error\":\"unsupported_token_type\"}"),
      RevocationOutcome.unsupported("the provider does not revoke refresh tokens")
    ),
    (effect(400, "{\"error\":\"invalid_token\"}"), .done),
    (effect(401), .unsupported("the provider does not let a public client revoke")),
    (effect(404), .unsupported("the provider has nothing at its revocation endpoint")),
    (effect(503, retryAfter: "5"), .transient(.rateLimited, retryAfter: .seconds(5))),
    (effect(500), .transient(.unavailable(status: 500), retryAfter: nil)),
  ])
  func lo03AndLo04TheAnswerDecides(effect: FaultEffect, expected: RevocationOutcome) async throws {
    let fixture = try ClientFixture()
    fixture.provider.setFaults([FaultRule(.revoke, .always, effect)])
    #expect(await fixture.source().revoke(.refreshToken(try RefreshToken("r"))) == expected)
  }

  @Test(arguments: [
    ("", RevocationOutcome.done), ("<html>", .transient(pageCause, retryAfter: nil)),
  ])
  func anEmptyAnswerIsNoPageWhateverItIsCalled(
    body: String, expected: RevocationOutcome
  ) async throws {
    let fixture = try ClientFixture()
    var effect = Self.effect(200, body)
    effect.headers = [.init(name: "Content-Type", value: "text/html; charset=utf-8")]
    fixture.provider.setFaults([FaultRule(.revoke, .always, effect)])
    #expect(await fixture.source().revoke(.refreshToken(try RefreshToken("r"))) == expected)
  }

  private static let pageCause = TransientCause.unavailable(status: 200)

  @Test func lo03AnAccessTokenThatTheProviderDoesNotRevokeIsSaid() async throws {
    let fixture = try ClientFixture()
    fixture.provider.setFaults([
      FaultRule(.revoke, .always, Self.effect(400, "{\"error\":\"unsupported_token_type\"}"))
    ])
    #expect(
      await fixture.source().revoke(.accessToken("a"))
        == .unsupported("the provider does not revoke access tokens"))
  }

  @Test func aProviderWithoutTheEndpointIsSaid() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [.remove("revocation_endpoint")]
    #expect(
      await fixture.source().revoke(.refreshToken(try RefreshToken("r")))
        == .unsupported("the provider names no revocation endpoint"))
  }

  @Test func aProviderThatIsAwayIsToldLater() async throws {
    let fixture = try ClientFixture()
    fixture.provider.isDown = true
    let token = RevocableToken.refreshToken(try RefreshToken("r"))
    guard case .transient(.network, nil) = await fixture.source().revoke(token) else {
      Issue.record("the outcome is not that of a lost network")
      return
    }
  }
}
