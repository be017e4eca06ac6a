import DevelopmentProvider
import GrantModel
import HTTPExchange
import LoopbackHTTP
import OIDCClient
import SessionModel
import StrictJSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct RenewalTests {
  @Test func theRotatedTokenIsDurableBeforeAnythingElseIsLookedAt() async throws {
    let fixture = try ClientFixture()
    let signedIn = try await fixture.grant(fixture.source())
    // A new source knows no keys, so that a fetch before the write would be seen.
    let source = fixture.source()
    let keys = fixture.provider.count(of: .keys)
    let provider = fixture.provider
    let journal = RecordingJournal { #expect(provider.count(of: .keys) == keys) }
    fixture.clock.advance(by: .seconds(100))
    let renewed = try await source.renew(signedIn, journal: journal).issuedGrant()
    #expect(journal.tokens == [renewed.refreshToken?.copiedText()])
    #expect(renewed.refreshToken?.isSame(as: try #require(signedIn.refreshToken)) == false)
    #expect(renewed.accessToken != signedIn.accessToken)
    #expect(renewed.expiresAt == fixture.now + .seconds(300))
    #expect(renewed.idToken == signedIn.idToken)
    #expect(renewed.accountName == signedIn.accountName)
    #expect(renewed.subject == signedIn.subject)
    #expect(provider.count(of: .keys) == keys + 1)
    #expect(provider.counts.refreshes == 1)
  }

  @Test func rf05AnAnswerWithoutARefreshTokenKeepsTheOldOne() async throws {
    let fixture = try ClientFixture { $0.rotatesRefreshTokens = false }
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    for override in [MemberOverride.remove("refresh_token"), .set("refresh_token", .null)] {
      fixture.provider.overrides.tokenResponse = [override]
      let journal = RecordingJournal()
      let renewed = try await source.renew(grant, journal: journal).issuedGrant()
      #expect(renewed.refreshToken?.isSame(as: try #require(grant.refreshToken)) == true)
      #expect(journal.tokens == [nil])
    }
  }

  @Test func theEndOfARefreshTokenHoldsUntilItIsReplaced() async throws {
    let fixture = try ClientFixture { $0.rotatesRefreshTokens = false }
    let source = fixture.source()
    fixture.provider.overrides.tokenResponse = [.set("refresh_expires_in", .integer(1800))]
    let grant = try await fixture.grant(source)
    #expect(grant.renewableUntil == grant.issuedAt + .seconds(1800))
    fixture.clock.advance(by: .seconds(100))
    let moved = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    #expect(moved.renewableUntil == grant.renewableUntil.map { $0 + .seconds(100) })
    for override in [MemberOverride.remove("refresh_token"), .remove("none")] {
      fixture.provider.overrides.tokenResponse = [override]
      let same = try await source.renew(moved, journal: RecordingJournal()).issuedGrant()
      #expect(same.renewableUntil == moved.renewableUntil)
    }
    fixture.provider.overrides.tokenResponse = [.set("refresh_token", .string("another"))]
    let replaced = try await source.renew(moved, journal: RecordingJournal()).issuedGrant()
    #expect(replaced.renewableUntil == nil)
  }

  @Test(arguments: [
    (
      TokenMutation.setClaim("sub", .string("bob")),
      "terminal: the provider answered for another account"
    ),
    (
      .setClaim("iss", .string("https://other")),
      "terminal: the provider answered for another account"
    ),
    (
      .setClaim("auth_time", .integer(1)),
      "transient: the provider's answer failed a check: ID token: auth_time differs from that of the sign-in, no wait"
    ),
    (
      .setClaim("aud", .string("other")),
      "transient: the provider's answer failed a check: ID token: aud is not this client alone, no wait"
    ),
    (
      .setClaim("azp", .string("desktop")),
      "transient: the provider's answer failed a check: ID token: azp differs from that of the sign-in, no wait"
    ),
    (
      .setClaim("nonce", .string("other")),
      "transient: the provider's answer failed a check: ID token: nonce differs from that of the sign-in, no wait"
    ),
    (
      .breakSignature,
      "transient: the provider's answer failed a check: ID token: the token's signature is not valid, no wait"
    ),
  ])
  func rf02AndRf03AndRf04ARenewalMustAgreeWithTheSignIn(mutation: TokenMutation, summary: String)
    async throws
  {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    fixture.provider.overrides.idToken = [mutation]
    let journal = RecordingJournal()
    let outcome = await source.renew(grant, journal: journal)
    #expect(outcome.summary == summary)
    #expect(journal.tokens.count == 1)
  }

  @Test func rf04AnAuthenticationTimeThatTheSignInDidNotStateSaysNothing() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    fixture.provider.overrides.idToken = [.removeClaim("auth_time")]
    let grant = try await fixture.grant(source)
    fixture.provider.overrides.idToken = []
    let renewed = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    #expect(renewed.accessToken != grant.accessToken)
  }

  @Test func rf05ARenewalWithoutAnIDTokenIsWhole() async throws {
    let fixture = try ClientFixture { $0.issuesIDTokenOnRefresh = false }
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    let renewed = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    #expect(renewed.idToken == grant.idToken)
  }

  @Test func aGrantThatIsGoneEndsTheSession() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    fixture.provider.revokeAllGrants()
    let journal = RecordingJournal()
    #expect(
      await source.renew(grant, journal: journal).summary
        == "terminal: the provider has ended the session (invalid_grant)")
    #expect(journal.tokens.isEmpty)
  }

  @Test func nothingToRenewWithIsSaid() async throws {
    let fixture = try ClientFixture()
    let grant = Grant(
      issuer: fixture.provider.issuer, clientId: "desktop", subject: nil, accountName: nil,
      accessToken: "a", tokenType: "Bearer", scope: nil, issuedAt: fixture.now, expiresAt: nil,
      refreshToken: nil, idToken: nil)
    #expect(
      await fixture.source().renew(grant, journal: RecordingJournal()).summary
        == "terminal: the provider gave nothing to renew the session with")
    #expect(fixture.provider.requests.isEmpty)
  }

  private static func effect(
    _ status: Int, _ body: String = "", _ fields: [(String, String)] = []
  ) -> FaultEffect {
    var effect = FaultEffect.status(status)
    effect.body = Array(body.utf8)
    effect.headers = fields.map { .init(name: $0.0, value: $0.1) }
    return effect
  }

  @Test(arguments: [
    (effect(400), "the provider refused with status 400 and gave no reason, no wait"),
    (
      effect(403, "<html>", [("Content-Type", "text/html")]),
      "the provider answered with status 403, no wait"
    ),
    (
      effect(401, "{\"error\":\"invalid_client\"}", [("Content-Type", "application/json")]),
      "the provider answered with the error invalid_client, no wait"
    ),
    (effect(503, "", [("Retry-After", "7")]), "the provider asked for patience, 7.0 seconds"),
    (
      effect(503, "", [("Retry-After", "Fri, 15 Jan 2027 08:00:30 GMT")]),
      "the provider asked for patience, 30.0 seconds"
    ),
    (
      effect(
        400, "{\"error\":\"unauthorized_client\"}", [("Content-Type", "application/json")]),
      "the provider answered with the error unauthorized_client, no wait"
    ),
    (
      effect(
        400, "{\"error\":\"unsupported_grant_type\"}", [("Content-Type", "application/json")]),
      "the provider answered with the error unsupported_grant_type, no wait"
    ),
    (
      effect(400, "<html>", [("Content-Type", "text/html")]),
      "the provider answered with status 400, no wait"
    ),
    (effect(502), "the provider answered with status 502, no wait"),
    (effect(503), "the provider answered with status 503, no wait"),
    (effect(429), "the provider asked for patience, no wait"),
    (
      effect(500, "{\"error\":\"invalid_grant\"}"), "the provider answered with status 500, no wait"
    ),
    (
      effect(302, "", [("Location", "http://127.0.0.1:1/")]),
      "the provider answered with status 302, no wait"
    ),
  ])
  func rf10AndRf11ARefusalThatIsNotInvalidGrantKeepsTheSession(
    effect: FaultEffect, summary: String
  ) async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    fixture.provider.setFaults([FaultRule(.token, .always, effect)])
    let journal = RecordingJournal()
    #expect(await source.renew(grant, journal: journal).summary == "transient: \(summary)")
    #expect(journal.tokens.isEmpty)
    fixture.provider.setFaults([])
    _ = try await source.renew(grant, journal: journal).issuedGrant()
  }

  @Test func rf10AnAnswerThatIsLostAfterTheRequestIsToldApart() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    fixture.provider.setFaults([FaultRule(.token, .always, .loseAnswer)])
    #expect(
      await source.renew(grant, journal: RecordingJournal()).summary
        .hasPrefix("transient: the provider's answer was lost: "))
    fixture.provider.setFaults([FaultRule(.token, .always, Self.effect(200, "{"))])
    #expect(
      await source.renew(grant, journal: RecordingJournal()).summary
        .hasPrefix("transient: the provider's answer was lost: JSON refused"))
    fixture.provider.stop()
    #expect(
      await source.renew(grant, journal: RecordingJournal()).summary
        .hasPrefix("transient: the provider cannot be reached: "))
  }

  @Test func rf10AProviderWhoseNameIsNotKnownKeepsTheSession() async throws {
    let fixture = try ClientFixture()
    let grant = try await fixture.grant(fixture.source())
    // A name that never exists (RFC 6761 6.4).
    let source = fixture.source { $0.endpoints.token = "https://provider.invalid/token" }
    #expect(
      await source.renew(grant, journal: RecordingJournal()).summary
        .hasPrefix("transient: the provider cannot be reached: "))
  }

  @Test func rf08ARefreshNamesTheLastTokenAndNoWiderScope() async throws {
    let fixture = try ClientFixture()
    let granted = try await fixture.grant(fixture.source())
    let bodies = EventRecorder<String>()
    let endpoint = try LoopbackServer { request in
      bodies.record(String(decoding: request.body, as: UTF8.self))
      let token = "refresh-\(bodies.events.count)"
      return LoopbackResponse(
        status: 200, headers: [.init(name: "Content-Type", value: "application/json")],
        body: Array(
          #"{"access_token":"a","token_type":"Bearer","refresh_token":"\#(token)"}"#.utf8))
    }
    let source = fixture.source { $0.endpoints.token = endpoint.origin + "/token" }
    var grant = granted
    for _ in 0..<3 {
      grant = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    }
    endpoint.stop()
    let first = try #require(granted.refreshToken?.copiedText())
    // No scope at all: it stays what was granted (RFC 6749 6).
    #expect(
      bodies.events
        == [first, "refresh-1", "refresh-2"].map {
          "grant_type=refresh_token&refresh_token=\($0)&client_id=desktop"
        })
  }

  @Test func metadataThatCannotBeHadLosesNothing() async throws {
    let fixture = try ClientFixture()
    let grant = try await fixture.grant(fixture.source())
    fixture.provider.setFaults([FaultRule(.discovery, .always, .drop)])
    let source = fixture.source()
    #expect(
      await source.renew(grant, journal: RecordingJournal()).summary
        .hasPrefix("transient: the provider cannot be reached: "))
    #expect(fixture.provider.counts.refreshes == 0)
  }

  @Test func keysThatCannotBeHadAfterARotationLoseNothing() async throws {
    let fixture = try ClientFixture()
    let grant = try await fixture.grant(fixture.source())
    let source = fixture.source()
    fixture.provider.setFaults([FaultRule(.keys, .always, .drop)])
    let journal = RecordingJournal()
    #expect(
      await source.renew(grant, journal: journal).summary
        .hasPrefix("transient: the provider cannot be reached: "))
    #expect(journal.tokens.count == 1)
  }

  @Test func aTokenThatCannotBeStoredIsNotBelieved() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    #expect(
      await source.renew(grant, journal: RecordingJournal(failure: JournalError("disk full")))
        .summary == "transient: disk full, no wait")
  }

  @Test func metadataIsFetchedOnceADay() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    _ = try await source.metadata()
    fixture.clock.advance(by: .seconds(86_399))
    _ = try await source.metadata()
    #expect(fixture.provider.count(of: .discovery) == 1)
    fixture.clock.advance(by: .seconds(1))
    fixture.provider.isDown = true
    _ = try await source.metadata()
    fixture.provider.isDown = false
    _ = try await source.metadata()
    #expect(fixture.provider.count(of: .discovery) >= 2)
  }
}
