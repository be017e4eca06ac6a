import DevelopmentProvider
import Glibc
import TestSupport
import Testing

/// The whole host beside dunst, on a bus and a screen of the test's own.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct NotificationTests {
  private static func configure(
    _ machine: HostMachine, _ issuers: [(name: String, issuer: String)], _ lines: String = ""
  ) throws {
    let tables = issuers.map { name, issuer in
      """
      [namespaces.\(name)]
      issuer = "\(issuer)"
      clientId = "desktop"
      scopes = ["openid", "profile", "offline_access"]

      """
    }
    try machine.root.write(lines + tables.joined(), to: "config.toml")
  }

  private static func start(
    _ machine: HostMachine, _ desktop: NotificationDesktop
  ) async throws -> RunningTool {
    try await machine.startHost(
      ["--verbose"], environment: ["DBUS_SESSION_BUS_ADDRESS": desktop.address])
  }

  private static func summaries(_ dunst: RunningTool) -> [String] {
    dunst.output.events.filter { $0.contains("summary: '") }
      .map { String($0.split(separator: "'", omittingEmptySubsequences: false)[1]) }
  }

  /// Has the provider end a session; one that has just begun is not renewed at once.
  private static func end(_ name: String, _ machine: HostMachine) async throws {
    while try await machine.vault("renew", name).status != 82 { try Task.checkCancellation() }
  }

  @Test func nd07FiveSessionsThatEndAreOneNotificationUntilThePersonHasSignedIn() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    let names = (1...5).map { "n\($0)" }
    try Self.configure(machine, names.map { ($0, provider.issuer) })
    let desktop = try await NotificationDesktop()
    let dunst = try await desktop.startServer()
    let host = try await Self.start(machine, desktop)
    for name in names { #expect(try await machine.signIn(name).status == 0) }
    provider.revokeAllGrants()
    for name in names { try await Self.end(name, machine) }
    try await dunst.output.next { $0.contains("summary:") }
    let body = try await dunst.output.next { $0.contains("body:") }
    #expect(
      body.contains("n1 (") && body.contains("): the provider has ended the session"), "\(body)")
    #expect(Self.summaries(dunst) == ["Sign in again: n1, n2 and 3 more"])
    #expect(try await desktop.standing() == 1)
    try await host.error.next { $0.hasSuffix("the desktop shows it") }
    // Whoever has signed in is named no more, and the last one takes it away.
    #expect(try await machine.signIn("n1").status == 0)
    try await dunst.output.next { $0.contains("summary: 'Sign in again: n2, n3 and 2 more'") }
    #expect(try await desktop.standing() == 1)
    for name in names.dropFirst() { #expect(try await machine.signIn(name).status == 0) }
    try await desktop.waitForStanding(0)
    #expect(await machine.end(host).status == 0)
    #expect(TestFile.names(in: machine.root.file("state")).sorted() == ["host.lock", "store"])
    await desktop.end()
  }

  @Test func nd08ANewStartTellsNobodyAgainAndTakesAwayWhatTheLastOneHasShown() async throws {
    let provider = try LoopbackProvider.approving()
    let short = try LoopbackProvider.approving(lifetime: .seconds(8))
    let machine = try HostMachine()
    try Self.configure(machine, [("primary", provider.issuer), ("other", short.issuer)])
    let desktop = try await NotificationDesktop()
    let dunst = try await desktop.startServer()
    var host = try await Self.start(machine, desktop)
    #expect(try await machine.signIn().status == 0)
    #expect(try await machine.signIn("other").status == 0)
    provider.revokeAllGrants()
    try await Self.end("primary", machine)
    try await host.error.next { $0.hasSuffix("the desktop shows it") }
    // One thread does all of it: what was stored came before this answer.
    #expect(try await machine.vault("renew").status == 82)
    #expect(await machine.end(host).status == 0)
    #expect(try await desktop.standing() == 1)
    host = try await Self.start(machine, desktop)
    // Longer than it takes to notify.
    for _ in 1...2 { try await host.error.next { $0.contains("other: renewed, generation") } }
    #expect(Self.summaries(dunst) == ["Sign in again: primary"])
    #expect(!host.error.events.contains { $0.contains("notifying") })
    #expect(try await desktop.standing() == 1)
    #expect(try await machine.signIn().status == 0)
    try await desktop.waitForStanding(0)
    #expect(await machine.end(host).status == 0)
    await desktop.end()
  }

  @Test func nd09AServerThatComesLaterShowsWhatStillIsSo() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try Self.configure(machine, [("primary", provider.issuer), ("work", provider.issuer)])
    let desktop = try await NotificationDesktop()
    let host = try await Self.start(machine, desktop)
    for name in ["primary", "work"] { #expect(try await machine.signIn(name).status == 0) }
    provider.revokeAllGrants()
    for name in ["primary", "work"] { try await Self.end(name, machine) }
    try await host.error.next { $0.contains("the desktop shows no notification") }
    #expect(try await machine.signIn().status == 0)
    let dunst = try await desktop.startServer()
    try await dunst.output.next { $0.contains("summary: 'Sign in again: work'") }
    #expect(Self.summaries(dunst).count == 1)
    #expect(await machine.end(host).status == 0)
    await desktop.end()
  }

  @Test func nd10AServerThatHangsHoldsUpNothing() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try Self.configure(machine, [("primary", provider.issuer)])
    let desktop = try await NotificationDesktop()
    let dunst = try await desktop.startServer()
    dunst.send(signal: SIGSTOP)
    let host = try await Self.start(machine, desktop)
    #expect(try await machine.signIn().status == 0)
    provider.revokeAllGrants()
    try await Self.end("primary", machine)
    try await host.error.next { $0.contains("notifying: Sign in again: primary") }
    #expect(try await machine.signIn().status == 0)
    #expect(try await machine.vault("renew").status == 0)
    // It answers at last, and what it shows is over by then.
    dunst.send(signal: SIGCONT)
    try await dunst.output.next { $0.contains("summary:") }
    try await desktop.waitForStanding(0)
    #expect(await machine.end(host).status == 0)
    await desktop.end()
  }

  @Test func whereItIsSwitchedOffNothingIsShown() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try Self.configure(machine, [("primary", provider.issuer)], "notifications = false\n")
    let desktop = try await NotificationDesktop()
    let dunst = try await desktop.startServer()
    let host = try await Self.start(machine, desktop)
    #expect(try await machine.signIn().status == 0)
    provider.revokeAllGrants()
    try await Self.end("primary", machine)
    // From the reload on, also what was before it.
    try Self.configure(machine, [("primary", provider.issuer)])
    #expect(Self.summaries(dunst) == [])
    host.send(signal: SIGHUP)
    try await dunst.output.next { $0.contains("summary: 'Sign in again: primary'") }
    try Self.configure(machine, [("primary", provider.issuer)], "notifications = false\n")
    host.send(signal: SIGHUP)
    try await desktop.waitForStanding(0)
    #expect(await machine.end(host).status == 0)
    await desktop.end()
  }

  @Test func withoutASessionBusTheHostGoesOnWithoutAWord() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try Self.configure(machine, [("primary", provider.issuer)])
    let host = try await machine.startHost(["--verbose"])
    #expect(try await machine.signIn().status == 0)
    provider.revokeAllGrants()
    try await Self.end("primary", machine)
    let line = try await host.error.next { $0.contains("there is no session bus") }
    #expect(line.contains("debug"), "\(line)")
    #expect(await machine.end(host).status == 0)
    #expect(TestFile.names(in: machine.root.file("state")).sorted() == ["host.lock", "store"])
  }
}
