import FileSupport
import SecretMemory
import SecureStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProtectedKeyTests {
  private static func secret(_ text: String) throws -> SharedSecret {
    SharedSecret(try SecretBytes(copyingUTF8: text))
  }

  private static func protection(
    _ storage: KeyStorage, _ text: String = "a secret that is long enough"
  ) throws -> KeyProtection {
    KeyProtection(storage, secret: storage == .file ? nil : try secret(text), cost: .least)
  }

  /// Writes a number over eight bytes of the key file.
  private static func write(_ number: UInt64, at index: Int, _ directory: TemporaryDirectory) throws
  {
    var bytes = try directory.read("master.key")
    for place in 0..<8 {
      bytes[index + place] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(place)))
    }
    try directory.write(bytes, to: "master.key")
  }

  private static func load(
    _ directory: Directory, machine: String = "machine", secret: SharedSecret?
  ) throws(SecureStoreError) -> SecretBytes? {
    try MasterKey.load(from: directory, machine: Array(machine.utf8), secret: secret)?
      .subkey("TESTTEST")
  }

  @Test(arguments: KeyStorage.allCases)
  func aKeyIsTheSameWhereverItIsKept(storage: KeyStorage) throws {
    let temporary = try TemporaryDirectory()
    let directory = try Directory.open(path: temporary.path, policy: .ownerOnly)
    let protection = try Self.protection(storage)
    let made = try MasterKey.create(
      in: directory, machine: Array("machine".utf8), protection: protection
    ).subkey("TESTTEST")
    #expect(try MasterKey.storage(in: directory) == storage)
    guard let found = try Self.load(directory, secret: protection.secret) else {
      Issue.record("the key is not found")
      return
    }
    let isSame = found.isEqual(to: made)
    #expect(isSame)
    #expect(throws: SecureStoreError.otherMachine(path: temporary.file("master.key"))) {
      _ = try Self.load(directory, machine: "another", secret: protection.secret)
    }
  }

  @Test(arguments: [KeyStorage.command, .credential, .passphrase])
  func anotherSecretOrNoneIsRefusedAndChangesNothing(storage: KeyStorage) throws {
    let temporary = try TemporaryDirectory()
    let directory = try Directory.open(path: temporary.path, policy: .ownerOnly)
    let protection = try Self.protection(storage)
    _ = try MasterKey.create(in: directory, machine: [], protection: protection)
    let before = try temporary.read("master.key")
    let path = temporary.file("master.key")
    #expect(throws: SecureStoreError.keyRefused(path: path, storage)) {
      _ = try MasterKey.load(
        from: directory, machine: [], secret: try Self.secret("a secret that is long, too!!"))
    }
    #expect(throws: SecureStoreError.keyNeeded(path: path, storage)) {
      _ = try MasterKey.load(from: directory, machine: [])
    }
    #expect(try temporary.read("master.key") == before)
  }

  // Where the two numbers stand in the file, and what a stranger has written there.
  private static let costs: [(index: Int, number: UInt64)] = [
    (34, 64 << 30), (34, UInt64.max), (34, 1), (26, 1 << 31), (26, 0), (26, UInt64.max),
  ]

  @Test(arguments: costs)
  func cr15WhatWouldCostTooMuchIsRefusedBeforeAnythingIsAllocated(
    index: Int, number: UInt64
  ) throws {
    let temporary = try TemporaryDirectory()
    let directory = try Directory.open(path: temporary.path, policy: .ownerOnly)
    let protection = try Self.protection(.passphrase)
    _ = try MasterKey.create(in: directory, machine: [], protection: protection)
    try Self.write(number, at: index, temporary)
    let clock = ContinuousClock()
    let began = clock.now
    #expect(throws: SecureStoreError.keyTooCostly(path: temporary.file("master.key"))) {
      _ = try MasterKey.load(from: directory, machine: [], secret: protection.secret)
    }
    // What is allocated for this would take minutes, or end the process.
    #expect(clock.now - began < .seconds(1))
  }

  @Test func everyChangedByteIsNoticed() throws {
    let temporary = try TemporaryDirectory()
    let directory = try Directory.open(path: temporary.path, policy: .ownerOnly)
    let protection = try Self.protection(.command)
    _ = try MasterKey.create(in: directory, machine: [], protection: protection)
    let original = try temporary.read("master.key")
    for index in original.indices {
      var bytes = original
      bytes[index] ^= 1
      try temporary.write(bytes, to: "master.key")
      #expect(throws: SecureStoreError.self, "byte \(index)") {
        _ = try MasterKey.load(from: directory, machine: [], secret: protection.secret)
      }
    }
    for length in original.indices {
      try temporary.write(Array(original[..<length]), to: "master.key")
      #expect(throws: SecureStoreError.self, "length \(length)") {
        _ = try MasterKey.load(from: directory, machine: [], secret: protection.secret)
      }
    }
  }

  @Test func aKeyOfAKeyringIsReadWithItsLineEndAndAPasswordIsNot() throws {
    let text = try KeyText.random()
    #expect(text.utf8.count == 43)
    #expect(try KeyText.random() != text)
    for end in ["", "\n", "\r\n"] {
      let key = try KeyText.parse(Array((text + end).utf8))
      #expect(key?.bytes.count == 32)
    }
    for wrong in [
      "", "correct horse battery staple", text + "=", String(text.dropLast()), text + " ",
    ] {
      let key = try KeyText.parse(Array(wrong.utf8))
      #expect(key == nil)
    }
    let empty = try KeyText.passphrase(Array("\n".utf8))
    #expect(empty == nil)
    let passphrase = try KeyText.passphrase(Array("two words\n".utf8))
    #expect(passphrase?.bytes.copiedText() == "two words")
  }
}
