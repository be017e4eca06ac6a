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
    #expect(found["provider"] == ["fine"] && found["clock"] == ["fine"])
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

  @Test(arguments: [
    ("Thu, 01 Jan 2015 00:00:00 GMT", "ahead of"), ("Fri, 01 Jan 2100 00:00:00 GMT", "behind"),
  ])
  func aClockThatIsNotTheProvidersIsFound(date: String, side: String) async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    provider.setFaults([FaultRule(.discovery, .always, .date(date))])
    let result = try await machine.vault("doctor")
    #expect(result.status == 75, "\(result.output)")
    let pattern = try Regex(
      "PROBLEM  primary: this machine's clock is [0-9dh]+ \(side) the provider's, which keeps people"
        + " from signing in\n         -> run: sudo timedatectl set-ntp true; if this clock is right,"
        + " tell the provider\n1 problem.\n")
    #expect(result.output.contains(pattern), "\(result.output)")
    #expect(await machine.end(host).status == 0)
  }

  @Test func aProviderThatIsGoneIsFoundAndTheSessionIsNotBlamed() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    provider.stop()
    let result = try await machine.vault("doctor")
    #expect(result.status == 75, "\(result.output)")
    #expect(result.output.contains("fine     primary: signed in\n"))
    #expect(
      result.output.contains(
        "PROBLEM  primary: the provider cannot be reached: no connection to \(provider.issuer)"))
    #expect(result.output.hasSuffix("\n1 problem.\n"))
    #expect(await machine.end(host).status == 0)
  }

  @Test func aRuntimeDirectoryThatLetsOthersInDoesNotMakeTheHostMissing() async throws {
    let machine = try HostMachine()
    try machine.root.write("", to: "config.toml")
    let host = try await machine.startHost()
    let path = machine.root.file("run")
    try TestFile.setMode(0o755, of: path)
    let broken = try await machine.vault("doctor")
    #expect(broken.status == 77)
    #expect(broken.output.contains("PROBLEM  \(path): mode 0755 lets others in\n"))
    #expect(!broken.output.contains("no host is running"))
    #expect(broken.output.hasSuffix("\n1 problem.\n"), "\(broken.output)")
    try TestFile.setMode(0o700, of: path)
    #expect(try await machine.vault("doctor").status == 78, "no namespace is configured")
    #expect(await machine.end(host).status == 0)
  }

  @Test func hostsThatDoNotKnowOfOneAnotherAreFound() async throws {
    let (one, other) = (try HostMachine(), try HostMachine())
    for machine in [one, other] { try machine.root.write("", to: "config.toml") }
    let host = try await one.startHost()
    // The reader looks in another directory than the host has.
    let apart = try await other.vault("doctor")
    #expect(apart.status == 69)
    let parts = apart.output.split(separator: "\n").first {
      $0.hasPrefix("PROBLEM  a host of this user runs (process ")
    }
    #expect(parts?.contains("\(host.identifier)") == true, "\(apart.output)")
    #expect(parts?.hasSuffix("but none in \(other.root.file("run"))") == true)
    let second = try await other.startHost()
    let both = try await other.vault("doctor").output.split(separator: "\n").first {
      $0.contains("hosts of this user run, as the processes ")
    }
    let words = both?.split { " ,:".contains($0) }.compactMap { Int32($0) } ?? []
    #expect(Set(words).isSuperset(of: [host.identifier, second.identifier]), "\(both ?? "")")
    #expect(await one.end(host).status == 0)
    #expect(await other.end(second).status == 0)
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
    #expect(
      result.output.contains(
        "fine     XDG_RUNTIME_DIR is not set, as in a cron job, and the host is found in \(place)\n"
      ))
    #expect(result.output.contains("fine     \(place) is the runtime directory"))
    #expect(
      result.output.contains("PROBLEM  the host answers, and no namespace is configured\n"))
    #expect(await machine.end(host).status == 0)
  }
}
