import DevelopmentProvider
import TestSupport
import Testing

/// `tokenvault introspect` as a person runs it (RFC 7662).
@Suite(.timeLimit(.minutes(2)))
struct IntrospectionTests {
  @Test func theAnswerAndTheCodeSayWhetherTheTokenIsGood() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let unreachable = try await machine.vault("introspect")
    #expect(unreachable.status == 69)
    let host = try await machine.startHost(["--verbose"])
    let absent = try await machine.vault("introspect")
    #expect(absent.status == 81)
    #expect(absent.error.contains("tokenvault sign-in primary"))
    #expect(try await machine.signIn().status == 0)

    let good = try await machine.vault("introspect")
    #expect(good.status == 0, "\(good.error)")
    #expect(good.output.hasPrefix("active   yes\naccount  Alice\n"))
    #expect(good.output.contains("\nscope    openid profile offline_access\n"))
    let json = try await machine.vault("introspect", "primary", "--json")
    #expect(json.status == 0)
    #expect(json.output.hasPrefix(#"{"namespace":"primary","active":true,"scope":"openid"#))
    #expect(VaultInstallation.member("subject", of: json.output) == "alice-0001")
    #expect(json.output.hasSuffix("}\n"))

    let token = try await machine.vault("token").output.dropLast()
    provider.revokeAllGrants()
    let bad = try await machine.vault("introspect")
    #expect(bad.status == 80)
    #expect(bad.output == "active  no\n")
    #expect(bad.error.contains("tokenvault renew primary"))
    let other = try await machine.vault("introspect", "other")
    #expect(other.status == 78)
    let ended = await machine.end(host)
    #expect(token.count == 43)
    for text in [good, json, bad].map({ $0.output + $0.error }) + [ended.error] {
      #expect(!text.contains(token))
    }
  }

  @Test func aProviderThatDoesNotTellIsAMatterOfItsConfiguration() async throws {
    let provider = try LoopbackProvider.approving()
    provider.overrides.discovery = [.remove("introspection_endpoint")]
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let result = try await machine.vault("introspect")
    #expect(result.status == 78)
    #expect(result.output == "")
    #expect(
      result.error
        == "tokenvault: error: the host: the provider names no introspection_endpoint\n")
    #expect(await machine.end(host).status == 0)
  }
}
