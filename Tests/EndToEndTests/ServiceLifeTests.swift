import DevelopmentProvider
import FileSupport
import Glibc
import TestSupport
import Testing

/// The built `tokenvault-host` as a service manager has it: reloading, watchdog, activation.
@Suite(.timeLimit(.minutes(2)))
struct ServiceLifeTests {
  private static let work = """
    [namespaces.work]
    issuer = "https://id.example"
    clientId = "desktop"
    """

  @Test func sv08AHangupHasTheConfigurationReadAgainAndDisturbsNoSession() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let socket = try NotifySocket(at: machine.root.file("notify"))
    let host = try await machine.startHost(environment: [
      "NOTIFY_SOCKET": machine.root.file("notify")
    ])
    #expect(try await socket.next() == "READY=1\nSTATUS=1 namespace")
    #expect(try await machine.signIn().status == 0)
    let token = try await machine.vault("token").output
    #expect(try await machine.vault("renew", "work").status == 78)

    try machine.configure(issuer: provider.issuer, Self.work)
    host.send(signal: SIGHUP)
    let message = try await socket.next()
    let named = message.split(separator: "=").last.flatMap { Int64($0) } ?? 0
    #expect(message.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
    #expect(abs(monotonicMicroseconds() - named) < 60_000_000, "\(message)")
    #expect(try await socket.next() == "READY=1\nSTATUS=2 namespaces")
    #expect(try await machine.vault("status", "--json").output.contains("\"work\""))
    #expect(try await machine.vault("token").output == token)
    #expect(provider.counts.refreshes == 0)

    try machine.configure(issuer: provider.issuer, "client = 1")
    host.send(signal: SIGHUP)
    #expect(try await socket.next().hasPrefix("RELOADING=1"))
    #expect(
      try await socket.next()
        == "READY=1\nSTATUS=2 namespaces; the new configuration was refused")
    try await host.error.next {
      $0.hasSuffix("the configuration is not taken over; the host goes on with the one before")
    }
    #expect(try await machine.vault("token").output == token)
    let status = try await machine.vault("status").output
    #expect(status.contains("configuration: not taken over: "), "\(status)")
    #expect(status.contains("\nwork "), "\(status)")
    let doctor = try await machine.vault("doctor", "--json").output
    #expect(doctor.contains("not taken over: "), "\(doctor)")

    try machine.configure(issuer: provider.issuer)
    host.send(signal: SIGHUP)
    #expect(try await socket.next().hasPrefix("RELOADING=1"))
    #expect(try await socket.next() == "READY=1\nSTATUS=1 namespace")
    #expect(try await machine.vault("renew", "work").status == 78)
    #expect(try await machine.vault("doctor", "--json").output.contains("not taken over") == false)
    #expect(await machine.end(host).status == 0)
  }

  @Test func sv08AChangedNamespaceGoesOnFromWhatIsStored() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let token = try await machine.vault("token").output
    try machine.configure(issuer: provider.issuer, "account = \"somebody\"")
    host.send(signal: SIGHUP)
    try await host.error.next { $0.contains("was read again: 1 namespace, 0 as before") }
    #expect(try await machine.vault("token").output == token)
    #expect(try await machine.vault("status", "--json").output.contains("\"somebody\""))
    #expect(provider.counts.grants == 1)
    #expect(await machine.end(host).status == 0)
  }

  @Test func sv08ABrokenPipeEndsNothing() async throws {
    let machine = try HostMachine()
    try machine.configure(issuer: "https://id.example")
    let host = try await machine.startHost()
    host.send(signal: SIGPIPE)
    #expect(try await machine.vault("status", "--json").output.contains("\"primary\""))
    #expect(await machine.end(host).status == 0)
  }

  @Test func sv02TheWatchdogIsFedByTheWorkingLoopAndAStoppedHostIsReplacedInTime() async throws {
    let provider = try LoopbackProvider.approving(lifetime: .seconds(2)) {
      $0.reuseGrace = .seconds(600)
    }
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let socket = try NotifySocket(at: machine.root.file("notify"))
    let limit = Duration.seconds(2)
    let environment = [
      "NOTIFY_SOCKET": machine.root.file("notify"),
      "WATCHDOG_USEC": "2000000",
    ]
    let host = try await machine.startHost(environment: environment)
    #expect(try await socket.next().hasPrefix("READY=1"))
    #expect(try await machine.signIn().status == 0)
    // A provider that hangs in the middle of a renewal is no reason to be killed.
    provider.hang(at: .token)
    try await provider.waitForRequests(provider.count(of: .token) + 1, at: .token)
    for _ in 0..<3 { #expect(try await socket.next() == "WATCHDOG=1") }

    // A stopped process stands for any loop that does not go round.
    host.send(signal: SIGSTOP)
    let stopped = ContinuousClock.now
    while try await socket.next(within: limit) != nil {}
    host.kill()
    _ = await host.result()
    let second = try await machine.startHost(environment: environment)
    #expect(ContinuousClock.now - stopped < limit + .seconds(2))
    #expect(try await socket.next().hasPrefix("READY=1"))
    #expect(try await machine.vault("status", "--json").output.contains("\"primary\""))
    provider.setFaults([])
    #expect(await machine.end(second).status == 0)
  }

  @Test func sv06AnActivatedSocketIsServedAndLeftInPlace() async throws {
    let machine = try HostMachine()
    try machine.configure(issuer: "https://id.example")
    _ = try machine.root.makeDirectory("run")
    let path = machine.root.file("run/host.sock")
    let request = machine.request("tokenvault-host", [])
    let names = request.environment.keys.sorted().map { "--setenv=\($0)" }
    let host = try RunningTool(
      ToolRequest(
        "systemd-socket-activate", ["--listen=\(path)"] + names + [request.program],
        environment: request.environment))
    while !TestFile.exists(path) {}
    // The first caller starts the host and is answered by it.
    let status = try await machine.vault("doctor", "--json")
    #expect(status.output.contains("\"host\""), "\(status)")
    try await host.error.next { $0 == "tokenvault-host: ready" }
    #expect(await machine.end(host).status == 0)
    #expect(TestFile.exists(path), "the socket is the service manager's")
  }

  @Test func sv06ADescriptorForAnotherProcessIsIgnored() async throws {
    let machine = try HostMachine()
    try machine.configure(issuer: "https://id.example")
    _ = try machine.root.makeDirectory("run")
    let other = machine.root.file("other.sock")
    let script = """
      import os, socket, sys
      s = socket.socket(socket.AF_UNIX)
      s.bind(sys.argv[1])
      s.listen()
      os.dup2(s.fileno(), 3)
      os.set_inheritable(3, True)
      os.environ['LISTEN_FDS'] = '1'
      os.environ['LISTEN_PID'] = sys.argv[2] if len(sys.argv[2]) else str(os.getpid())
      os.execv(sys.argv[3], [sys.argv[3], '--verbose'])
      """
    let program = machine.request("tokenvault-host", []).program
    // Of another process; of this one, but where no caller looks.
    for (process, warns) in [("1", false), ("", true)] {
      TestFile.removeAll(other)
      let host = try RunningTool(
        ToolRequest(
          "python3", ["-c", script, other, process, program], environment: machine.environment))
      try await host.error.next { $0 == "tokenvault-host: ready" }
      #expect(try await machine.vault("status", "--json").output.contains("\"primary\""))
      #expect(host.error.events.contains { $0.contains("where no caller looks") } == warns)
      #expect(await machine.end(host).status == 0)
      #expect(!TestFile.exists(machine.root.file("run/host.sock")), "its own")
    }
  }

  @Test func rf16WakingUpHasTheHostTryAtOnce() async throws {
    let provider = try LoopbackProvider.approving(lifetime: .seconds(4))
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let bus = try await MockLoginManager()
    let host = try await machine.startHost(
      ["--verbose"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
    try await host.error.next { $0.contains("logind tells when the machine wakes up") }
    #expect(try await machine.signIn().status == 0)
    try await bus.prepareForSleep(true)
    try await bus.prepareForSleep(false)
    try await host.error.next { $0.contains("the machine has woken up") }
    #expect(await machine.end(host).status == 0)
    await bus.end()
  }

  private func monotonicMicroseconds() -> Int64 {
    var time = timespec()
    unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
