import FileSupport
import Glibc
import TestSupport
import Testing
import VaultReporting

@Suite struct VaultFactsTests {
  private let root: TemporaryDirectory

  init() throws {
    root = try TemporaryDirectory()
    for name in [
      "state", "state/store", "keys", "run", "run/groups", "run/groups/default",
      "run/groups/default/ns", "run/groups/default/ns/primary",
    ] {
      _ = try root.makeDirectory(name)
    }
    try root.write("x", to: "keys/master.key")
    try root.write("x", to: "run/groups/default/key")
    try root.write("x", to: "run/groups/default/ns/primary/session")
  }

  private func facts(_ more: [String: String] = [:]) -> VaultFacts {
    let variables = [
      "TOKENVAULT_STATE_DIR": root.file("state"), "TOKENVAULT_KEY_DIR": root.file("keys"),
      "TOKENVAULT_RUNTIME_DIR": root.file("run"),
    ]
    return VaultFacts(
      environment: Environment(variables.merging(more) { $1 }), user: geteuid())
  }

  @Test func everythingIsFoundAsItIs() {
    let facts = facts()
    #expect(facts.relativeVariables.isEmpty && facts.namesRuntime)
    #expect(facts.runtime == [.init(root.file("run"), .fine)])
    #expect(facts.state == .init(root.file("state"), .fine))
    #expect(facts.keys == .init(root.file("keys"), .fine))
    #expect(facts.masterKey == .fine && facts.hasStore)
    #expect(facts.faults.isEmpty)
    #expect(facts.inotify?.isInstanceFree == true)
  }

  /// What a system service's user sees, or with a user's number what another user sees.
  private func serviceFacts(by other: UInt32? = nil) -> VaultFacts {
    let name = other == nil ? "TOKENVAULT_RUNTIME_DIR" : "XDG_RUNTIME_DIR"
    return VaultFacts(
      environment: Environment([name: root.file(other == nil ? "run" : "none")]),
      user: other ?? geteuid(), systemService: root.file("run"))
  }

  private func openForMembers() throws {
    for (path, mode) in [
      ("run", 0o711), ("run/groups", 0o711), ("run/groups/default", 0o2750),
      ("run/groups/default/ns", 0o2750), ("run/groups/default/ns/primary", 0o2750),
      ("run/groups/default/key", 0o640), ("run/groups/default/ns/primary/session", 0o640),
    ] as [(String, UInt32)] {
      try TestFile.setMode(mode, of: root.file(path))
    }
  }

  @Test func aSystemServiceIsFoundByItsUserAndByOthers() throws {
    try openForMembers()
    let own = serviceFacts()
    #expect(own.isService && own.service == nil && own.faults.isEmpty)
    #expect(own.runtime == [.init(root.file("run"), .fine)])
    // Another user's, as this one is when asked as somebody else.
    let other = serviceFacts(by: 4_000_000)
    #expect(!other.isService && other.runtime.allSatisfy { $0.place == .missing })
    #expect(
      other.service == .init(root.file("run"), owner: geteuid(), defaultGroup: .fine))
    TestFile.removeAll(root.file("run/groups/default"))
    #expect(serviceFacts(by: 4_000_000).service?.defaultGroup == .missing)
    // Whoever has a host of his own, or names another place, does not look there.
    #expect(facts().service == nil && !facts().isService)
  }

  @Test func whatASystemServiceLetsTooManyReadIsFound() throws {
    try openForMembers()
    let session = root.file("run/groups/default/ns/primary/session")
    try TestFile.setMode(0o644, of: session)
    #expect(
      serviceFacts().faults
        == [.insecure(path: session, .mode(0o644, allowed: 0o640))])
    try TestFile.setMode(0o755, of: root.file("run"))
    let refused = VaultFacts.Place.unusable(
      .insecure(path: root.file("run"), .mode(0o755, allowed: 0o711)))
    #expect(serviceFacts(by: 4_000_000).runtime.last?.place == refused)
  }

  @Test func aHostIsSeenByItsLock() throws {
    let directory = try Directory.open(path: root.file("run"), policy: .ownerOnly)
    let lock = try FileLock("host.lock", in: directory)
    #expect(facts().runtime[0].isHeld)
    withExtendedLifetime(lock) {}
  }

  @Test func whatLetsOthersInIsFoundAtEveryDepth() throws {
    let session = root.file("run/groups/default/ns/primary/session")
    try TestFile.setMode(0o644, of: session)
    try TestFile.setMode(0o755, of: root.file("run/groups/default"))
    try TestFile.setMode(0o640, of: root.file("keys/master.key"))
    _ = try root.makeDirectory("state/run")
    try root.link("state/odd", to: "/etc/passwd")
    let found = facts()
    #expect(
      Set(found.faults.map(\.problem)) == [
        root.file("run/groups/default") + ": mode 0755 lets others in",
        root.file("keys/master.key") + ": mode 0640 lets others in",
        root.file("state/odd") + ": not a regular file",
      ])
    // Behind a directory that cannot be used, nothing is looked at.
    try TestFile.setMode(0o700, of: root.file("run/groups/default"))
    #expect(facts().faults.contains { $0.problem == session + ": mode 0644 lets others in" })
    #expect(
      facts().masterKey
        == .unusable(
          .insecure(path: root.file("keys/master.key"), .mode(0o640, allowed: 0o600))))
  }

  @Test func whatIsMissingOrRelativeIsSaid() {
    let facts = facts(["TOKENVAULT_STATE_DIR": "state", "TOKENVAULT_RUNTIME_DIR": root.file("no")])
    #expect(facts.relativeVariables == ["TOKENVAULT_STATE_DIR"])
    #expect(facts.state == nil)
    #expect(facts.runtime == [.init(root.file("no"), .missing)])
    let cron = VaultFacts(environment: Environment(["HOME": root.path]), user: 65_533)
    #expect(!cron.namesRuntime)
    #expect(
      cron.runtime.map(\.path)
        == ["/run/user/65533/tokenvault", root.file(".local/state/tokenvault/run")])
    #expect(cron.runtime.allSatisfy { $0.place == .missing })
  }

  @Test func theUnitIsLookedForWhereTheServiceManagerDoes() throws {
    let config = root.file("config")
    func unit(_ more: [String: String] = [:]) -> HostUnit? {
      VaultFacts(
        environment: Environment(["XDG_CONFIG_HOME": config].merging(more) { $1 }), user: geteuid(),
        serviceManager: root.file("run")
      ).unit
    }
    // Where no systemd runs, nobody misses its units.
    #expect(
      facts(["XDG_CONFIG_HOME": config]).unit == nil || TestFile.exists("/run/systemd/system"))
    #expect(unit() == .missing)
    for name in ["config", "config/systemd", "config/systemd/user", "data", "data/systemd"] {
      _ = try root.makeDirectory(name)
    }
    _ = try root.makeDirectory("data/systemd/user")
    let shared = root.file("data/systemd/user/tokenvault-host.service")
    try root.write(
      "[Service]\nExecStart=@/bin/true tokenvault-host\n",
      to: "data/systemd/user/tokenvault-host.service")
    #expect(unit(["XDG_DATA_DIRS": "data:\(root.file("data"))"]) == .installed(shared))
    #expect(unit(["XDG_DATA_HOME": root.file("data")]) == .installed(shared))
    let wants = "config/systemd/user/sockets.target.wants"
    _ = try root.makeDirectory(wants)
    try root.link(
      wants + "/tokenvault-host.socket", to: root.file("data/systemd/user/tokenvault-host.socket"))
    #expect(unit(["XDG_DATA_HOME": root.file("data")]) == .enabled(shared))
    // A person's own comes before all others.
    let own = root.file("config/systemd/user/tokenvault-host.service")
    try root.write(
      "[Service]\nExecStart=\(root.file("bin/tokenvault-host"))\n",
      to: "config/systemd/user/tokenvault-host.service")
    #expect(
      unit(["XDG_DATA_HOME": root.file("data")])
        == .broken(own, program: root.file("bin/tokenvault-host")))
  }

  @Test func theInstancesOfOnesOwnProgramsAreCounted() async throws {
    let program = try RunningTool(
      ToolRequest(
        "/usr/bin/python3",
        [
          "-c",
          "import ctypes,sys\nfor _ in range(9): ctypes.CDLL(None).inotify_init1(0)\n"
            + "print('ready', flush=True)\nsys.stdin.read()",
        ], input: .open))
    try await program.output.next { $0 == "ready" }
    let own = UserProcess.all(of: geteuid()).first { $0.id == program.identifier }
    #expect(own?.inotifyInstances == 9)
    #expect(own?.name.hasPrefix("python3") == true)
    #expect(try #require(facts().inotify?.instancesInUse) >= 9)
    #expect(UserProcess.all(of: 4_000_000).isEmpty)
    program.terminate()
    _ = await program.result()
  }
}
