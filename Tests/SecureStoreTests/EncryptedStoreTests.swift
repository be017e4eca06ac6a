import FileSupport
import SecretMemory
import SecureStore
import SessionModel
import TestSupport
import Testing

@Suite struct EncryptedStoreTests {
  private static let value = Array("sentinel-refresh-token".utf8)

  private static func open(
    _ directory: TemporaryDirectory, key: UInt8 = 3
  ) throws -> EncryptedStore {
    try EncryptedStore(
      directory: Directory.open(path: directory.path, policy: .ownerOnly),
      key: SecretBytes(copying: [UInt8](repeating: key, count: 32)))
  }

  @Test func whatWasSetIsReadBackByTheNextProcess() throws {
    let directory = try TemporaryDirectory()
    try Self.open(directory).set(Self.value, .session, .primary)
    #expect(try Self.open(directory).get(.session, .primary)?.copiedBytes() == Self.value)
    #expect(try Self.open(directory).namespaces(.session) == [.primary])
    #expect(try Self.open(directory).get(.transaction, .primary)?.count == nil)
  }

  @Test func removingIsDurableAndMayBeRepeated() throws {
    let directory = try TemporaryDirectory()
    let store = try Self.open(directory)
    try store.set(Self.value, .session, .primary)
    try store.remove(.session, .primary)
    try store.remove(.session, .primary)
    #expect(try store.get(.session, .primary)?.count == nil)
  }

  @Test func theFileHoldsNoPlainText() throws {
    let directory = try TemporaryDirectory()
    try Self.open(directory).set(Self.value, .session, .primary)
    let bytes = try directory.read("session/primary")
    #expect(!String(decoding: bytes, as: UTF8.self).contains("sentinel"))
  }

  @Test func st12EveryFlippedByteAndEveryCutIsCalledCorrupt() throws {
    let directory = try TemporaryDirectory()
    let store = try Self.open(directory)
    try store.set(Self.value, .session, .primary)
    let good = try directory.read("session/primary")
    for index in good.indices {
      var bad = good
      bad[index] ^= 1
      try directory.write(bad, to: "session/primary")
      #expect(throws: SecureStoreError.self) { _ = try store.get(.session, .primary)?.count }
    }
    for count in 0..<good.count {
      try directory.write(Array(good[..<count]), to: "session/primary")
      #expect(throws: SecureStoreError.corrupt(path: directory.path + "/session/primary")) {
        _ = try store.get(.session, .primary)?.count
      }
    }
    try directory.write(good, to: "session/primary")
    #expect(try store.get(.session, .primary)?.copiedBytes() == Self.value)
  }

  @Test func anEntryIsBoundToItsNameItsKindAndItsKey() throws {
    let directory = try TemporaryDirectory()
    let store = try Self.open(directory)
    try store.set(Self.value, .session, .primary)
    let bytes = try directory.read("session/primary")
    try directory.write(bytes, to: "session/other")
    try directory.write(bytes, to: "transaction/primary")
    let other = try #require(Namespace("other"))
    #expect(throws: SecureStoreError.corrupt(path: directory.path + "/session/other")) {
      _ = try store.get(.session, other)?.count
    }
    #expect(throws: SecureStoreError.corrupt(path: directory.path + "/transaction/primary")) {
      _ = try store.get(.transaction, .primary)?.count
    }
    #expect(throws: SecureStoreError.otherKey(path: directory.path + "/session/primary")) {
      _ = try Self.open(directory, key: 4).get(.session, .primary)?.count
    }
  }

  @Test func whatCouldNotBeReadBackIsNotWritten() throws {
    let directory = try TemporaryDirectory()
    let store = try Self.open(directory)
    try store.set(Self.value, .session, .primary)
    let path = directory.path + "/session/primary"
    #expect(throws: SecureStoreError.file(.tooLarge(path: path, limit: 1 << 20))) {
      try store.set([UInt8](repeating: 0, count: 1 << 20), .session, .primary)
    }
    #expect(try store.get(.session, .primary)?.copiedBytes() == Self.value)
  }

  @Test func whatIsPutAsideIsKeptAndNoNamespace() throws {
    let directory = try TemporaryDirectory()
    let store = try Self.open(directory)
    try store.set(Self.value, .session, .primary)
    #expect(
      try store.setAside(.session, .primary)
        == directory.path + "/session/.primary.corrupt-1")
    try store.set(Self.value, .session, .primary)
    #expect(
      try store.setAside(.session, .primary)
        == directory.path + "/session/.primary.corrupt-2")
    #expect(try store.namespaces(.session).isEmpty)
    #expect(try !directory.read("session/.primary.corrupt-1").isEmpty)
  }

  @Test func st04OpeningSweepsWhatAKilledWriterLeft() throws {
    let directory = try TemporaryDirectory()
    try Self.open(directory).set(Self.value, .session, .primary)
    try directory.write(Self.value, to: "session/.primary.1f.tmp")
    _ = try Self.open(directory)
    #expect(throws: (any Error).self) { try directory.read("session/.primary.1f.tmp") }
    #expect(try Self.open(directory).get(.session, .primary)?.copiedBytes() == Self.value)
  }
}
