import SecretMemory
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

@Suite struct GroupKeyTests {
  @Test func aKeyFileComesBackAndSaysWhichKeyItIs() throws {
    let key = try Sample.groupKey()
    let again = try GroupKey(file: key.fileBytes)
    #expect(again.identifier == key.identifier)
    let isSame = again.secret.isEqual(to: key.secret)
    #expect(isSame)
    #expect(key.fileBytes.count == 48)
    #expect(
      key.fileBytes == Array("TVGKEY".utf8) + [1, 0] + Array(repeating: 0x41, count: 32)
        + little(key.identifier.rawValue))
  }

  @Test func theBytesOfAKeyFileAreWiped() throws {
    var genuine = try Sample.groupKey().fileBytes
    _ = try GroupKey(wiping: &genuine)
    #expect(genuine == [UInt8](repeating: 0, count: 48))
    var damaged = try Sample.groupKey().fileBytes
    damaged[47] ^= 1
    #expect(throws: GroupKeyError.damaged) { try GroupKey(wiping: &damaged) }
    #expect(damaged == [UInt8](repeating: 0, count: 48))
  }

  @Test func theIdentifierIsTheKeyedHashOfTheFormat() throws {
    // BLAKE2b-128 of "TokenVault key id" keyed with 32 bytes 0x41, by another implementation.
    #expect(try Sample.groupKey().identifier.rawValue == GroupKeyTests.expected)
    #expect(try Sample.groupKey(0x42).identifier != Sample.groupKey().identifier)
  }

  @Test func everyFlippedBitOfAKeyFileIsSeen() throws {
    let genuine = try Sample.groupKey().fileBytes
    for index in genuine.indices {
      for bit in 0..<8 {
        var bytes = genuine
        bytes[index] ^= 1 << bit
        #expect(throws: GroupKeyError.self, "byte \(index), bit \(bit)") {
          try GroupKey(file: bytes)
        }
      }
    }
  }

  @Test func everyOtherLengthIsSeen() throws {
    let genuine = try Sample.groupKey().fileBytes
    for length in 0..<genuine.count {
      #expect(throws: GroupKeyError.damaged) {
        try GroupKey(file: Array(genuine.prefix(length)))
      }
    }
    #expect(throws: GroupKeyError.damaged) { try GroupKey(file: genuine + [0]) }
  }

  @Test func anotherVersionIsToldFromDamage() throws {
    var bytes = try Sample.groupKey().fileBytes
    bytes[6] = 2
    #expect(throws: GroupKeyError.unsupportedVersion(2)) { try GroupKey(file: bytes) }
    #expect(
      GroupKeyError.unsupportedVersion(2).description
        == "the access group's key has version 2, and this program reads version 1; update it")
    #expect(GroupKeyError.damaged.description == "the access group's key is damaged")
  }

  @Test func aKeyHasThirtyTwoBytes() {
    #expect(throws: SecretMemoryError.invalidParameter) {
      try GroupKey(try SecretBytes(randomCount: 31))
    }
  }

  private static let expected: UInt64 = 0x6219_BB49_A155_2BBF
}
