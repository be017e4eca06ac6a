import HTTPExchange
import TestSupport
import Testing

/// What a client does beside sessions, at providers that people run: registration (RFC 7591),
/// pushed requests (RFC 9126), introspection (RFC 7662) and logout.
@Suite(.timeLimit(.minutes(3)))
struct RealClientTests {
  @Test func pr01AClientThatRegisteredItselfPushesItsRequestsAndAsksAboutItsToken() async throws {
    let redirect = "http://127.0.0.1:\(try LoopbackPort.free())/callback"
    var settings = GlewlwydSettings()
    settings.requiresPushedRequests = true
    settings.registration = .open
    settings.accessTokenLifetime = .seconds(120)
    let provider = try await GlewlwydProvider.start(settings)
    let vault = try VaultInstallation(configuration: "")
    let registered = try await vault.host(
      "register", provider.issuer, "--redirect", redirect)
    #expect(registered.status == 0, "\(registered.error)")
    // It does not list clients without a secret, and refuses the sign-ins of those that it makes.
    #expect(registered.output.contains("clientSecretFile = \"primary-client-secret\""))
    #expect(registered.output.contains("redirect = [\"\(redirect)\"]"))
    try vault.directory.write(registered.output, to: "config.toml")

    let host = try await vault.startHost()
    let signIn = try await vault.signIn { url in
      let names = url.split(separator: "?").last?.split(separator: "&").map {
        $0.prefix { $0 != "=" }
      }
      #expect(names == ["client_id", "request_uri"])
      _ = try await provider.signIn(at: url)
    }
    #expect(signIn.status == 0, "\(signIn.error)")
    let good = try await vault.tokenvault("introspect", "--json")
    #expect(good.status == 0, "\(good.error)")
    #expect(good.output.contains(#""active":true"#), "\(good.output)")
    let token = try await vault.tokenvault("token").output.dropLast()
    #expect(token.count > 20)
    #expect(!good.output.contains(token))
    host.terminate()
    #expect(await host.result().status == 0)
  }

  @Test func anInitialAccessTokenComesFromAnotherSession() async throws {
    let redirect = "http://127.0.0.1:\(try LoopbackPort.free())/callback"
    var settings = GlewlwydSettings()
    settings.redirects = [redirect]
    settings.registration = .withScope("email")
    settings.accessTokenLifetime = .seconds(120)
    let provider = try await GlewlwydProvider.start(settings)
    let vault = try VaultInstallation(
      configuration: """
        [namespaces.primary]
        issuer = "\(provider.issuer)"
        clientId = "\(GlewlwydSettings.publicClient)"
        scopes = ["openid", "email"]
        redirect = "\(redirect)"
        """)
    let refused = try await vault.host("register", provider.issuer, "-n", "work")
    #expect(refused.status == 77, "\(refused.error)")
    let host = try await vault.startHost()
    let signIn = try await vault.signIn { _ = try await provider.signIn(at: $0) }
    #expect(signIn.status == 0, "\(signIn.error)")
    let command = """
      \(PackageLayout.product("tokenvault")) token | \(PackageLayout.product("tokenvault-host")) \
      register \(provider.issuer) -n work --redirect \(redirect) --token-file -
      """
    let registered = try await ToolRunner.run(
      ToolRequest("/bin/sh", ["-c", command], environment: vault.environment))
    #expect(registered.status == 0, "\(registered.error)")
    #expect(registered.output.hasPrefix("[namespaces.work]\n"))
    // Its own introspection is for clients with a secret.
    let introspection = try await vault.tokenvault("introspect")
    #expect(introspection.status == 78)
    #expect(
      introspection.error.hasSuffix(
        "the provider does not let a public client ask about tokens\n"), "\(introspection.error)")
    host.terminate()
    #expect(await host.result().status == 0)
  }

  @Test(
    .enabled(if: DjangoProvider.python != nil, "needs .build/venv: run 'make test-prerequisites'"))
  func lo01TheBrowsersSessionEndsAtTheProviderAndComesBack() async throws {
    let provider = try await DjangoProvider.start(accessTokenLifetime: .seconds(120))
    let vault = try VaultInstallation(
      configuration: VaultInstallation.configuration(
        issuer: provider.issuer, clientId: DjangoProvider.publicClient))
    let host = try await vault.startHost()
    let signIn = try await vault.signIn { _ = try await provider.signIn(at: $0) }
    #expect(signIn.status == 0, "\(signIn.error)")
    let signOut = try vault.start("sign-out", "primary", "--browser", "--no-browser", "--json")
    let event = try await signOut.output.next()
    let departure = VaultInstallation.member("url", of: event)
    let answer = try await HTTPClient().send(HTTPRequest(url: departure))
    let logout = try #require(answer.headers["Location"])
    #expect(logout.hasPrefix(provider.issuer + "/logout/?id_token_hint="))
    let back = try await provider.signIn(at: logout)
    #expect(back.hasPrefix("http://127.0.0.1:"))
    let result = await signOut.result()
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.hasSuffix(#"{"event":"signed-out","revocation":"done"}"# + "\n"))
    host.terminate()
    let ended = await host.result()
    #expect(ended.error.contains("primary: the session at the provider has ended"))
  }

  @Test(
    .enabled(if: DjangoProvider.python != nil, "needs .build/venv: run 'make test-prerequisites'"))
  func aConfidentialClientAsksAboutItsToken() async throws {
    let provider = try await DjangoProvider.start(accessTokenLifetime: .seconds(120))
    let vault = try VaultInstallation(
      configuration: VaultInstallation.configuration(
        issuer: provider.issuer, clientId: DjangoProvider.confidentialClient,
        more: "clientSecret = \"\(DjangoProvider.clientSecret)\""))
    let host = try await vault.startHost()
    let signIn = try await vault.signIn { _ = try await provider.signIn(at: $0) }
    #expect(signIn.status == 0, "\(signIn.error)")
    let good = try await vault.tokenvault("introspect", "--json")
    #expect(good.status == 0, "\(good.error)")
    #expect(VaultInstallation.member("username", of: good.output) == "bob")
    #expect(
      VaultInstallation.member("clientId", of: good.output) == DjangoProvider.confidentialClient)
    host.terminate()
    #expect(await host.result().status == 0)
  }
}
