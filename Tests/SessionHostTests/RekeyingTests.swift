import FileSupport
import SecretMemory
import SecureStore
import SessionHost
import SessionModel
import TestSupport
import Testing

/// Changing how the key is kept.
@Suite(.timeLimit(.minutes(1)))
struct RekeyingTests {
  private static let machine = Array("machine".utf8)
  private static let entries = ["home", "primary", "work"].compactMap { Namespace($0) }

  private static func protection(_ storage: KeyStorage, _ text: String) throws -> KeyProtection {
    KeyProtection(
      storage, secret: storage == .file ? nil : SharedSecret(try SecretBytes(copyingUTF8: text)),
      cost: .least)
  }

  private static func open(
    _ fixture: HostFixture, _ protection: KeyProtection
  ) throws(HostStartError) -> StateDirectory {
    try StateDirectory(
      in: StateHome(directories: fixture.directories, machine: machine), protection: protection)
  }

  /// Fills a state and puts one damaged entry aside.
  private static func fill(_ fixture: HostFixture, _ protection: KeyProtection) throws {
    let state = try open(fixture, protection)
    for name in entries { try state.store.set(Array(name.name.utf8), .session, name) }
    try fixture.root.write("damaged", to: "state/store/session/.old.corrupt-1")
  }

  /// What is there, as texts; the keys of other uses among it.
  private static func contents(_ state: StateDirectory) throws -> [String] {
    var texts: [String] = []
    for name in try state.store.namespaces(.session) {
      texts.append(try state.store.get(.session, name)?.copiedText() ?? "")
    }
    for context in ["TVfprmas", "TVlatchk"] as [StaticString] {
      texts.append("\(try state.subkey(context).copiedBytes())")
    }
    return texts
  }

  private static let changes: [(KeyStorage, KeyStorage)] = [
    (.file, .passphrase), (.passphrase, .command), (.command, .credential), (.credential, .file),
    (.passphrase, .passphrase), (.file, .file),
  ]

  @Test(arguments: changes)
  func everyEntryAndEveryOtherKeyStaysWhatItIs(from: KeyStorage, to: KeyStorage) throws {
    let fixture = try HostFixture()
    let (old, new) = (
      try Self.protection(from, "the old secret, long"),
      try Self.protection(to, "the new secret, long")
    )
    try Self.fill(fixture, old)
    let before = try Self.contents(Self.open(fixture, old))
    let sealed = try fixture.root.read("state/store/session/primary")
    let key = try fixture.root.read("keys/master.key")
    try Self.open(fixture, old).rekey(new)
    #expect(try Self.contents(Self.open(fixture, new)) == before)
    #expect(try fixture.root.read("state/store/session/primary") != sealed)
    #expect(TestFile.exists(fixture.root.file("state/store/session/.old.corrupt-1")))
    #expect(TestFile.names(in: fixture.root.file("state")).sorted() == ["host.lock", "store"])
    // Whoever kept a copy of the old key opens nothing with it.
    try fixture.root.write(key, to: "keys/master.key")
    let state = try Self.open(fixture, old)
    #expect(
      throws: SecureStoreError.otherKey(path: fixture.root.file("state/store/session/primary"))
    ) {
      _ = try state.store.get(.session, .primary)
    }
  }

  @Test(arguments: StoreRekeying.Step.allCases)
  func aKillBehindAnyStepLosesNothing(step: StoreRekeying.Step) throws {
    let fixture = try HostFixture()
    let (old, new) = (
      try Self.protection(.command, "the old secret, long"),
      try Self.protection(.passphrase, "the new secret, long")
    )
    try Self.fill(fixture, old)
    let before = try Self.contents(Self.open(fixture, old))
    #expect(throws: HostStartError.store(.memory)) {
      try Self.open(fixture, old).rekey(new) { done throws(SecureStoreError) in
        // Stands for the kill: nothing is tidied up behind it.
        if done == step { throw .memory }
      }
    }
    let isOld = [.keyWritten, .entriesCopied, .marked].contains(step)
    let (working, refused) = isOld ? (old, new) : (new, old)
    #expect(throws: HostStartError.self) { _ = try Self.open(fixture, refused) }
    for _ in 1...2 {
      #expect(try Self.contents(Self.open(fixture, working)) == before)
      #expect(TestFile.exists(fixture.root.file("state/store/session/.old.corrupt-1")))
      #expect(TestFile.names(in: fixture.root.file("state")).sorted() == ["host.lock", "store"])
      #expect(!TestFile.exists(fixture.root.file("keys/master.key.next")))
    }
  }

  @Test func whatWasLeftBesideTheKeyIsRemovedUnlessSomebodyIsAtWorkWithIt() throws {
    let fixture = try HostFixture()
    try Self.fill(fixture, .file)
    let names = ["master.key.next", ".master.key.next.1f.tmp", ".master.key.2f.tmp"]
    for name in names { try fixture.root.write("half", to: "keys/" + name) }
    let keys = try Directory.create(path: fixture.root.file("keys"), policy: .ownerOnly)
    do {
      let lock = try FileLock(MasterKey.lockName, in: keys)
      defer { withExtendedLifetime(lock) {} }
      _ = try Self.open(fixture, .file)
      #expect(try keys.names().filter { names.contains($0) }.count == names.count)
    }
    _ = try Self.open(fixture, .file)
    #expect(try keys.names().filter { names.contains($0) } == [])
    #expect(TestFile.exists(fixture.root.file("keys/master.key")))
  }

  @Test func whatCannotBeOpenedEndsTheChangeBeforeAnythingIsLost() throws {
    let fixture = try HostFixture()
    try Self.fill(fixture, .file)
    try fixture.root.write("damaged", to: "state/store/session/work")
    let path = fixture.root.file("state/store/session/work")
    let new = try Self.protection(.command, "the new secret, long")
    #expect(throws: HostStartError.store(.corrupt(path: path))) {
      try Self.open(fixture, .file).rekey(new)
    }
    let state = try Self.open(fixture, .file)
    #expect(try state.store.namespaces(.session) == Self.entries)
    #expect(try fixture.root.read("state/store/session/work") == Array("damaged".utf8))
  }

  @Test func aKeyThatIsLostHalfWaySetsBothStoresAside() throws {
    let fixture = try HostFixture()
    try Self.fill(fixture, .file)
    let new = try Self.protection(.command, "the new secret, long")
    #expect(throws: HostStartError.self) {
      try Self.open(fixture, .file).rekey(new) { done throws(SecureStoreError) in
        if done == .keyReplaced { throw .memory }
      }
    }
    try TestFile.remove(fixture.root.file("keys/master.key"))
    let state = try Self.open(fixture, .file)
    #expect(state.setAside != nil)
    for number in 1...2 {
      #expect(
        TestFile.exists(fixture.root.file("state/store.without-key-\(number)/session/primary")))
    }
  }
}
