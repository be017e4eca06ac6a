import DevelopmentProvider
import HTTPExchange
import JOSE
import StrictJSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct LoopbackProviderTests {
  @Test func scriptedFaultsAnswerInsteadOfTheProvider() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let token = try await browser.tokens().text("refresh_token")
    provider.setFaults([try FaultRule(text: "token:1:503,retry-after=7")])
    let refused = try await browser.refresh(token)
    #expect(refused.status == 503 && refused.headers["Retry-After"] == "7")
    // The provider did nothing, so that the token is still good.
    #expect(try await browser.refresh(token).status == 200)
    #expect(provider.counts.refreshes == 1)
  }

  @Test func aLostAnswerHasRotatedTheToken() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let token = try await browser.tokens().text("refresh_token")
    provider.setFaults([FaultRule(.token, .requests(1...1), .loseAnswer)])
    await #expect(throws: HTTPError.self) { _ = try await browser.refresh(token) }
    #expect(provider.counts.rotations == 1)
    #expect(try await browser.refresh(token).oauthError == "invalid_grant")
    #expect(provider.counts.reuses == 1)
  }

  @Test func anOutageDropsEveryConnectionUntilItEnds() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    provider.isDown = true
    await #expect(throws: HTTPError.self) { _ = try await browser.get("/jwks") }
    provider.isDown = false
    #expect(try await browser.get("/jwks").status == 200)
  }

  @Test func theJournalShowsOutcomesAndNoSecret() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let tokens = try await browser.tokens()
    _ = try await browser.refresh("unknown")
    provider.isDown = true
    _ = try? await browser.get("/userinfo", bearer: tokens.text("access_token"))
    let lines = provider.requests.map { $0.description.split(separator: " ", maxSplits: 1)[1] }
    #expect(
      lines == [
        "authorize 302", "token authorization_code 200", "token refresh_token 400 invalid_grant",
        "userinfo dropped",
      ])
    #expect(provider.count(of: .token) == 2)
  }

  @Test func requestsCanBeWaitedFor() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let waiting = Task { try await provider.waitForRequests(2, at: .keys) }
    _ = try await browser.get("/jwks")
    _ = try await browser.get("/jwks")
    try await waiting.value
    try await provider.waitForRequests(2, at: .keys)
    let endless = Task { try await provider.waitForRequests(9, at: .keys) }
    endless.cancel()
    await #expect(throws: CancellationError.self) { try await endless.value }
    let stopped = Task { try await provider.waitForRequests(9, at: .keys) }
    provider.stop()
    await #expect(throws: CancellationError.self) { try await stopped.value }
  }

  @Test(arguments: [
    ([TokenMutation.breakSignature], false), ([.foreignKey], false),
    ([.unsigned(algorithm: "none")], false), ([.removeHeader("kid")], true),
    ([.setClaim("iss", .string("x"))], true), ([.removeClaim("sub")], true),
  ])
  func mutationsMakeTheTokenATestAsksFor(mutations: [TokenMutation], verifies: Bool) async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    provider.overrides.idToken = mutations
    let browser = ProviderBrowser(provider)
    let token = try await browser.tokens().text("id_token")
    let keys = try await JSONWebKeySet(parsing: browser.get("/jwks").body)
    let payload = try? CompactJWS(parsing: token).verify(allowed: [.es256], keys: keys)
    #expect((payload != nil) == verifies)
    if let payload, case .setClaim(let name, let value) = mutations[0] {
      #expect(try JSONValue(parsing: payload.bytes)[name] == value)
    }
  }

  @Test func overridesChangeEveryAnswer() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    provider.overrides.tokenResponse = [.set("token_type", .string("mac")), .remove("expires_in")]
    provider.overrides.userinfo = [.set("sub", .string("other"))]
    provider.overrides.discovery = [.remove("jwks_uri")]
    provider.overrides.authorizationResponse = [.remove("state")]
    provider.overrides.keySet = Array("{}".utf8)
    let answer = try await browser.get("/authorize", browser.authorizationRequest())
    #expect(answer.parameters["state"] == nil)
    let code = answer.parameters["code"] ?? ""
    let tokens = try await browser.post("/token", browser.codeRequest(code)).json
    #expect(tokens.text("token_type") == "mac" && tokens["expires_in"] == nil)
    let claims = try await browser.get("/userinfo", bearer: tokens.text("access_token")).json
    #expect(claims.text("sub") == "other")
    #expect(try await browser.get("/.well-known/openid-configuration").json["jwks_uri"] == nil)
    #expect(try await browser.get("/jwks").text == "{}")
  }

  @Test func aRotatedKeySignsFromThenOn() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let key = try SigningKey.generate(algorithm: .es256)
    provider.rotateKey(to: key)
    let token = try CompactJWS(parsing: try await browser.tokens().text("id_token"))
    #expect(token.keyID == key.keyID)
    #expect(try await JSONWebKeySet(parsing: browser.get("/jwks").body).count == 2)
  }

  @Test func aTakenPortSaysSo() throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let error = #expect(throws: LoopbackProviderError.self) {
      _ = try makeProvider { $0.port = provider.port }
    }
    #expect(
      error?.description == "\(provider.issuer) is in use by another program:"
        + " end that program, or use another port")
  }

  @Test func theConfigurationNamesIssuerAndClient() throws {
    let provider = try makeProvider { $0.clients[0].secret = "a\"b\\c" }
    defer { provider.stop() }
    #expect(
      provider.configurationText == """
        # issuer: \(provider.issuer)
        # A development provider: for demonstrations and tests only.
        [namespaces.primary]
        issuer = "\(provider.issuer)"
        clientId = "desktop"
        clientSecret = "a\\"b\\\\c"
        scopes = ["openid", "profile", "email", "offline_access"]

        """)
  }

  @Test(arguments: [
    ("", true), ("/realms/demo", true), ("/a-b._~1", true), ("foo", false), ("/", false),
    ("/a/", false), ("//a", false), ("/a b", false), ("/a?b", false), ("/é", false),
  ])
  func anIssuersPathIsMadeOfSegments(path: String, isRight: Bool) {
    #expect(ProviderConfiguration.isIssuerPath(path) == isRight)
  }
}
