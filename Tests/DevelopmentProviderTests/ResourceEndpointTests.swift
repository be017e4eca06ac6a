import DevelopmentProvider
import HTTPExchange
import StrictJSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct ResourceEndpointTests {
  @Test func theMetadataNamesTheIssuerExactly() async throws {
    let provider = try makeProvider { $0.issuerPath = "/realms/demo" }
    defer { provider.stop() }
    #expect(provider.issuer == "http://127.0.0.1:\(provider.port)/realms/demo")
    let browser = ProviderBrowser(provider)
    let metadata = try await browser.get("/.well-known/openid-configuration").json
    #expect(metadata.text("issuer") == provider.issuer)
    #expect(metadata.text("token_endpoint") == provider.issuer + "/token")
    #expect(metadata["code_challenge_methods_supported"]?.array == [.string("S256")])
    let tokens = try await browser.tokens()
    #expect(!tokens.text("access_token").isEmpty)
  }

  @Test func aWrongMethodOrPathIsSaidSo() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let method = try await browser.get("/token")
    #expect(method.status == 405 && method.headers["Allow"] == "POST")
    #expect(try await browser.get("/nothing").status == 404)
  }

  @Test func aMissingTokenAndANarrowOneAreChallenged() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let missing = try await browser.get("/userinfo")
    #expect(missing.status == 401)
    #expect(missing.headers["WWW-Authenticate"] == "Bearer realm=\"development\"")
    let narrow = try await browser.tokens(scope: "profile").text("access_token")
    let refused = try await browser.get("/userinfo", bearer: narrow)
    #expect(refused.status == 403)
    #expect(refused.headers["WWW-Authenticate"]?.contains("insufficient_scope") == true)
  }

  @Test func revocationEndsTheWholeGrantAndKnowsNoUnknownToken() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let tokens = try await browser.tokens()
    let unknown = try await browser.post("/revoke", [("client_id", "desktop"), ("token", "x")])
    #expect(unknown.status == 200 && provider.counts.revocations == 0)
    for _ in 0..<2 {
      let answer = try await browser.post(
        "/revoke", [("client_id", "desktop"), ("token", tokens.text("refresh_token"))])
      #expect(answer.status == 200 && provider.counts.revocations == 1)
    }
    #expect(try await browser.refresh(tokens.text("refresh_token")).oauthError == "invalid_grant")
    #expect(try await browser.get("/userinfo", bearer: tokens.text("access_token")).status == 401)
  }

  @Test func revokingAnAccessTokenLeavesTheGrant() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let tokens = try await browser.tokens()
    let answer = try await browser.post(
      "/revoke", [("client_id", "desktop"), ("token", tokens.text("access_token"))])
    #expect(answer.status == 200)
    #expect(try await browser.get("/userinfo", bearer: tokens.text("access_token")).status == 401)
    #expect(try await browser.refresh(tokens.text("refresh_token")).status == 200)
  }

  @Test func introspectionTellsActiveFromWorthless() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let tokens = try await browser.tokens(scope: "openid")
    func introspect(_ token: String) async throws -> JSONValue {
      try await browser.post("/introspect", [("client_id", "desktop"), ("token", token)]).json
    }
    let active = try await introspect(tokens.text("access_token"))
    #expect(active["active"]?.bool == true && active.text("sub") == "alice-0001")
    #expect(try await introspect(tokens.text("refresh_token"))["active"]?.bool == true)
    _ = try await browser.refresh(tokens.text("refresh_token"))
    #expect(
      try await introspect(tokens.text("refresh_token")) == .object(["active": .bool(false)]))
    provider.revokeAllGrants()
    #expect(try await introspect(tokens.text("access_token"))["active"]?.bool == false)
  }
}
