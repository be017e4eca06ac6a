import DevelopmentProvider
import StrictJSON
import TestSupport
import Testing

/// `tokenvault-host register` as a person runs it (RFC 7591).
@Suite(.timeLimit(.minutes(2)))
struct RegistrationTests {
  private static let kept = ["primary-registration.json", "primary-client-secret"]

  private static func isEmpty(_ machine: HostMachine) -> Bool {
    kept.allSatisfy { !TestFile.exists(machine.root.file($0)) }
  }

  @Test(arguments: ["none", "basic", "post"])
  func theLinesThatArePrintedSignIn(authentication: String) async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    let result = try await machine.host(
      "register", provider.issuer, "--authentication", authentication)
    #expect(result.status == 0, "\(result.error)")
    let secret = authentication == "none" ? "" : "clientSecretFile = \"primary-client-secret\"\n"
    let method =
      authentication == "none" ? "" : "clientAuthentication = \"\(authentication)\"\n"
    #expect(
      result.output
        == """
        [namespaces.primary]
        issuer = "\(provider.issuer)"
        clientId = "client-1"
        \(secret)\(method)scopes = ["openid", "profile", "offline_access"]

        """)
    let record = try TestFile.text(machine.root.file(Self.kept[0]))
    let management = VaultInstallation.member("registration_access_token", of: record)
    #expect(!management.isEmpty)
    #expect(!(result.output + result.error).contains(management))
    #expect(try TestFile.mode(of: machine.root.file(Self.kept[0])) & 0o777 == 0o600)
    if authentication != "none" {
      let path = machine.root.file(Self.kept[1])
      let secret = try TestFile.text(path).dropLast()
      #expect(secret.count == 43)
      #expect(!(result.output + result.error).contains(secret))
      #expect(try TestFile.mode(of: path) & 0o777 == 0o600)
    }
    try machine.root.write(result.output, to: "config.toml")
    let host = try await machine.startHost()
    let signIn = try await machine.signIn()
    #expect(signIn.status == 0, "\(signIn.error)")
    #expect(await machine.end(host).status == 0)
  }

  @Test func anEarlierRegistrationIsKept() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    #expect(try await machine.host("register", provider.issuer).status == 0)
    let record = try TestFile.text(machine.root.file(Self.kept[0]))
    let again = try await machine.host("register", provider.issuer)
    #expect(again.status == 64)
    #expect(
      again.error
        == "tokenvault-host: error: \(machine.root.file(Self.kept[0])): primary was registered"
        + " before; remove it to register anew, or name another --namespace\n")
    #expect(try TestFile.text(machine.root.file(Self.kept[0])) == record)
    #expect(provider.registrations.count == 1)
    try TestFile.remove(machine.root.file(Self.kept[0]))
    try machine.configure(issuer: provider.issuer)
    let other = try await machine.host("register", provider.issuer, "-n", "work")
    #expect(other.status == 0)
    #expect(!other.error.contains("already"))
    let anew = try await machine.host("register", provider.issuer)
    #expect(anew.status == 0)
    #expect(anew.error.contains("has [namespaces.primary] already: put these lines in its place"))
  }

  @Test func theInitialAccessTokenComesFromAFileOrStandardInput() async throws {
    let provider = try LoopbackProvider.approving { $0.registration = .withToken("initial-1") }
    let machine = try HostMachine()
    let without = try await machine.host("register", provider.issuer)
    #expect(without.status == 77)
    #expect(without.error.hasSuffix("get one there and name it with --token-file\n"))
    #expect(Self.isEmpty(machine))
    try machine.root.write("initial-1\n", to: "token")
    let file = try await machine.host(
      "register", provider.issuer, "--token-file", machine.root.file("token"))
    #expect(file.status == 0, "\(file.error)")
    let program = machine.request("tokenvault-host", []).program
    let command = "echo initial-1 | exec \(program) register \(provider.issuer) -n b --token-file -"
    let piped = try await ToolRunner.run(
      ToolRequest("/bin/sh", ["-c", command], environment: machine.environment))
    #expect(piped.status == 0, "\(piped.error)")
    for result in [without, file, piped] {
      #expect(!(result.output + result.error).contains("initial-1"))
    }
    try TestFile.setMode(0o644, of: machine.root.file("token"))
    let open = try await machine.host(
      "register", provider.issuer, "-n", "c", "--token-file", machine.root.file("token"))
    #expect(open.status == 77)
    #expect(open.error.contains("chmod"))
  }

  @Test func whatIsRefusedLeavesNothing() async throws {
    let provider = try LoopbackProvider.approving()
    provider.overrides.registration = [
      .set("redirect_uris", .array([.string("https://mallory.example/")]))
    ]
    let machine = try HostMachine()
    let changed = try await machine.host("register", provider.issuer)
    #expect(changed.status == 78)
    #expect(changed.output == "")
    #expect(
      changed.error
        == "tokenvault-host: error: the provider's answer failed a check, and nothing of it was"
        + " kept: redirect_uris lacks http://127.0.0.1/callback, which was asked for\n")
    #expect(Self.isEmpty(machine))
    provider.isDown = true
    let down = try await machine.host("register", provider.issuer)
    #expect(down.status == 75, "\(down.error)")
    #expect(Self.isEmpty(machine))
  }

  @Test(arguments: [
    (["http://id.example"], "\"issuer\" in [namespaces.primary] uses http"),
    (["https://id.example", "--redirect", "https://id.example"], "\"redirect\" in [namespaces"),
    (["https://id.example", "--scope", "a\"b"], "which is not one scope"),
    (["https://id.example", "-n", "../x"], "not a namespace"),
    (["https://id.example", "--authentication", "jwt"], "none"),
    (["https://id.example", "--ca-file", "ca.pem"], "absolute"), ([], "ISSUER"),
  ])
  func aWrongCommandLineIsSaidBeforeAnythingIsSent(words: [String], named: String) async throws {
    let machine = try HostMachine()
    let result = try await ToolRunner.run(
      machine.request("tokenvault-host", ["register"] + words))
    #expect(result.status == 64)
    #expect(result.error.contains(named), "\(result.error)")
    #expect(Self.isEmpty(machine))
  }
}
