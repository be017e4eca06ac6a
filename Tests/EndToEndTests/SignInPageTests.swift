import DevelopmentProvider
import StrictJSON
import TestSupport
import Testing

/// What a person sees in a real browser when a sign-in ends.
@Suite(
  .enabled(
    if: ChromiumBrowser.isInstalled,
    "SKIPPED: no sign-in page was seen in a browser; install chromium and chromium-driver"),
  .timeLimit(.minutes(4)))
struct SignInPageTests {
  @Test func na06ABrowserSaysHowTheSignInEnded() async throws {
    let port = try LoopbackPort.free()
    async let starting = Self.glewlwyd(port)
    let browser = try await ChromiumBrowser.start()

    let provider = try await starting
    var page = try await Self.page("connected", browser, issuer: provider.issuer, port: port) {
      try await browser.signIn($0)
    }
    #expect(page.heading == "Connected")
    #expect(page.text.contains("Alice Example\nat 127.0.0.1:\(provider.port)"), "\(page.text)")
    #expect(page.text.contains("You can close this page."))

    let late = try Self.provider { $0.codeLifetime = .seconds(-1) }
    page = try await Self.page(
      "expired", browser, issuer: late.issuer, failure: "provider-error"
    ) { try await browser.visit($0) }
    #expect(page.heading == "This sign-in has expired")
    #expect(page.text.contains("Try again where you started."))

    let denying = try Self.provider { $0.approval = .denied }
    page = try await Self.page(
      "denied", browser, issuer: denying.issuer, failure: "access-denied"
    ) { try await browser.visit($0) }
    #expect(page.heading == "Access denied")
    #expect(page.text.contains("You or \(Self.host(denying.issuer)) said no"))

    let confused = try Self.provider()
    confused.overrides.userinfo = [.set("sub", .string("bob-0002"))]
    page = try await Self.page(
      "wrong-account", browser, issuer: confused.issuer, failure: "verification-failed"
    ) { try await browser.visit($0) }
    #expect(page.heading == "Wrong account")
    #expect(page.text.contains("Sign out at \(Self.host(confused.issuer)) in this browser."))

    let hostile = try Self.provider()
    let name = "<img src=x><script>document.title='x'</script><h1>Pwned & \"co\"</h1>"
    hostile.overrides.userinfo = [.set("email", .string(name))]
    page = try await Self.page("markup", browser, issuer: hostile.issuer) {
      try await browser.visit($0)
    }
    #expect(page.heading == "Connected")
    #expect(page.text.contains(name + "\nat \(Self.host(hostile.issuer))"), "\(page.text)")
    try await browser.takeNarrowPicture("markup")
    await browser.stop()
  }

  /// Signs in on a machine of its own and returns what the browser shows at the end.
  private static func page(
    _ name: String, _ browser: ChromiumBrowser, issuer: String, port: UInt16? = nil,
    failure: String? = nil, person: (String) async throws -> Void
  ) async throws -> ChromiumPage {
    let redirect = port.map { "redirect = \"http://127.0.0.1:\($0)/callback\"" } ?? ""
    let vault = try VaultInstallation(
      configuration: VaultInstallation.configuration(issuer: issuer, more: redirect))
    let host = try await vault.startHost()
    let signIn = try await vault.signIn(person: person)
    #expect((signIn.status == 0) == (failure == nil), "\(signIn.output)\(signIn.error)")
    if let failure { #expect(signIn.output.contains("\"reason\":\"\(failure)\"")) }
    let page = try await browser.read()
    try await browser.takePictures(name)
    #expect(page.address.hasPrefix("http://127.0.0.1:"))
    #expect(page.title == "\(page.heading) - TokenVault")
    #expect(page.role == "status" && page.language == "en")
    #expect(page.isStyled, "its own style is allowed")
    #expect(page.queryValues >= 2, "there was something to echo")
    #expect(page.echoes.isEmpty, "values of the query stand in the page")
    #expect(page.elements == 0, "nothing that loads, sends or runs")
    #expect(page.requests == [page.address], "nothing but the page itself was asked for")
    host.terminate()
    #expect(await host.result().status == 0)
    return page
  }

  private static func glewlwyd(_ port: UInt16) async throws -> GlewlwydProvider {
    var settings = GlewlwydSettings()
    settings.redirects = ["http://127.0.0.1:\(port)/callback"]
    return try await GlewlwydProvider.start(settings)
  }

  private static func provider(
    _ adjust: (inout ProviderConfiguration) -> Void = { _ in }
  ) throws -> LoopbackProvider {
    var settings = ProviderConfiguration()
    settings.approval = .automatic
    adjust(&settings)
    return try LoopbackProvider(settings)
  }

  /// The host and port of an issuer, as a page names it.
  private static func host(_ issuer: String) -> String {
    String(issuer.split(separator: "/")[1])
  }
}
