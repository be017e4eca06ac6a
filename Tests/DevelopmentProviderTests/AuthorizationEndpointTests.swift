import DevelopmentProvider
import HTTPExchange
import Testing

@Suite(.timeLimit(.minutes(1))) struct AuthorizationEndpointTests {
  @Test func theResponseCarriesCodeStateAndIssuer() async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let answer = try await browser.get("/authorize", browser.authorizationRequest())
    #expect(answer.status == 302)
    #expect(answer.headers["Location"]?.hasPrefix(ProviderBrowser.redirectURI + "?") == true)
    #expect(answer.parameters["state"] == "st%201")
    #expect(answer.parameters["iss"] == "http%3A%2F%2F127.0.0.1%3A\(provider.port)")
    #expect(answer.parameters["code"]?.count == 43)
  }

  @Test func thePageHasOneButtonThatGoesOn() async throws {
    let provider = try makeProvider { $0.approval = .page }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let page = try await browser.get("/authorize", browser.authorizationRequest())
    #expect(page.status == 200)
    #expect(page.text.components(of: "<button").count == 2)
    #expect(page.text.contains(">Continue as Alice</button>"))
    let request = try #require(page.text.components(of: "name=\"request\" value=\"").last)
      .prefix { $0 != "\"" }
    let answer = try await browser.post("/authorize", [("request", String(request))])
    #expect(answer.status == 302 && answer.parameters["code"] != nil)
    // The button works once.
    let again = try await browser.post("/authorize", [("request", String(request))])
    #expect(again.status == 400)
  }

  @Test(arguments: [(599, 302), (600, 400)])
  func theButtonWorksForTenMinutes(seconds: Int, status: Int) async throws {
    let time = TestTime()
    let provider = try makeProvider {
      $0.approval = .page
      $0.wallTime = { time.now }
    }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let page = try await browser.get("/authorize", browser.authorizationRequest())
    let request = try #require(page.text.components(of: "name=\"request\" value=\"").last)
      .prefix { $0 != "\"" }
    time.advance(by: .seconds(seconds))
    #expect(try await browser.post("/authorize", [("request", String(request))]).status == status)
  }

  @Test(arguments: [
    ("code_challenge_method", "plain", "invalid_request"),
    ("code_challenge", "", "invalid_request"),
    ("response_type", "token", "unsupported_response_type"),
  ])
  func aWrongRequestGoesBackToTheClient(name: String, value: String, error: String) async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let request = browser.authorizationRequest().map { $0.0 == name ? (name, value) : $0 }
    let answer = try await browser.get("/authorize", request)
    #expect(answer.status == 302)
    #expect(answer.parameters["error"] == error)
    #expect(answer.parameters["state"] == "st%201" && answer.parameters["code"] == nil)
  }

  @Test(arguments: [
    ("client_id", "other"), ("redirect_uri", "http://127.0.0.1:9999/other"),
    ("redirect_uri", "http://evil.example/callback"),
    ("redirect_uri", "http://127.0.0.1@evil.example/callback"),
    ("redirect_uri", "http://127.0.0.1:1@evil.example/callback"),
    ("redirect_uri", "http://127.0.0.1.evil.example/callback"),
    ("redirect_uri", "http://localhost:9999/callback"), ("redirect_uri", ""),
  ])
  func nothingIsSentToAnUnknownAddress(name: String, value: String) async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let request = browser.authorizationRequest().map { $0.0 == name ? (name, value) : $0 }
    let answer = try await browser.get("/authorize", request)
    #expect(answer.status == 400 && answer.headers["Location"] == nil)
  }

  @Test(arguments: [
    "http://127.0.0.1:1/callback", "http://127.0.0.1/callback",
    "http://[::1]:65535/callback",
  ])
  func aLoopbackLiteralMayUseAnyPort(uri: String) async throws {
    let provider = try makeProvider()
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let request = browser.authorizationRequest().map {
      $0.0 == "redirect_uri" ? ("redirect_uri", uri) : $0
    }
    #expect(try await browser.get("/authorize", request).status == 302)
  }

  @Test func arefusalSaysAccessDenied() async throws {
    let provider = try makeProvider { $0.approval = .denied }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let answer = try await browser.get("/authorize", browser.authorizationRequest())
    #expect(answer.parameters["error"] == "access_denied")
  }

  @Test func theHintPicksTheAccount() async throws {
    let provider = try makeProvider {
      $0.accounts.append(ProviderAccount(subject: "b", name: "Bob", email: "bob@example.com"))
    }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let request = browser.authorizationRequest() + [("login_hint", "bob@example.com")]
    let code = try await browser.get("/authorize", request).parameters["code"] ?? ""
    let tokens = try await browser.post("/token", browser.codeRequest(code)).json
    let claims = try await browser.get("/userinfo", bearer: tokens.text("access_token")).json
    #expect(claims.text("sub") == "b" && claims.text("name") == "Bob")
  }
}

extension String {
  /// The parts between the occurrences of a text.
  func components(of separator: String) -> [Substring] { split(separator: separator) }
}
