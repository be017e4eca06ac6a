import DevelopmentProvider
import FileSupport
import Glibc
import SecretMemory
import SecureStore
import TestSupport
import Testing

/// The whole host beside a session that is locked and unlocked by python-dbusmock's logind.
@Suite(.timeLimit(.minutes(2)))
struct SessionLockTests {
  private static func machine(
    issuer: String, _ lines: String = "lockWithSession = true\n"
  ) async throws -> HostMachine {
    let machine = try HostMachine()
    try machine.configure(issuer: issuer)
    let key = try await machine.host("new-key")
    try machine.root.write(key.output, to: "printed-key", mode: 0o600)
    let path = machine.root.file("printed-key")
    try machine.root.write(
      lines + "keyCommand = [\"cat\", \"\(path)\"]\n"
        + String(decoding: machine.root.read("config.toml"), as: UTF8.self), to: "config.toml")
    return machine
  }

  /// The host's state in `status`, once everything that logind told before has been heard.
  private static func condition(
    _ machine: HostMachine, _ host: RunningTool, _ bus: MockLoginManager
  ) async throws -> String {
    try await bus.prepareForSleep(false)
    try await host.error.next { $0.hasSuffix("the machine has woken up") }
    return VaultInstallation.member("host", of: try await machine.vault("status", "--json").output)
  }

  @Test func lockingTheSessionTakesTheKeyAndUnlockingBringsItBack() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try await Self.machine(issuer: provider.issuer)
    let bus = try await MockLoginManager()
    try await bus.addSession("c1", of: geteuid())
    try await bus.addSession("c2", of: geteuid() + 1)
    let host = try await machine.startHost(
      ["--verbose"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
    try await host.error.next { $0.hasSuffix("host: unlocked") }
    _ = try await host.error.wait { $0.contains { $0.contains("logind tells") } }
    #expect(try await machine.signIn().status == 0)
    let token = try await machine.vault("token").output
    let sentinels = try Self.keys(of: machine)
    #expect(sentinels.count == 3)
    let before = try ProcessMemory.read(host.identifier)
    #expect(sentinels.contains { before.contains($0) }, "the search finds what an open host has")

    try await bus.lock("c2", true)
    #expect(try await Self.condition(machine, host, bus) == "ok", "somebody else's session")
    try await bus.lock("c1", true)
    #expect(try await Self.condition(machine, host, bus) == "locked")
    let after = try ProcessMemory.read(host.identifier)
    for sentinel in sentinels { #expect(!after.contains(sentinel)) }
    #expect(try await machine.vault("renew").status == 77)
    #expect(try await machine.vault("token").output == token, "it has not ended yet")

    try await bus.lock("c2", false)
    #expect(try await Self.condition(machine, host, bus) == "locked", "somebody else's session")
    try await bus.lock("c1", false)
    try await host.error.next { $0.hasSuffix("host: unlocked") }
    #expect(try await Self.condition(machine, host, bus) == "ok")
    #expect(try await machine.vault("token").output == token)
    #expect(provider.counts.refreshes == 0, "nothing was due")
    #expect(try await machine.vault("renew").status == 0)

    // A screen locker that says so by itself.
    try await bus.setLockedHint("c1", true)
    #expect(try await Self.condition(machine, host, bus) == "locked")
    try await bus.setLockedHint("c1", false)
    try await host.error.next { $0.hasSuffix("host: unlocked") }
    // What somebody has locked, somebody has to unlock.
    #expect(try await machine.vault("lock").status == 0)
    try await bus.lock("c1", false)
    #expect(try await Self.condition(machine, host, bus) == "locked")
    #expect(try await machine.vault("unlock").status == 0)

    let heard = try await machine.vault("doctor", "--json")
    #expect(heard.output.contains("logind tells the host when your session is locked"))
    await bus.end()
    try await host.error.next { $0.contains("until it is, the host is not locked") }
    let deaf = try await machine.vault("doctor", "--json")
    #expect(deaf.output.contains("your session is locked alone"), "\(deaf.output)")
    #expect(try await machine.vault("renew").status == 0)
    #expect(await machine.end(host).status == 0)
  }

  @Test func theHostFollowsTheSessionOnlyWhereItIsToldTo() async throws {
    let machine = try await Self.machine(issuer: "http://127.0.0.1:1", "")
    let bus = try await MockLoginManager()
    try await bus.addSession("c1", of: geteuid())
    let host = try await machine.startHost(
      ["--verbose"], environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
    _ = try await host.error.wait { $0.contains { $0.hasSuffix("host: unlocked") } }
    _ = try await host.error.wait { $0.contains { $0.contains("logind tells") } }
    try await bus.lock("c1", true)
    #expect(try await Self.condition(machine, host, bus) == "ok")
    // From the reload on.
    let text = String(decoding: try machine.root.read("config.toml"), as: UTF8.self)
    try machine.root.write("lockWithSession = true\n" + text, to: "config.toml")
    host.send(signal: SIGHUP)
    try await host.error.next { $0.contains("was read again") }
    try await bus.lock("c1", true)
    #expect(try await Self.condition(machine, host, bus) == "locked")
    #expect(await machine.end(host).status == 0)
    await bus.end()
  }

  /// The key that the command prints, and keys that are derived from the one that it opens.
  private static func keys(of machine: HostMachine) throws -> [[UInt8]] {
    let directory = try Directory.open(path: machine.root.file("keys"), policy: .ownerOnly)
    let printed = try KeyText.parse(machine.root.read("printed-key"))
    guard let printed,
      let master = try MasterKey.load(
        from: directory, machine: machineIdentifier(), secret: printed)
    else { return [] }
    return [
      printed.bytes.copiedBytes(), try master.subkey("TVstores").copiedBytes(),
      try master.subkey("TVlatchk").copiedBytes(),
    ]
  }
}
