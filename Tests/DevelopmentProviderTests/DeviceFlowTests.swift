import DevelopmentProvider
import HTTPExchange
import StrictJSON
import Testing

@Suite(.timeLimit(.minutes(1))) struct DeviceFlowTests {
  private func poll(_ browser: ProviderBrowser, _ device: JSONValue) async throws -> HTTPResponse {
    try await browser.post(
      "/token",
      [
        ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"),
        ("client_id", browser.clientID), ("device_code", device.text("device_code")),
      ])
  }

  private func start(_ browser: ProviderBrowser) async throws -> JSONValue {
    try await browser.post(
      "/device_authorization", [("client_id", "desktop"), ("scope", "openid")]
    ).json
  }

  @Test func thePersonsYesGivesTokensOnce() async throws {
    let time = TestTime()
    let provider = try makeProvider {
      $0.approval = .page
      $0.wallTime = { time.now }
    }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let device = try await start(browser)
    #expect(device["interval"]?.integer == 5 && device["expires_in"]?.integer == 600)
    #expect(device.text("verification_uri") == provider.issuer + "/device")
    #expect(try await poll(browser, device).oauthError == "authorization_pending")
    let userCode = device.text("user_code")
    let page = try await browser.get("/device", [("user_code", userCode)])
    #expect(page.text.contains("Does the device show the code \(userCode)?"))
    let typed = userCode.lowercased().filter(\.isLetter)
    #expect(try await browser.post("/device", [("user_code", typed)]).text.contains("connected"))
    time.advance(by: .seconds(5))
    let tokens = try await poll(browser, device).json
    #expect(!tokens.text("refresh_token").isEmpty && !tokens.text("id_token").isEmpty)
    time.advance(by: .seconds(5))
    #expect(try await poll(browser, device).oauthError == "invalid_grant")
  }

  @Test func dv02PollingTooFastLengthensTheInterval() async throws {
    let time = TestTime()
    let provider = try makeProvider {
      $0.approval = .page
      $0.wallTime = { time.now }
    }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let device = try await start(browser)
    #expect(try await poll(browser, device).oauthError == "authorization_pending")
    for interval in [5, 10, 15] {
      time.advance(by: .seconds(interval - 2))
      #expect(try await poll(browser, device).oauthError == "slow_down")
    }
    time.advance(by: .seconds(20))
    #expect(try await poll(browser, device).oauthError == "authorization_pending")
  }

  @Test func dv03ExpiryAndRefusalHaveTheirErrors() async throws {
    let time = TestTime()
    let provider = try makeProvider {
      $0.approval = .page
      $0.wallTime = { time.now }
    }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let refused = try await start(browser)
    #expect(provider.decideDevice(userCode: refused.text("user_code"), approve: false))
    #expect(!provider.decideDevice(userCode: refused.text("user_code"), approve: true))
    #expect(try await poll(browser, refused).oauthError == "access_denied")
    let expired = try await start(browser)
    time.advance(by: .seconds(600))
    #expect(try await poll(browser, expired).oauthError == "expired_token")
  }

  @Test func byItselfTheProviderApprovesAtTheSecondPoll() async throws {
    let time = TestTime()
    let provider = try makeProvider { $0.wallTime = { time.now } }
    defer { provider.stop() }
    let browser = ProviderBrowser(provider)
    let device = try await start(browser)
    #expect(try await poll(browser, device).oauthError == "authorization_pending")
    time.advance(by: .seconds(5))
    #expect(try await poll(browser, device).status == 200)
  }
}
