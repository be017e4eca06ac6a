import TestSupport
import Testing

/// The whole chain against Glewlwyd with access tokens that live for five seconds.
@Suite(.timeLimit(.minutes(3)))
struct RealProviderTests {
  @Test func rp01AndRf01BrowserSignInThenAMinuteOfTokensThatTheProviderTakes() async throws {
    let port = try LoopbackPort.free()
    let provider = try await Self.provider(port: port)
    let vault = try Self.vault(provider, port: port)
    let host = try await vault.startHost()
    let signIn = try await vault.signIn { _ = try await provider.signIn(at: $0) }
    #expect(signIn.status == 0, "\(signIn.error)")
    #expect(signIn.output.hasSuffix(#"{"event":"signed-in","namespace":"primary"}"# + "\n"))

    let loop = try await Self.loop(60, vault, provider)
    #expect(loop.output == "60 accepted, 0 refused, 0 missing\n", "\(loop.error)")
    let counts = try provider.counts()
    #expect(counts.signIns == 1)
    #expect(counts.renewals >= 12, "five-second tokens were renewed \(counts.renewals) times")
    #expect(counts.refreshTokens == counts.signIns + counts.renewals, "each renewal rotates")
    #expect(counts.refusals == 0, "a refresh token was used twice")
    host.terminate()
    #expect(await host.result().status == 0)
  }

  @Test func dv01DeviceSignIn() async throws {
    let provider = try await GlewlwydProvider.start()
    let vault = try VaultInstallation(
      configuration: VaultInstallation.configuration(issuer: provider.issuer))
    let host = try await vault.startHost()
    let signIn = try await vault.signIn(
      ["--flow", "device"], member: "verificationUriComplete"
    ) { try await provider.approveDevice(at: $0) }
    #expect(signIn.status == 0, "\(signIn.error)")
    let token = try await vault.tokenvault("token")
    #expect(token.status == 0)
    #expect(token.output.count > 20)
    host.terminate()
    #expect(await host.result().status == 0)
  }

  @Test func rf14AKilledHostGoesOnWithoutASignIn() async throws {
    let port = try LoopbackPort.free()
    let provider = try await Self.provider(port: port)
    let vault = try Self.vault(provider, port: port)
    let first = try await vault.startHost()
    let signIn = try await vault.signIn { _ = try await provider.signIn(at: $0) }
    #expect(signIn.status == 0)
    first.kill()
    _ = await first.result()
    let stale = try await vault.tokenvault("status", "--json")
    #expect(VaultInstallation.member("host", of: stale.output) == "stale")
    let second = try await vault.startHost()
    try await second.error.next { $0.contains("renewed, generation") }
    try await second.error.next { $0.contains("renewed, generation") }
    let token = try await vault.tokenvault("token", "--valid-for", "1s")
    #expect(token.status == 0)
    let counts = try provider.counts()
    #expect(counts.signIns == 1)
    #expect(counts.refusals == 0)
    second.terminate()
    #expect(await second.result().status == 0)
  }

  @Test func rf10AnOutageIsSaidAndOutlived() async throws {
    let port = try LoopbackPort.free()
    let provider = try await Self.provider(port: port)
    let vault = try Self.vault(provider, port: port)
    let host = try await vault.startHost()
    let signIn = try await vault.signIn { _ = try await provider.signIn(at: $0) }
    #expect(signIn.status == 0)
    let watch = try vault.start("watch", "--format", "json")
    try await watch.output.next { VaultInstallation.member("host", of: $0) == "ok" }
    try await provider.down()
    try await watch.output.next { VaultInstallation.member("host", of: $0) == "offline" }
    try await watch.output.next { VaultInstallation.member("session", of: $0) == "expired" }
    let missing = try await vault.tokenvault("token")
    #expect(missing.status == 75)
    #expect(missing.output.isEmpty)
    let loop = try await Self.loop(15, vault, provider)
    #expect(loop.output.hasPrefix("0 accepted, 0 refused, "), "nothing that looks like a token")
    try await provider.up()
    try await watch.output.next {
      VaultInstallation.member("host", of: $0) == "ok"
        && VaultInstallation.member("session", of: $0) == "valid"
    }
    let token = try await vault.tokenvault("token")
    #expect(token.status == 0)
    #expect(try provider.counts().signIns == 1)
    watch.terminate()
    #expect(await watch.result().exit == .signal(15))
    host.terminate()
    #expect(await host.result().status == 0)
  }

  @Test func lo03SignOutRevokesAtTheProvider() async throws {
    let port = try LoopbackPort.free()
    let provider = try await Self.provider(port: port)
    let vault = try Self.vault(
      provider, port: port, clientId: GlewlwydSettings.confidentialClient,
      more: "clientSecret = \"\(GlewlwydSettings.clientSecret)\"")
    let host = try await vault.startHost()
    let signIn = try await vault.signIn { _ = try await provider.signIn(at: $0) }
    #expect(signIn.status == 0, "\(signIn.error)")
    let signOut = try await vault.tokenvault("sign-out", "primary", "--json")
    #expect(signOut.output.contains(#""revocation":"done""#), "\(signOut.output)\(signOut.error)")
    #expect(signOut.status == 0)
    let token = try await vault.tokenvault("token")
    #expect(token.status == 81)
    #expect(token.output.isEmpty)
    let status = try await vault.tokenvault("status", "--json")
    #expect(VaultInstallation.member("session", of: status.output) == "signed-out")
    host.terminate()
    #expect(await host.result().status == 0)
  }

  private static func provider(port: UInt16) async throws -> GlewlwydProvider {
    var settings = GlewlwydSettings()
    settings.redirects = ["http://127.0.0.1:\(port)/callback"]
    return try await GlewlwydProvider.start(settings)
  }

  private static func vault(
    _ provider: GlewlwydProvider, port: UInt16,
    clientId: String = GlewlwydSettings.publicClient, more: String = ""
  ) throws -> VaultInstallation {
    try VaultInstallation(
      configuration: VaultInstallation.configuration(
        issuer: provider.issuer, clientId: clientId,
        more: "redirect = \"http://127.0.0.1:\(port)/callback\"\n" + more))
  }

  /// Asks for a token once a second and shows each to the provider.
  private static func loop(
    _ seconds: Int, _ vault: VaultInstallation, _ provider: GlewlwydProvider
  ) async throws -> ToolResult {
    try await ToolRunner.run(
      ToolRequest(
        "\(PackageLayout.root)/Tests/Providers/token-loop",
        ["\(seconds)", PackageLayout.product("tokenvault"), provider.issuer + "/userinfo"],
        environment: vault.environment, limit: .seconds(150)))
  }
}
