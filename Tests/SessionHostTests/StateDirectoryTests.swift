import FileSupport
import SecretMemory
import SecureStore
import SessionHost
import SessionModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StateDirectoryTests {
  private static func open(
    _ fixture: HostFixture, machine: String = "machine"
  ) throws(HostStartError) -> StateDirectory {
    try StateDirectory(directories: fixture.directories, machine: Array(machine.utf8))
  }

  /// The sentence with which the state is refused; nil when it is accepted.
  private static func refusal(_ fixture: HostFixture, machine: String = "machine") -> String? {
    do {
      _ = try open(fixture, machine: machine)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func rf07ASecondHostIsRefusedUntilTheFirstHasEnded() throws {
    let fixture = try HostFixture()
    var first: StateDirectory? = try Self.open(fixture)
    #expect(
      Self.refusal(fixture)
        == "\(fixture.root.file("state")): another tokenvault-host is running here; stop it, or"
        + " give this one directories of its own (TOKENVAULT_STATE_DIR, TOKENVAULT_KEY_DIR,"
        + " TOKENVAULT_RUNTIME_DIR)")
    withExtendedLifetime(first) {}
    first = nil
    #expect(Self.refusal(fixture) == nil)
  }

  @Test func whatIsMadeLetsNobodyElseIn() throws {
    let fixture = try HostFixture()
    _ = try Self.open(fixture)
    for name in ["state", "keys", "state/store", "state/store/session"] {
      #expect(try TestFile.mode(of: fixture.root.file(name)) == 0o700)
    }
    for name in ["keys/master.key", "state/host.lock"] {
      #expect(try TestFile.mode(of: fixture.root.file(name)) == 0o600)
    }
  }

  @Test(
    arguments: [
      ("state", 0o755, "0755", "0700"), ("keys", 0o750, "0750", "0700"),
      ("state/store", 0o711, "0711", "0700"), ("keys/master.key", 0o640, "0640", "0600"),
      ("state/store/session", 0o777, "0777", "0700"), ("state/host.lock", 0o604, "0604", "0600"),
    ] as [(String, UInt32, String, String)])
  func fs01AModeThatLetsOthersInIsRefused(
    name: String, mode: UInt32, found: String, allowed: String
  ) throws {
    let fixture = try HostFixture()
    _ = try Self.open(fixture)
    let path = fixture.root.file(name)
    try TestFile.setMode(mode, of: path)
    #expect(
      Self.refusal(fixture)
        == "\(path): mode \(found) lets others in; run: chmod \(allowed) '\(path)'")
  }

  @Test func fs01ALinkInTheDirectorysPlaceIsRefused() throws {
    let fixture = try HostFixture()
    _ = try fixture.root.makeDirectory("elsewhere")
    try fixture.root.link("state", to: fixture.root.file("elsewhere"))
    #expect(
      Self.refusal(fixture)
        == "\(fixture.root.file("state")): not a directory; move it away, or name another path")
  }

  @Test func fs01AParentThatEverybodyMayWriteToIsRefused() throws {
    for (variable, name) in [("STATE", "state"), ("KEY", "keys")] {
      let fixture = try HostFixture()
      let parent = try fixture.root.makeDirectory("open", mode: 0o777)
      var variables = [
        "TOKENVAULT_STATE_DIR": fixture.root.file("state"),
        "TOKENVAULT_KEY_DIR": fixture.root.file("keys"),
      ]
      variables["TOKENVAULT_\(variable)_DIR"] = parent + "/" + name
      let directories = VaultDirectories(environment: Environment(variables), user: 0)
      #expect(
        throws: HostStartError.file(
          .insecure(path: parent + "/" + name, .parentWritableByAll(parent)))
      ) { _ = try StateDirectory(directories: directories, machine: []) }
      try TestFile.setMode(0o1777, of: parent)
      _ = try StateDirectory(directories: directories, machine: [])
      try TestFile.setMode(0o770, of: parent)
      let state = try StateDirectory(directories: directories, machine: [])
      #expect(state.groupWritableParents == [parent])
    }
  }

  @Test func aStoreWhoseKeyIsGoneIsSetAsideAndSaidSo() throws {
    let fixture = try HostFixture()
    try Self.open(fixture).store.set(Array("sentinel".utf8), .session, .primary)
    for number in 1...2 {
      try TestFile.remove(fixture.root.file("keys/master.key"))
      let state = try Self.open(fixture)
      let path = fixture.root.file("state/store.without-key-\(number)")
      #expect(state.setAside == path)
      #expect(TestFile.exists(path + "/session"))
      #expect(try state.store.namespaces(.session).isEmpty)
    }
    #expect(TestFile.exists(fixture.root.file("state/store.without-key-1/session/primary")))
  }

  @Test func aCopiedStateSaysSoBeforeAnythingElse() throws {
    let fixture = try HostFixture()
    _ = try Self.open(fixture)
    #expect(
      Self.refusal(fixture, machine: "another")
        == "\(fixture.root.file("keys/master.key")): made on another machine; move it away and sign"
        + " in again here, as copied state is of no use")
    #expect(Self.refusal(fixture) == nil, "nothing was changed")
  }

  @Test func hostsThatShareTheirKeysUseOneKey() throws {
    let fixture = try HostFixture()
    let first = try Self.open(fixture)
    let other = VaultDirectories(
      environment: Environment([
        "TOKENVAULT_STATE_DIR": fixture.root.file("other"),
        "TOKENVAULT_KEY_DIR": fixture.root.file("keys"),
      ]), user: 0)
    let second = try StateDirectory(directories: other, machine: Array("machine".utf8))
    let isSame = try first.subkey("TESTTEST").isEqual(to: second.subkey("TESTTEST"))
    #expect(isSame)
  }

  @Test func aKeyThatAnotherHostIsMakingIsNotMadeTwice() throws {
    let fixture = try HostFixture()
    let keys = try Directory.create(path: fixture.root.file("keys"), policy: .ownerOnly)
    let lock = try FileLock("keys.lock", in: keys)
    #expect(throws: HostStartError.alreadyRunning(directory: keys.path)) {
      _ = try Self.open(fixture)
    }
    withExtendedLifetime(lock) {}
    #expect(!TestFile.exists(fixture.root.file("keys/master.key")))
  }

  @Test func withoutAHomeTheVariableIsNamed() {
    let nowhere = VaultDirectories(environment: Environment([:]), user: 0)
    do {
      _ = try StateDirectory(directories: nowhere, machine: [])
      Issue.record("opened nothing")
    } catch {
      #expect(
        error.description == "neither TOKENVAULT_STATE_DIR nor HOME is set; set one of them")
    }
  }
}
