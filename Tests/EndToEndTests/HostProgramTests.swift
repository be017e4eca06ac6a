import DevelopmentProvider
import TestSupport
import Testing

/// What the built `tokenvault-host` says and ends with before it serves anybody.
@Suite(.timeLimit(.minutes(2)))
struct HostProgramTests {
  private static let issuer = "https://id.example"

  @Test func helpAndVersionGoToStandardOutput() async throws {
    let machine = try HostMachine()
    let help = try await machine.host("--help")
    #expect(help.status == 0)
    #expect(help.error == "")
    #expect(help.output.hasPrefix("Usage: tokenvault-host [OPTION]...\n"))
    for option in ["--config FILE", "--once", "--sign-out NS", "--verbose", "example-config"] {
      #expect(help.output.contains(option), "\(option)")
    }
    #expect(help.output.contains("access tokens to widgets.\n"))
    let version = try await machine.host("--version")
    #expect(version.status == 0)
    let other = try await machine.vault("--version")
    #expect(other.output.hasPrefix("tokenvault "))
    #expect(version.output == "tokenvault-host " + other.output.dropFirst("tokenvault ".count))
    let example = try await machine.host("example-config", "--help")
    #expect(example.status == 0)
    #expect(example.output.contains("google, microsoft, github, keycloak, generic"))
    #expect(!TestFile.exists(machine.root.file("state")), "nothing is made for a question")
  }

  @Test func anAnswerThatCannotBeWrittenIsAFailure() async throws {
    let machine = try HostMachine()
    let program = machine.request("tokenvault-host", []).program
    let result = try await ToolRunner.run(
      ToolRequest("/bin/sh", ["-c", "exec \(program) --help > /dev/full"]))
    #expect(result.status == 73)
    #expect(
      result.error
        == "tokenvault-host: error: standard output: write: No space left on device (ENOSPC)\n")
  }

  @Test(arguments: ["--help", "--version", "example-config generic"])
  func aClosedStandardOutputIsAFailure(command: String) async throws {
    let machine = try HostMachine()
    let program = machine.request("tokenvault-host", []).program
    let result = try await ToolRunner.run(
      ToolRequest("/bin/sh", ["-c", "exec '\(program)' \(command) >&-"]))
    #expect(result.status == 73)
    #expect(
      result.error
        == "tokenvault-host: error: standard output: write: Bad file descriptor (EBADF)\n")
  }

  @Test(arguments: ["google", "microsoft", "github", "keycloak"])
  func anExampleIsAConfigurationThatWorks(provider: String) async throws {
    let machine = try HostMachine()
    let example = try await machine.host("example-config", provider)
    #expect(example.status == 0)
    #expect(example.error == "")
    try machine.root.write(example.output, to: "config.toml")
    // Nobody is signed in, so nothing is asked of the provider.
    let once = try await machine.host("--once")
    #expect(once.status == 0, "\(once.error)")
  }

  @Test(arguments: [
    (["--onze"], "\"--once\""), (["example-config"], "PROVIDER"),
    (["example-config", "yahoo"], "google"),
    (["--sign-out", "../x"], "namespace"), (["--sign-out"], "NS"), (["serve"], "serve"),
    (["--once=1"], "no value"),
  ])
  func aWrongCommandLineIsSaidWithTheMend(words: [String], named: String) async throws {
    let machine = try HostMachine()
    let result = try await ToolRunner.run(machine.request("tokenvault-host", words))
    #expect(result.status == 64)
    #expect(result.output == "")
    #expect(result.error.hasPrefix("tokenvault-host: error: "), "\(result.error)")
    #expect(result.error.contains(named), "\(result.error)")
    #expect(!TestFile.exists(machine.root.file("state")))
  }

  @Test(arguments: [
    ("issuers = \"https://id.example\"", 5, "issuer"), ("renewBefore = 60", 5, "renewBefore"),
    ("accessGroups = \"default\"", 5, "accessGroups"), ("accessGroups = [\"../x\"]", 5, "../x"),
    ("[namespaces.\"../x\"]", 5, "../x"), ("= nonsense", 5, ""),
  ])
  func aWrongConfigurationIsSaidWithItsLine(line: String, number: Int, named: String) async throws {
    let machine = try HostMachine()
    try machine.configure(issuer: Self.issuer, line)
    let result = try await machine.host()
    #expect(result.status == 78)
    #expect(result.output == "")
    let file = machine.root.file("config.toml")
    let place = "tokenvault-host: error: \(file):\(number): "
    #expect(result.error.hasPrefix(place), "\(result.error)")
    #expect(result.error.contains(named), "\(result.error)")
    #expect(!TestFile.exists(machine.root.file("state")), "nothing is touched")
  }

  @Test(arguments: ["http://id.example", "http://192.0.2.1", "ftp://127.0.0.1", "id.example"])
  func anIssuerThatIsNeitherHTTPSNorLoopbackIsRefused(issuer: String) async throws {
    let machine = try HostMachine()
    try machine.configure(issuer: issuer)
    let result = try await machine.host()
    #expect(result.status == 78)
    #expect(
      result.error.hasPrefix(
        "tokenvault-host: error: \(machine.root.file("config.toml")):2: "), "\(result.error)")
    #expect(result.error.contains("https"), "\(result.error)")
  }

  @Test func aConfigurationThatWasNamedHasToBeThere() async throws {
    let machine = try HostMachine()
    let result = try await machine.host("--config", "/nowhere/config.toml")
    #expect(result.status == 78)
    #expect(
      result.error
        == "tokenvault-host: error: /nowhere/config.toml: there is no such file; make it from"
        + " tokenvault-host example-config google|microsoft|github|keycloak|generic\n")
  }

  @Test func withoutAConfigurationTheHostIdlesAndSaysWhereToStart() async throws {
    let machine = try HostMachine()
    let tool = try await machine.startHost()
    let status = try await machine.vault("status")
    #expect((status.output + status.error).contains("tokenvault-host example-config"))
    #expect(tool.isRunning)
    let result = await machine.end(tool)
    #expect(result.status == 0)
    #expect(
      result.error.hasPrefix(
        "tokenvault-host: warning: \(machine.root.file("config.toml")): no configuration; start"
          + " from tokenvault-host example-config google|microsoft|github|keycloak|generic\n"))
  }

  @Test func aDirectoryThatIsNoAbsolutePathIsNotPassedOverInSilence() async throws {
    let machine = try HostMachine()
    try machine.configure(issuer: Self.issuer)
    let result = try await ToolRunner.run(
      machine.request(
        "tokenvault-host", ["--once"],
        environment: ["HOME": machine.root.path, "TOKENVAULT_STATE_DIR": "state"]))
    #expect(
      result.error.hasPrefix(
        "tokenvault-host: warning: TOKENVAULT_STATE_DIR is not an absolute path and counts as"
          + " unset; set it to one\n"), "\(result.error)")
  }

  @Test func nothingOfTheHostTakesTheNumberOfAClosedStream() async throws {
    let machine = try HostMachine()
    let program = machine.request("tokenvault-host", []).program
    let tool = try RunningTool(
      ToolRequest(
        "/bin/sh", ["-c", "exec '\(program)' <&- >&-"], environment: machine.environment))
    try await tool.error.next { $0 == "tokenvault-host: ready" }
    for number in 0...1 {
      #expect(SymbolicLink.target("/proc/\(tool.identifier)/fd/\(number)") == "/dev/null")
    }
    #expect(await machine.end(tool).status == 0)
  }

  @Test func rf07AndCs02ASecondHostSaysSoInOneSentenceAndTakesNothing() async throws {
    let machine = try HostMachine()
    try machine.configure(issuer: Self.issuer)
    let first = try await machine.startHost()
    let signOut = try await machine.host("--sign-out", "primary")
    #expect(signOut.status == 75)
    #expect(
      signOut.error
        == "tokenvault-host: error: primary: not signed out here, as a host is running;"
        + " run: tokenvault sign-out primary\n")
    for arguments in [[], ["--once"]] {
      let second = try await ToolRunner.run(machine.request("tokenvault-host", arguments))
      #expect(second.status == 75)
      #expect(second.error.split(separator: "\n").count == 1, "\(second.error)")
      #expect(
        second.error.hasPrefix(
          "tokenvault-host: error: \(machine.root.file("state")): another tokenvault-host is"
            + " running here; stop it"))
    }
    let other = try await ToolRunner.run(
      machine.request(
        "tokenvault-host", [], environment: ["TOKENVAULT_STATE_DIR": machine.root.file("other")]))
    #expect(other.status == 75)
    #expect(other.error.contains("\(machine.root.file("run")): another tokenvault-host"))
    #expect(first.isRunning)
    let status = try await machine.vault("status", "--json")
    #expect(status.output.contains("\"host\":\"ok\""), "the socket is still the first one's")
    #expect(try TestFile.mode(of: machine.root.file("run")) == 0o700)
    #expect(try TestFile.mode(of: machine.root.file("run/host.sock")) == 0o600)
    #expect(await machine.end(first).status == 0)
  }

  @Test(arguments: ["state", "keys", "run", "keys/master.key", "state/store", "run/host.lock"])
  func fs01AModeThatLetsOthersInIsRefusedWithTheMend(name: String) async throws {
    let machine = try HostMachine()
    try machine.configure(issuer: Self.issuer)
    #expect(try await machine.host("--once").status == 0)
    let path = machine.root.file(name)
    let right = try TestFile.mode(of: path)
    try TestFile.setMode(right | 0o044, of: path)
    let result = try await machine.host()
    #expect(result.status == 77)
    #expect(
      result.error
        == "tokenvault-host: error: \(path): mode 0\(String(right | 0o044, radix: 8)) lets others"
        + " in; run: chmod 0\(String(right, radix: 8)) '\(path)'\n")
    try TestFile.setMode(right, of: path)
    #expect(try await machine.host("--once").status == 0, "nothing was lost")
  }

  @Test func fs02AKeyFileOfAnotherKindIsRefused() async throws {
    let machine = try HostMachine()
    try machine.configure(issuer: Self.issuer)
    #expect(try await machine.host("--once").status == 0)
    let key = try machine.root.read("keys/master.key")
    try machine.root.write("not a key", to: "keys/master.key")
    let result = try await machine.host()
    #expect(result.status == 77)
    #expect(
      result.error
        == "tokenvault-host: error: \(machine.root.file("keys/master.key")): not a master key of"
        + " TokenVault; put the right one back, or move this one away and sign in again\n")
    #expect(try machine.root.read("keys/master.key") == Array("not a key".utf8))
    try machine.root.write(key, to: "keys/master.key")
    #expect(try await machine.host("--once").status == 0)
  }

  @Test func withoutAHomeTheVariableIsNamed() async throws {
    let machine = try HostMachine()
    let result = try await ToolRunner.run(
      .product("tokenvault-host", ["--once"], environment: ["PATH": "/bin"]))
    #expect(result.status == 78)
    #expect(
      result.error
        == "tokenvault-host: error: neither TOKENVAULT_CONFIG, XDG_CONFIG_HOME nor HOME is set;"
        + " name --config FILE\n")
    withExtendedLifetime(machine) {}
  }
}
