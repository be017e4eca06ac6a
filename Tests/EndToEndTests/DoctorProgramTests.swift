import DevelopmentProvider
import Glibc
import StrictJSON
import TestSupport
import Testing

/// `tokenvault doctor` beside a host, and where there is none.
@Suite(.timeLimit(.minutes(2)))
struct DoctorProgramTests {
  private static func findings(_ result: ToolResult) throws -> [String: [String]] {
    let list = try #require(try JSONValue(parsing: Array(result.outputBytes))["findings"]?.array)
    var found: [String: [String]] = [:]
    for finding in list {
      let check = try #require(finding["check"]?.string)
      found[check, default: []].append(try #require(finding["level"]?.string))
    }
    return found
  }

  @Test func allIsWellBesideAHostWithASession() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let text = try await machine.vault("doctor")
    #expect(text.status == 0, "\(text.output)")
    #expect(text.output.hasSuffix("All is well.\n"))
    #expect(text.error == "")
    let json = try await machine.vault("doctor", "--json")
    #expect(json.status == 0)
    let found = try Self.findings(json)
    #expect(found["host"] == ["fine"] && found["session"] == ["fine"])
    #expect(found.values.joined().allSatisfy { $0 != "problem" })
    #expect(!json.output.contains(try await machine.vault("token").output.dropLast()))
    #expect(await machine.end(host).status == 0)
  }

  @Test func theHostTellsOfItsConfiguration() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    let secret = machine.root.file("secret")
    try machine.configure(
      issuer: provider.issuer,
      """
      redirect = "com.example.app://sign-in/callback"
      clientSecretFile = "\(secret)"
      """)
    let host = try await machine.startHost()
    let sentence = "primary: clientSecretFile: \(secret): open: No such file or directory (ENOENT)"
    #expect(
      host.error.events.contains(
        "tokenvault-host: warning: \(sentence);"
          + " no sign-in and no renewal will succeed before it can be read"))
    let broken = try await machine.vault("doctor")
    #expect(broken.status == 75, "\(broken.output)")
    #expect(broken.output.contains("PROBLEM  \(sentence)\n"))
    #expect(
      broken.output.contains(
        "advice   primary: com.example.app://sign-in/callback has a scheme that any program can"
          + " claim, and what a handler is started with can be seen in /proc\n"
          + "         -> where the provider takes http://127.0.0.1/callback, use that instead\n"))
    // The file is looked for anew.
    try machine.root.write("secret\n", to: "secret", mode: 0o600)
    #expect(try await machine.vault("doctor").status == 0)
    #expect(await machine.end(host).status == 0)
  }

  @Test func withoutAHostItSaysWhatToStart() async throws {
    let machine = try HostMachine()
    let result = try await machine.vault("doctor", "--json")
    #expect(result.status == 69)
    let found = try Self.findings(result)
    #expect(found["host"] == ["problem"] && found["runtime-directory"] == ["advice"])
    #expect(found["state-directory"] == ["advice"])
    #expect(!TestFile.exists(machine.root.file("state")), "nothing is made")
  }

  @Test func aDirectoryThatLetsOthersInIsMendedAsItSays() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    let keys = machine.root.file("keys")
    try TestFile.setMode(0o755, of: keys)
    let broken = try await machine.vault("doctor")
    #expect(broken.status == 77)
    #expect(broken.output.contains("PROBLEM  \(keys): mode 0755 lets others in\n"))
    let mend = "-> run: "
    let line = try #require(
      broken.output.split(separator: "\n").first { $0.contains(mend) && $0.contains(keys) })
    let command = line.drop { $0 != "-" }.dropFirst(mend.count)
    _ = try await ToolRunner.runSuccessfully(ToolRequest("/bin/sh", ["-c", String(command)]))
    #expect(try await machine.vault("doctor").status == 0)
    #expect(await machine.end(host).status == 0)
  }

  @Test(
    .enabled(
      if: !TestFile.exists("/run/user/\(geteuid())"), "needs a user without a session's directory"))
  func aCronJobFindsTheHostAndIsToldOfTheMissingVariable() async throws {
    let machine = try HostMachine()
    let place = machine.root.file("state/run")
    var environment = machine.environment
    environment["TOKENVAULT_RUNTIME_DIR"] = nil
    try machine.root.write("", to: "config.toml")
    let host = try RunningTool(.product("tokenvault-host", environment: environment))
    try await host.error.next { $0 == "tokenvault-host: ready" }
    let result = try await ToolRunner.run(
      .product("tokenvault", ["doctor"], environment: environment))
    #expect(result.output.contains("advice   XDG_RUNTIME_DIR is not set, as in a cron job:"))
    #expect(result.output.contains("fine     \(place) is the runtime directory"))
    #expect(
      result.output.contains("PROBLEM  the host answers, and no namespace is configured\n"))
    #expect(await machine.end(host).status == 0)
  }
}
