import DevelopmentProvider
import HTTPExchange
import JOSE
import StrictJSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct TokenEndpointTests {
  @Test func aCodeGivesEveryToken() async throws {
    let provider = try makeProvider { $0.accessTokenLifetime = .seconds(5) }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let answer = try await browser.post("/token", browser.codeRequest(browser.code()))
    #expect(answer.status == 200 && answer.headers["Cache-Control"] == "no-store")
    let tokens = try answer.json
    #expect(tokens.text("token_type") == "Bearer" && tokens["expires_in"]?.integer == 5)
    #expect(tokens.text("scope") == "openid profile email offline_access")
    let keys = try await JSONWebKeySet(parsing: browser.get("/jwks").body)
    let payload = try CompactJWS(parsing: tokens.text("id_token"))
      .verify(allowed: [.es256], keys: keys)
    let claims = try JSONValue(parsing: payload.bytes)
    #expect(claims.text("iss") == provider.issuer && claims.text("aud") == "desktop")
    #expect(claims.text("nonce") == "n-1" && claims.text("sub") == "alice-0001")
    let userinfo = try await browser.get("/userinfo", bearer: tokens.text("access_token")).json
    #expect(userinfo.text("email") == "alice@example.com")
  }

  @Test(arguments: [
    ("code_verifier", String(repeating: "x", count: 43), "invalid_grant"),
    ("code_verifier", "short", "invalid_grant"), ("code_verifier", "", "invalid_request"),
    ("redirect_uri", "http://127.0.0.1:9998/callback", "invalid_grant"),
    ("code", "unknown", "invalid_grant"), ("client_id", "other", "invalid_client"),
    ("grant_type", "password", "unsupported_grant_type"), ("grant_type", "", "invalid_request"),
  ])
  func aWrongParameterIsRefused(name: String, value: String, error: String) async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let request = try await browser.codeRequest(browser.code())
      .map { $0.0 == name ? (name, value) : $0 }
    let answer = try await browser.post("/token", request)
    #expect(answer.status == (error == "invalid_client" ? 401 : 400))
    #expect(answer.oauthError == error)
  }

  @Test func aRepeatedParameterIsRefused() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let request = try await browser.codeRequest(browser.code())
    let answer = try await browser.post("/token", request + [("code", "another")])
    #expect(answer.oauthError == "invalid_request")
  }

  @Test func rp45ACodeUsedTwiceRevokesWhatItGave() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let request = try await browser.codeRequest(browser.code())
    let tokens = try await browser.post("/token", request).json
    #expect(try await browser.post("/token", request).oauthError == "invalid_grant")
    let userinfo = try await browser.get("/userinfo", bearer: tokens.text("access_token"))
    #expect(userinfo.status == 401)
    #expect(
      try await browser.refresh(tokens.text("refresh_token")).oauthError == "invalid_grant")
  }

  @Test func aRefreshRotatesAndAReuseRevokesTheFamily() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let first = try await browser.tokens()
    let second = try await browser.refresh(first.text("refresh_token")).json
    #expect(second.text("refresh_token") != first.text("refresh_token"))
    #expect(second.text("access_token") != first.text("access_token"))
    #expect(!second.text("id_token").isEmpty)
    #expect(provider.counts == counts(refreshes: 1, rotations: 1, grants: 1))
    let reused = try await browser.refresh(first.text("refresh_token"))
    #expect(reused.status == 400 && reused.oauthError == "invalid_grant")
    #expect(
      try await browser.refresh(second.text("refresh_token")).oauthError == "invalid_grant")
    #expect(provider.counts == counts(refreshes: 1, rotations: 1, reuses: 1, grants: 1))
  }

  @Test func aReplacedTokenIsKnownForAsLongAsItsGrantLives() async throws {
    let time = TestTime()
    let provider = try makeProvider { $0.wallTime = { time.now } }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let first = try await browser.tokens().text("refresh_token")
    var latest = try await browser.refresh(first).json.text("refresh_token")
    for _ in 0..<3 {
      time.advance(by: .seconds(3000))
      latest = try await browser.refresh(latest).json.text("refresh_token")
    }
    #expect(try await browser.refresh(first).oauthError == "invalid_grant")
    #expect(provider.counts.reuses == 1)
    #expect(try await browser.refresh(latest).oauthError == "invalid_grant")
  }

  @Test func aGraceLongerThanAnHourIsKept() async throws {
    let time = TestTime()
    let provider = try makeProvider {
      $0.wallTime = { time.now }
      $0.reuseGrace = .seconds(7200)
    }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let first = try await browser.tokens().text("refresh_token")
    #expect(try await browser.refresh(first).status == 200)
    time.advance(by: .seconds(7199))
    #expect(try await browser.refresh(first).status == 200)
    #expect(provider.counts.reuses == 0)
  }

  private func counts(
    refreshes: Int, rotations: Int, reuses: Int = 0, grants: Int
  ) -> ProviderCounts {
    var counts = ProviderCounts()
    counts.refreshes = refreshes
    counts.rotations = rotations
    counts.reuses = reuses
    counts.grants = grants
    return counts
  }

  @Test func withinTheGraceAReplacedTokenIsStillTaken() async throws {
    let provider = try makeProvider { $0.reuseGrace = .seconds(3600) }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let first = try await browser.tokens().text("refresh_token")
    #expect(try await browser.refresh(first).status == 200)
    #expect(try await browser.refresh(first).status == 200)
    #expect(provider.counts.reuses == 0)
  }

  @Test func rf05WithoutRotationTheAnswerHasNoRefreshToken() async throws {
    let provider = try makeProvider {
      $0.rotatesRefreshTokens = false
      $0.issuesIDTokenOnRefresh = false
    }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let token = try await browser.tokens().text("refresh_token")
    for _ in 0..<2 {
      let answer = try await browser.refresh(token).json
      #expect(answer["refresh_token"] == nil && answer["id_token"] == nil)
      #expect(!answer.text("access_token").isEmpty)
    }
  }

  @Test func aRefreshMayNarrowTheScopeAndNotWidenIt() async throws {
    let provider = try makeProvider { $0.rotatesRefreshTokens = false }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let token = try await browser.tokens(scope: "openid profile").text("refresh_token")
    #expect(try await browser.refresh(token, scope: "openid").json.text("scope") == "openid")
    #expect(try await browser.refresh(token, scope: "openid email").oauthError == "invalid_scope")
  }

  @Test func timeEndsCodesAccessTokensAndRefreshTokens() async throws {
    let time = TestTime()
    let provider = try makeProvider {
      $0.wallTime = { time.now }
      $0.accessTokenLifetime = .seconds(5)
      $0.refreshTokenLifetime = .seconds(60)
    }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let late = try await browser.code()
    let tokens = try await browser.tokens()
    time.advance(by: .seconds(4))
    #expect(try await browser.get("/userinfo", bearer: tokens.text("access_token")).status == 200)
    time.advance(by: .seconds(1))
    let expired = try await browser.get("/userinfo", bearer: tokens.text("access_token"))
    #expect(expired.status == 401)
    #expect(
      expired.headers["WWW-Authenticate"]?.hasPrefix("Bearer error=\"invalid_token\"") == true)
    time.advance(by: .seconds(55))
    #expect(
      try await browser.post("/token", browser.codeRequest(late)).oauthError == "invalid_grant")
    #expect(try await browser.refresh(tokens.text("refresh_token")).oauthError == "invalid_grant")
  }

  @Test func aConfidentialClientAuthenticatesInEitherWay() async throws {
    let provider = try makeProvider {
      $0.clients = [
        ProviderClient(
          identifier: "web app", secret: "s:e+c", redirectURIs: ["http://127.0.0.1/callback"])
      ]
    }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider, clientID: "web app")
    let refused = try await browser.post("/token", browser.codeRequest(browser.code()))
    #expect(refused.status == 401 && refused.oauthError == "invalid_client")
    #expect(refused.headers["WWW-Authenticate"] == "Basic realm=\"development\"")
    let post = try await browser.codeRequest(browser.code()) + [("client_secret", "s:e+c")]
    #expect(try await browser.post("/token", post).status == 200)
    // base64("web+app:s%3Ae%2Bc"), RFC 6749 2.3.1
    let basic = [(name: "Authorization", value: "Basic d2ViK2FwcDpzJTNBZSUyQmM=")]
    let request = try await browser.codeRequest(browser.code()).filter { $0.0 != "client_id" }
    #expect(try await browser.post("/token", request, headers: basic).status == 200)
    #expect(try await browser.post("/token", post, headers: basic).oauthError == "invalid_request")
  }

  @Test func aJWTAccessTokenIsSigned() async throws {
    let provider = try makeProvider { $0.accessTokenForm = .jwt }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let token = try await browser.tokens().text("access_token")
    let keys = try await JSONWebKeySet(parsing: browser.get("/jwks").body)
    let jws = try CompactJWS(parsing: token)
    #expect(jws.type == "at+jwt")
    #expect(throws: Never.self) { try jws.verify(allowed: [.es256], keys: keys) }
    #expect(try await browser.get("/userinfo", bearer: token).status == 200)
  }
}
