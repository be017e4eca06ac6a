import FileSupport
import SecretMemory
import SecureStore
import TestSupport
import Testing

@Suite struct MasterKeyTests {
  private static let machine = Array("0123456789abcdef".utf8)

  private static func open(_ directory: TemporaryDirectory) throws -> Directory {
    try Directory.open(path: directory.path, policy: .ownerOnly)
  }

  @Test func aKeyIsMadeOnceAndReadBack() throws {
    let directory = try TemporaryDirectory()
    let home = try Self.open(directory)
    let none = try MasterKey.load(from: home, machine: Self.machine) == nil
    #expect(none)
    let made = try MasterKey.create(in: home, machine: Self.machine).subkey("TESTTEST")
    guard let loaded = try MasterKey.load(from: home, machine: Self.machine) else {
      Issue.record("the key file is there")
      return
    }
    let isSame = made.isEqual(to: try loaded.subkey("TESTTEST"))
    let isApart = !made.isEqual(to: try loaded.subkey("TESTTESU"))
    #expect(isSame)
    #expect(isApart)
    #expect(throws: SecureStoreError.keyFile(path: directory.path + "/master.key")) {
      _ = try MasterKey.create(in: home, machine: Self.machine)
    }
  }

  @Test func aKeyOfAnotherMachineSaysSo() throws {
    let directory = try TemporaryDirectory()
    let home = try Self.open(directory)
    _ = try MasterKey.create(in: home, machine: Self.machine)
    #expect(throws: SecureStoreError.otherMachine(path: directory.path + "/master.key")) {
      _ = try MasterKey.load(from: home, machine: Array("another".utf8))
    }
  }

  @Test(arguments: [0, 1, 8, 48, 50])
  func aFileOfAnotherLengthIsNoKey(length: Int) throws {
    let directory = try TemporaryDirectory()
    try directory.write([UInt8](repeating: 0x54, count: length), to: MasterKey.fileName)
    let home = try Self.open(directory)
    let expected = SecureStoreError.keyFile(path: directory.path + "/master.key")
    #expect(throws: expected) { _ = try MasterKey.load(from: home, machine: Self.machine) }
    #expect(throws: expected) { _ = try MasterKey.create(in: home, machine: Self.machine) }
  }

  @Test func fs02AKeyFileThatOthersCanReadIsRefused() throws {
    let directory = try TemporaryDirectory()
    let home = try Self.open(directory)
    _ = try MasterKey.create(in: home, machine: Self.machine)
    let bytes = try directory.read(MasterKey.fileName)
    try directory.write(bytes, to: MasterKey.fileName, mode: 0o640)
    do {
      _ = try MasterKey.load(from: home, machine: Self.machine)
      Issue.record("mode 0640 was accepted")
    } catch {
      #expect(
        error.description
          == "\(directory.path)/master.key: mode 0640 lets others in;"
          + " run: chmod 0600 '\(directory.path)/master.key'")
    }
  }
}
