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
}
