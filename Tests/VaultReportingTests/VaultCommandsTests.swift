import CommandRuntime
import Testing
import VaultReporting

@Suite struct VaultCommandsTests {
  private static func invocation(_ words: String...) throws -> CommandInvocation? {
    guard case .run(let invocation) = try OptionParser(VaultCommands.table).parse(words) else {
      return nil
    }
    return invocation
  }

  @Test func theCommandsAreTheDocumentedOnes() {
    #expect(
      VaultCommands.table.commands.map(\.name) == [
        "token", "status", "watch", "run", "git-credential", "sign-in", "sign-out", "forget",
        "lock", "unlock", "renew", "introspect", "deliver", "doctor",
        "simulate", "completions",
      ])
  }

  @Test(arguments: ["token", "run", "git-credential"])
  func theShortTableUnderstandsItsCommandAsTheWholeOneDoes(name: String) throws {
    let whole = try #require(VaultCommands.table.commands.first { $0.name == name })
    #expect(VaultCommands.table(naming: name).commands == [whole])
    #expect(VaultCommands.table(naming: "status") == VaultCommands.table)
    #expect(VaultCommands.table(naming: nil) == VaultCommands.table)
  }

  @Test func tokenTakesItsOptions() throws {
    let invocation = try #require(
      try Self.invocation(
        "token", "-n", "work", "-g", "bots", "--valid-for", "30s", "--format", "header",
        "--no-renew"))
    #expect(invocation.text(VaultCommands.namespace) == "work")
    #expect(invocation.text(VaultCommands.group) == "bots")
    #expect(invocation.duration(VaultCommands.validFor) == .seconds(30))
    #expect(invocation.text(VaultCommands.tokenFormat) == "header")
    #expect(invocation.has(VaultCommands.noRenew))
  }

  @Test func runLeavesItsCommandsOptionsAlone() throws {
    let invocation = try #require(
      try Self.invocation("run", "--token-file", "-n", "work", "--", "curl", "-n", "--help"))
    #expect(invocation.operands == ["curl", "-n", "--help"])
    #expect(invocation.text(VaultCommands.namespace) == "work")
    #expect(invocation.has(VaultCommands.tokenFile))
  }

  @Test func signInTakesParametersMoreThanOnce() throws {
    let invocation = try #require(
      try Self.invocation(
        "sign-in", "work", "--flow", "device", "--login-hint", "ada@example.org",
        "--login-method", "passkey", "--parameter", "prompt=consent", "--parameter",
        "a=b=c"))
    #expect(invocation.operands == ["work"])
    #expect(invocation.text(VaultCommands.loginHint) == "ada@example.org")
    #expect(invocation.text(VaultCommands.loginMethod) == "passkey")
    let parameters = invocation.assignments(VaultCommands.parameter)
    #expect(parameters.map(\.name) == ["prompt", "a"])
    #expect(parameters.map(\.value) == ["consent", "b=c"])
  }

  @Test(arguments: [
    ["token", "--format", "xml"], ["token", "--valid-for", "30"], ["token", "extra"],
    ["watch", "--format", "waybars"], ["sign-in", "--flow", "implicit"],
    ["sign-in", "--parameter", "novalue"], ["renew", "a", "b"], ["run"], ["tokens"], [],
  ])
  func whatIsWrongIsRefused(words: [String]) {
    #expect(throws: UsageError.self) { try OptionParser(VaultCommands.table).parse(words) }
  }

  @Test func helpListsEveryExitCode() {
    let help = HelpText(VaultCommands.table).overview
    for code in ExitCode.allCases {
      #expect(help.contains("\n  \(code.rawValue)"))
    }
  }
}
