import DevelopmentProvider
import GrantModel
import LoopbackHTTP
import OIDCClient
import SessionModel
import StrictJSON
import TestSupport
import Testing

/// The table of Sources/OIDCClient/PROVIDERS.md, row by row.
@Suite(.timeLimit(.minutes(1)))
struct ProviderQuirkTests {
  private static func effect(
    _ status: Int, _ body: String, type: String? = "application/json"
  ) -> FaultEffect {
    var effect = FaultEffect.status(status)
    effect.body = Array(body.utf8)
    effect.headers = type.map { [.init(name: "Content-Type", value: $0)] } ?? []
    return effect
  }

  @Test(
    arguments: [
      ([.remove("expires_in")], nil), ([.set("expires_in", .null)], nil),
      ([.set("expires_in", .string("3600"))], 3_600), ([.set("expires_in", .integer(0))], 0),
      ([.set("expires_in", .integer(-1))], 0), ([.set("expires_in", .string("soon"))], nil),
      ([.set("expires_in", .integer(.max))], 2_592_000),
    ] as [([MemberOverride], Int64?)])
  func expiresIn(changes: [MemberOverride], seconds: Int64?) async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.tokenResponse = changes
    let grant = try await fixture.grant(fixture.source())
    #expect(grant.expiresAt == seconds.map { grant.issuedAt + .seconds($0) })
  }

  @Test(arguments: ["bearer", "BEARER", "bEARER"])
  func tokenType(spelling: String) async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.tokenResponse = [.set("token_type", .string(spelling))]
    #expect(try await fixture.grant(fixture.source()).tokenType == "Bearer")
  }

  @Test(
    arguments: [
      ([.set("scope", .array([.string("openid"), .string("email")]))], "openid email"),
      ([.remove("scope")], "openid profile email offline_access"),
      ([.set("scope", .string(""))], "openid profile email offline_access"),
    ] as [([MemberOverride], String)])
  func scope(changes: [MemberOverride], scope: String) async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.tokenResponse = changes
    #expect(try await fixture.grant(fixture.source()).scope == scope)
  }

  @Test(
    arguments: [
      [.remove("refresh_token")], [.set("refresh_token", .null)],
      [.set("refresh_token", .string(""))], [.remove("refresh_token"), .remove("id_token")],
      [.set("id_token", .null), .set("refresh_token", .null)],
    ] as [[MemberOverride]])
  func aRefreshAnswerWithoutTokensKeepsThoseOfBefore(changes: [MemberOverride]) async throws {
    let fixture = try ClientFixture { $0.rotatesRefreshTokens = false }
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    fixture.provider.overrides.tokenResponse = changes
    let renewed = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    #expect(renewed.accessToken != grant.accessToken)
    #expect(renewed.refreshToken?.copiedText() == grant.refreshToken?.copiedText())
    #expect(renewed.idToken == grant.idToken)
  }

  private static let good = #"{"access_token":"new","token_type":"bearer","expires_in":60}"#

  @Test(arguments: [
    ("\u{feff}" + good, "application/json"), (good, "text/plain"), (good, "text/html"),
    (good, nil), (good, "application/json;charset=UTF-8"), (" \n" + good + "\n", "text/json"),
    (good, "application/x-www-form-urlencoded"),
    ("access_token=new&token_type=bearer&expires_in=60", "application/x-www-form-urlencoded"),
    ("token_type=bearer&expires_in=60&access_token=n%65w", "application/x-www-form-urlencoded"),
  ])
  func anAnswerUnderAnyNameIsRead(body: String, type: String?) async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    fixture.provider.setFaults([FaultRule(.token, .always, Self.effect(200, body, type: type))])
    let renewed = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    #expect(renewed.accessToken == "new")
    #expect(renewed.expiresAt == renewed.issuedAt + .seconds(60))
  }

  @Test(
    arguments: [
      // 200 with an error body, in JSON and as a form.
      (200, #"{"error":"invalid_grant"}"#, "application/json", "terminal: \(ended)"),
      (200, "error=invalid_grant", form, "terminal: \(ended)"),
      (200, #"{"error":"server_error"}"#, nil, "transient: \(answered) status 200, no wait"),
      (
        200, "error=bad_verification_code&error_description=x+y", form,
        "transient: \(answered) the error bad_verification_code, no wait"
      ),
      // A form-encoded error.
      (400, "error=invalid_grant&error_description=gone", form, "terminal: \(ended)"),
      (
        401, "error=invalid_client", form,
        "transient: \(answered) the error invalid_client, no wait"
      ),
      // Nothing that says what is wrong.
      (
        400, "", nil,
        "transient: the provider refused with status 400 and gave no reason, no wait"
      ),
      (
        400, "{}", "application/json",
        "transient: the provider refused with status 400 and gave no reason, no wait"
      ),
      // Pages for people, also where they quote an error.
      (
        403, "<html>invalid_grant</html>", "text/html", "transient: \(answered) status 403, no wait"
      ),
      (400, "<!DOCTYPE html>", nil, "transient: \(answered) status 400, no wait"),
      (500, "<html>", "text/html", "transient: \(answered) status 500, no wait"),
      (200, "<html>", "text/html", "transient: \(answered) status 200, no wait"),
      // Forms that are none.
      (200, "access_token=a&access_token=b&token_type=bearer", form, "transient: \(lost)"),
      (200, "access_token=%zz&token_type=bearer", form, "transient: \(lost)"),
      (200, "access_token=a%00b&token_type=bearer", form, "transient: \(lost)"),
    ] as [(Int, String, String?, String)])
  func aRefusalInAnyDressIsToldApart(
    status: Int, body: String, type: String?, summary: String
  ) async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    fixture.provider.setFaults([FaultRule(.token, .always, Self.effect(status, body, type: type))])
    let journal = RecordingJournal()
    #expect(await source.renew(grant, journal: journal).summary == summary)
    #expect(journal.tokens.isEmpty)
  }

  private static let form = "application/x-www-form-urlencoded"
  private static let ended = "the provider has ended the session (invalid_grant)"
  private static let answered = "the provider answered with"
  private static let lost =
    "the provider's answer was lost: the answer is not a form with distinct names, no wait"

  @Test func aProviderLikeGitHubIsSignedInTo() async throws {
    // No issuer, no metadata, forms for answers, and nothing to renew with.
    let fixture = try ClientFixture()
    fixture.provider.overrides.formEncodesTokenResponse = true
    fixture.provider.overrides.tokenResponse = [
      .remove("refresh_token"), .remove("expires_in"), .set("token_type", .string("bearer")),
    ]
    let account = try LoopbackServer(port: 0, options: LoopbackServer.Options()) { request in
      let isAsked = request.headers(named: "authorization").first?.hasPrefix("Bearer ") == true
      return LoopbackResponse(
        status: isAsked ? 200 : 401, body: Array(#"{"login":"octocat","id":583231}"#.utf8))
    }
    defer { account.stop() }
    let issuer = fixture.provider.issuer
    let source = fixture.source {
      $0.issuer = "https://github.example"
      $0.scopes = ["repo", "read:user"]
      $0.endpoints = EndpointOverrides(
        authorization: issuer + "/authorize", token: issuer + "/token",
        userInfo: account.origin + "/user")
    }
    fixture.provider.overrides.authorizationResponse = [.remove("iss")]
    let grant = try await fixture.grant(source)
    #expect(grant.issuer == "https://github.example")
    #expect(grant.accountName == "octocat")
    #expect(grant.scope == "repo read:user")
    #expect(grant.expiresAt == nil && grant.refreshToken == nil && grant.idToken == nil)
    #expect(fixture.provider.count(of: .discovery) == 0)
    #expect(
      await source.renew(grant, journal: RecordingJournal()).summary
        == "terminal: the provider gave nothing to renew the session with")
    #expect(
      await source.revoke(.refreshToken(try RefreshToken("r")))
        == .unsupported("the provider names no revocation endpoint"))
  }

  @Test func aRefusedCodeOfAProviderLikeGitHubIsSaid() async throws {
    let fixture = try ClientFixture()
    let body = "error=bad_verification_code&error_description=The+code+is+incorrect"
    fixture.provider.setFaults([
      FaultRule(.token, .always, Self.effect(200, body, type: Self.form))
    ])
    #expect(
      await fixture.signIn(fixture.source()).summary
        == "terminal: the provider answered with the error bad_verification_code")
    #expect(fixture.provider.count(of: .token) == 1)
  }
}
