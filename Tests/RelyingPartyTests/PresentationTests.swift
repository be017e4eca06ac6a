import DevelopmentProvider
import GrantModel
import HostControl
import OIDCClient
import SessionHost
import SessionModel
import TestSupport
import Testing

/// What a person adds to a sign-in is shown to the provider, and nothing is concluded from it.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct PresentationTests {
  private static func request(
    _ parameters: [(String, String)] = [], hint: String? = nil, method: String? = nil
  ) -> HostControl.SignInRequest {
    HostControl.SignInRequest(
      namespace: .primary, flow: .browser, loginHint: hint, loginMethod: method,
      parameters: parameters.map { .init(name: $0.0, value: $0.1) })
  }

  private static func host() async throws -> HostFixture {
    try await HostFixture {
      $0.accounts.append(
        ProviderAccount(subject: "bob-1", name: "Bob", email: "bob@example.com"))
    } client: {
      $0.loginMethods = [
        LoginMethod(name: "google", parameters: [.init(name: "kc_idp_hint", value: "google")])
      ]
    }
  }

  @Test func hintMethodAndParametersReachTheProvider() async throws {
    let host = try await Self.host()
    let url = EventRecorder<String>()
    let end = try await host.signIn(
      Self.request(
        [("ui_locales", "de fr"), ("acr_values", "phr")], hint: "bob@example.com",
        method: "google")
    ) { event in
      if case .authorize(let text, _) = event { url.record(text) }
      try await HostFixture.browse(event)
    }
    #expect(end == .signedIn(.primary))
    #expect(
      url.events[0].hasSuffix(
        "&login_hint=bob%40example.com&ui_locales=de%20fr&acr_values=phr&kc_idp_hint=google"))
    #expect(try host.stored()?.grant?.accountName == "bob@example.com")
    await host.service.stop()
  }

  @Test func anotherAccountThanTheHintedOneIsTaken() async throws {
    // The person has the last word at the provider; the page and the status name who it was.
    let host = try await Self.host()
    let end = try await host.signIn(Self.request(hint: "bob@example.com")) { event in
      guard case .authorize(let url, _) = event else { return }
      try await HostFixture.browse(
        .authorize(url: url.replacing("bob%40example.com", with: "alice%40example.com")))
    }
    #expect(end == .signedIn(.primary))
    #expect(try host.stored()?.grant?.subject == "alice-0001")
    await host.service.stop()
  }

  @Test(arguments: [
    "client_id", "redirect_uri", "response_type", "scope", "state", "nonce", "code_challenge",
    "code_challenge_method", "request_uri",
  ])
  func whatCarriesTheProtocolStartsNoSignIn(name: String) async throws {
    try await Self.host().expectRefusal(
      "the authorization parameter \(name) cannot be set", reason: .configuration, requests: [],
      request: Self.request([(name, "x")]))
  }

  @Test func aLoginMethodThatIsNotConfiguredStartsNoSignIn() async throws {
    try await Self.host().expectRefusal(
      "the configuration has no login method \"github\"; those it has are google",
      reason: .configuration, requests: [], request: Self.request(method: "github"))
  }
}
