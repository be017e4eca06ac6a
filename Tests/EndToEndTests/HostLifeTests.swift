import DevelopmentProvider
import FileSupport
import TestSupport
import Testing

/// The built `tokenvault-host` at work, and how it ends.
@Suite(.timeLimit(.minutes(2)))
struct HostLifeTests {
  @Test func anIssuerThatCannotBeReachedKeepsNobodyFromStarting() async throws {
    let machine = try HostMachine()
    try machine.configure(issuer: "http://127.0.0.1:\(try LoopbackPort.free())")
    let host = try await machine.startHost()
    let status = try await machine.vault("status", "--json")
    #expect(status.output.contains("\"session\":\"absent\",\"host\":\"ok\""), "\(status.output)")
    let signIn = try await machine.signIn()
    #expect(signIn.output.contains("\"reason\":\"offline\""), "\(signIn.output)")
    #expect(host.isRunning)
    #expect(await machine.end(host).status == 0)
  }

  @Test func aSessionSurvivesARestartAndAnOutage() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let first = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let token = try await machine.vault("token")
    #expect(token.status == 0)
    first.kill()
    _ = await first.result()
    provider.isDown = true
    let second = try await machine.startHost()
    #expect(try await machine.vault("token").output == token.output)
    #expect(try await machine.vault("renew", "primary").status != 0)
    let offline = try await machine.vault("status", "--json")
    #expect(offline.output.contains("\"session\":\"valid\",\"host\":\"offline\""))
    provider.isDown = false
    // A second passes before a caller may hurry the host on; its own back-off does the same.
    try await provider.waitForRequests(provider.count(of: .token) + 1, at: .token)
    _ = try await machine.vault("renew", "primary")
    let renewed = try await machine.vault("token")
    #expect(renewed.status == 0)
    #expect(renewed.output != token.output)
    #expect(provider.counts.grants == 1)
    #expect(provider.counts.reuses == 0)
    #expect(await machine.end(second).status == 0)
  }

  @Test func aSnapshotThatSomebodyRemovedIsPublishedAnewForWhoAsks() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    let never = try await machine.vault("token")
    #expect(never.status == 66)
    #expect(try await machine.vault("token", "-n", "other").status == 78)
    #expect(try await machine.signIn().status == 0)
    let before = try await machine.vault("token")
    try TestFile.remove(machine.root.file("run/groups/default/ns/primary/session"))
    #expect(try await machine.vault("token", "--no-renew").status == 66)
    let after = try await machine.vault("token")
    #expect(after.status == 0, "\(after.error)")
    #expect(after.output == before.output)
    #expect(provider.counts.refreshes == 0)
    #expect(await machine.end(host).status == 0)
  }

  @Test(arguments: ["watch --once", "status", "renew", "token --help"])
  func aClosedStandardOutputIsNamedAndNothingElseIsWrittenTo(command: String) async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let program = PackageLayout.product("tokenvault")
    let result = try await ToolRunner.run(
      ToolRequest(
        "/bin/sh", ["-c", "exec '\(program)' \(command) >&-"], environment: machine.environment))
    #expect(
      result.error
        == "tokenvault: error: standard output: write: Bad file descriptor (EBADF)\n")
    #expect(result.status == 73)
    #expect(await machine.end(host).status == 0)
  }

  @Test func runGivesItsCommandTheTokenByVariableOrByFile() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let token = try await machine.vault("token").output
    let variable = try await machine.vault("run", "--", "sh", "-c", "echo $ACCESS_TOKEN; exit 7")
    #expect(variable.output == token)
    #expect(variable.status == 7)
    let script = "cat \"$BEARER_TOKEN_FILE\"; cat <\"$BEARER_TOKEN_FILE\"; echo $ACCESS_TOKEN"
    let file = try await machine.vault("run", "--token-file", "--", "sh", "-c", script)
    #expect(file.output == token.dropLast() + token, "\(file.error)")
    #expect(file.status == 0)
    #expect(await machine.end(host).status == 0)
  }

  @Test func onceRenewsWhatIsDueAndSaysWhatItCouldNot() async throws {
    let provider = try LoopbackProvider.approving(lifetime: .seconds(4))
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    #expect(await machine.end(host).status == 0)
    // What readers take no more is due; the provider's clock is the system's.
    while try await machine.vault("token", "--no-renew").status == 0 {}
    let before = provider.counts.refreshes
    let once = try await machine.host("--once")
    #expect(once.status == 0, "\(once.error)")
    #expect(provider.counts.refreshes == before + 1)
    while try await machine.vault("token", "--no-renew").status == 0 {}
    provider.isDown = true
    let failed = try await machine.host("--once")
    #expect(failed.status == 75)
    #expect(failed.error.contains("primary: the provider cannot be reached"), "\(failed.error)")
    provider.isDown = false
    #expect(try await machine.host("--once").status == 0)
    #expect(provider.counts.reuses == 0)
  }

  @Test func signOutWorksWithoutAHostAndWithoutAProvider() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let unknown = try await machine.host("--sign-out", "work")
    #expect(unknown.status == 78)
    #expect(
      unknown.error == "tokenvault-host: error: the configuration has no [namespaces.work]\n")
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    #expect(await machine.end(host).status == 0)
    provider.isDown = true
    let pending = try await machine.host("--sign-out", "primary")
    #expect(pending.status == 75)
    #expect(
      pending.error.contains(
        "primary: the provider will be told when it can be reached"))
    #expect(try await machine.vault("token").status == 81)
    #expect(provider.counts.revocations == 0)
    provider.isDown = false
    let done = try await machine.host("--sign-out", "primary")
    #expect(done.status == 0, "\(done.error)")
    #expect(provider.counts.revocations == 1)
  }

  @Test func verboseReportsEachStepAndNoToken() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost(["--verbose"])
    #expect(try await machine.signIn().status == 0)
    // Within a second the token of the sign-in is called new enough.
    while provider.counts.refreshes == 0 { _ = try await machine.vault("renew", "primary") }
    let token = try await machine.vault("token").output.dropLast()
    #expect(try await machine.vault("sign-out", "primary").status == 0)
    let log = await machine.end(host).error
    for step in [
      "asked over the control socket: sign-in", "primary: signed in at \(provider.issuer)",
      "primary: published generation 1", "primary: asking the provider to renew the session",
      "primary: renewed, generation 2", "primary: asking the provider to revoke a grant",
      "primary: signed out", "stopping",
    ] {
      #expect(log.contains(step), "\(step)")
    }
    #expect(token.utf8.count > 20)
    #expect(!log.contains(token.prefix(12)))
    #expect(!log.contains("eyJ"), "no ID token")
  }

  @Test func sv07TheEndDuringARenewalIsQuickAndTheNextStartGoesOn() async throws {
    let provider = try LoopbackProvider.approving(lifetime: .seconds(2)) {
      // The answer is lost, not the request: the old token is taken once more.
      $0.reuseGrace = .seconds(60)
    }
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    provider.hang(at: .token)
    try await provider.waitForRequests(provider.count(of: .token) + 1, at: .token)
    let began = ContinuousClock.now
    #expect(await machine.end(host).status == 0)
    let time = ContinuousClock.now - began
    if Sanitizer.permits("how fast the host ends") { #expect(time < .seconds(5)) }
    provider.setFaults([])
    // What the second one gets lasts until it is looked at, however busy the machine is.
    provider.configuration.accessTokenLifetime = .seconds(300)
    let second = try await machine.startHost(["--verbose"])
    try await second.error.next { $0.contains("primary: renewed, generation") }
    #expect(try await machine.vault("token", "--no-renew").status == 0)
    #expect(provider.counts.grants == 1)
    #expect(await machine.end(second).status == 0)
  }

  @Test func sv07TheEndDuringASignInIsQuick() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    let signIn = try RunningTool(
      machine.request("tokenvault", ["sign-in", "primary", "--json", "--no-browser"]))
    try await signIn.output.next { $0.contains("\"authorize\"") }
    let began = ContinuousClock.now
    let result = await machine.end(host)
    #expect(ContinuousClock.now - began < .seconds(5))
    #expect(result.status == 0)
    #expect(await signIn.result().status != 0)
    #expect(!TestFile.exists(machine.root.file("run/host.sock")))
  }

  @Test func sv01TheHostIsReadyWithin200MillisecondsWhileTheProviderHangs() async throws {
    let provider = try LoopbackProvider.approving(lifetime: .seconds(1)) {
      $0.reuseGrace = .seconds(600)
    }
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    provider.hang()
    host.kill()
    _ = await host.result()
    let socket = try NotifySocket(at: machine.root.file("notify"))
    // The best of several: other tests share the processors.
    var best = Duration.seconds(60)
    for _ in 0..<8 where best >= .milliseconds(200) {
      let began = ContinuousClock.now
      let tool = try RunningTool(
        machine.request(
          "tokenvault-host", [], environment: ["NOTIFY_SOCKET": machine.root.file("notify")]))
      let message = try await socket.next()
      best = min(best, ContinuousClock.now - began)
      #expect(message == "READY=1\nSTATUS=1 namespace")
      let status = try await machine.vault("status", "--json")
      #expect(status.output.contains("\"namespace\":\"primary\""))
      tool.terminate()
      #expect(try await socket.next() == "STOPPING=1")
      #expect(await tool.result().status == 0)
    }
    #expect(best < .milliseconds(200))
  }

  /// Beside a provider that does not answer the revocation: 100 ms from the request to the widget.
  @Test func lo05WidgetsSeeTheSignOutBeforeTheProviderAnswers() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    let widget = try RunningTool(machine.request("tokenvault", ["watch", "--format", "json"]))
    let directory = try Directory.open(path: machine.root.file("run"), policy: .ownerOnly)
    // The best of several: other tests share the processors.
    var best = Duration.seconds(60)
    for _ in 0..<8 where best >= .milliseconds(100) {
      #expect(try await machine.signIn().status == 0)
      try await widget.output.next { VaultInstallation.member("session", of: $0) == "valid" }
      let revocations = provider.count(of: .revoke)
      provider.hang(at: .revoke)
      let began = ContinuousClock.now
      let caller = try SocketCaller(in: directory)
      try caller.send("{\"verb\":\"sign-out\",\"namespace\":\"primary\"}\n")
      try await widget.output.next { VaultInstallation.member("session", of: $0) == "signed-out" }
      best = min(best, ContinuousClock.now - began)
      try await provider.waitForRequests(revocations + 1, at: .revoke)
      provider.setFaults([])
    }
    #expect(best < .milliseconds(100))
    widget.terminate()
    _ = await widget.result()
    #expect(await machine.end(host).status == 0)
  }

  @Test func st11WithoutDescriptorsTheHostWaitsInsteadOfSpinning() async throws {
    let machine = try HostMachine()
    try machine.configure(issuer: "https://id.example")
    let program = machine.request("tokenvault-host", []).program
    let host = try RunningTool(
      ToolRequest(
        "/bin/bash",
        [
          "-c",
          "for i in {3..255}; do exec {i}<&-; done; ulimit -n 20; exec \(program)",
        ],
        environment: machine.environment))
    try await host.error.next { $0 == "tokenvault-host: ready" }
    let directory = try Directory.open(path: machine.root.file("run"), policy: .ownerOnly)
    let before = ProcessTable.ticks(of: host.identifier)
    let answers = try await TestThread.run {
      let callers = try (0..<12).map { _ in try SocketCaller(in: directory) }
      // Each is ended after 5 s, which frees descriptors for those who wait.
      return try callers.map { try $0.readToEnd() }
    }
    #expect(answers.allSatisfy { $0.contains("no request came within 5s") })
    let said = "accept: Too many open files"
    try await host.error.next { $0.contains(said) }
    // Hundredths of a second in ten seconds.
    #expect(ProcessTable.ticks(of: host.identifier) - before < 200)
    #expect(try await machine.vault("status", "--json").output.contains("\"primary\""))
    #expect(await machine.end(host).status == 0)
  }
}
