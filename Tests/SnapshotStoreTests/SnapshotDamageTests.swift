import SecretMemory
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

@Suite struct SnapshotDamageTests {
  @Test func cr01EveryFlippedBitIsRefused() throws {
    let genuine = try Sample.snapshot()
    let key = try Sample.groupKey()
    for index in genuine.indices {
      for bit in 0..<8 {
        var bytes = genuine
        bytes[index] ^= 1 << bit
        #expect(throws: SnapshotError.self, "byte \(index), bit \(bit)") {
          try Sample.open(bytes, key: key)
        }
      }
    }
  }

  @Test func aFlippedBitInTheHostBoxIsSeenWithoutTheHostsKey() throws {
    var bytes = try Sample.snapshot()
    // The reader box with its length is the last 1068 bytes of this file.
    bytes[bytes.count - 1068 - 100] ^= 1
    #expect(throws: SnapshotError.corrupt(.seal)) { try Sample.open(bytes) }
  }

  @Test func aFileCutAnywhereIsRefused() throws {
    let genuine = try Sample.snapshot()
    let key = try Sample.groupKey()
    for length in 0..<genuine.count {
      #expect(throws: SnapshotError.self, "cut to \(length)") {
        try Sample.open(Array(genuine.prefix(length)), key: key)
      }
    }
  }

  /// Whatever its version: it is not decoded.
  @Test func aRecordInTheWrongDirectoryIsNotLookedAt() throws {
    var made = HandMadeSnapshot()
    made.plaintext = Array(#"{"version":2}"#.utf8)
    let bytes = try made.bytes()
    #expect(throws: SnapshotError.unsupportedRecordVersion(2)) { try Sample.open(bytes) }
    let other = SnapshotPlace(namespace: try #require(Namespace("work")))
    #expect(throws: SnapshotError.corrupt(.misplaced)) { try Sample.open(bytes, place: other) }
  }

  @Test func aByteTooManyIsRefused() throws {
    #expect(throws: SnapshotError.corrupt(.shape)) {
      try Sample.open(Sample.snapshot() + [0])
    }
  }

  @Test func anythingElseIsRefusedWithoutACrash() throws {
    var random = SeededGenerator(seed: 1)
    let genuine = try Sample.snapshot()
    for _ in 0..<3_000 {
      var bytes = genuine
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        let index = Int.random(in: 8..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
        }
      }
      guard bytes != genuine else { continue }
      #expect(throws: SnapshotError.self) { try Sample.open(bytes) }
    }
  }

  @Test func cr02ASnapshotOfAnotherNamespaceOrGroupIsRefused() throws {
    let other = try #require(Namespace("other"))
    let bytes = try Sample.snapshot()
    #expect(throws: SnapshotError.corrupt(.misplaced)) {
      try Sample.open(bytes, place: SnapshotPlace(namespace: other))
    }
    let group = try #require(AccessGroup("other"))
    #expect(throws: SnapshotError.corrupt(.misplaced)) {
      try Sample.open(bytes, place: SnapshotPlace(accessGroup: group, namespace: .primary))
    }
  }

  @Test func cr06AGroupsKeyForgesNothingForAnotherGroup() throws {
    // Whoever reads a group has its key, and may write what the group's readers take for genuine if
    // the directory's mode lets it: that mode is the defence. Another group's readers see through it.
    let group = try #require(AccessGroup("other"))
    let place = SnapshotPlace(accessGroup: group, namespace: .primary)
    let forged = try Sample.snapshot(
      Sample.draft(generation: 900, place: place), key: Sample.groupKey(0x41))
    #expect(throws: SnapshotError.keyUnavailable) {
      try Sample.open(forged, key: Sample.groupKey(0x42), place: place)
    }
    // Nor does it help to claim the other key: the reader box is not sealed with it.
    var made = HandMadeSnapshot()
    made.keyIdentifier = little(try Sample.groupKey(0x42).identifier.rawValue)
    let claimed = try made.bytes()
    #expect(throws: SnapshotError.corrupt(.seal)) {
      try Sample.open(claimed, key: Sample.groupKey(0x42))
    }
  }

  @Test func cr03BoxesOfAnotherGenerationAreRefused() throws {
    let five = try Sample.snapshot(Sample.draft(generation: 5))
    let six = try Sample.snapshot(Sample.draft(generation: 6))
    #expect(five.count == six.count)
    let readerBox = five.count - 1068
    let hostBox = readerBox - 1068
    let mixed = [
      six[..<readerBox] + five[readerBox...],
      six[..<hostBox] + five[hostBox..<readerBox] + six[readerBox...],
      six[..<hostBox] + five[hostBox...],
    ]
    for bytes in mixed {
      #expect(throws: SnapshotError.corrupt(.seal)) { try Sample.open(Array(bytes)) }
    }
  }

  @Test func cr03ExchangedBoxesAreRefused() throws {
    let genuine = try Sample.snapshot()
    let readerBox = genuine.count - 1068
    let hostBox = readerBox - 1068
    let exchanged = genuine[..<hostBox] + genuine[readerBox...] + genuine[hostBox..<readerBox]
    #expect(throws: SnapshotError.corrupt(.seal)) { try Sample.open(Array(exchanged)) }
  }

  @Test func aBoxUnderTheRightKeyButTheOtherNameIsRefused() throws {
    let key = try SecretBytes(copying: Array(repeating: 0x41, count: 32))
    let genuine = try Sample.snapshot()
    let start = genuine.count - 1068
    let nonce = Array(genuine[(start + 4)..<(start + 28)])
    let plaintext = try AuthenticatedCipher.open(
      Array(genuine[(start + 28)...]),
      associatedData: Array(genuine[..<start]) + Array("reader".utf8), nonce: nonce, key: key
    ).copiedBytes()
    let renamed = try AuthenticatedCipher.seal(
      plaintext, associatedData: Array(genuine[..<start]) + Array("host".utf8), nonce: nonce,
      key: key)
    #expect(throws: SnapshotError.corrupt(.seal)) {
      try Sample.open(Array(genuine[..<(start + 28)]) + renamed)
    }
  }

  @Test func anotherKeyIsToldFromDamage() throws {
    let bytes = try Sample.snapshot()
    #expect(throws: SnapshotError.keyUnavailable) {
      try Sample.open(bytes, key: try Sample.groupKey(0x42))
    }
  }

  @Test func moreThanTheLimitIsTooLarge() {
    #expect(throws: SnapshotError.tooLarge) {
      try UnverifiedSnapshot(parsing: Array(repeating: 0, count: 262_145))
    }
    #expect(throws: SnapshotError.corrupt(.shape)) {
      try UnverifiedSnapshot(parsing: Array(repeating: 0, count: 262_144))
    }
  }

  @Test(arguments: [
    (
      SnapshotError.corrupt(.seal), SessionState.corrupt,
      "the snapshot is damaged (its seal is broken);"
        + " the host replaces it at its next publication"
    ),
    (
      .corrupt(.shape), .corrupt,
      "the snapshot is damaged (not the shape of a snapshot);"
        + " the host replaces it at its next publication"
    ),
    (
      .corrupt(.misplaced), .corrupt,
      "the snapshot is damaged (it belongs to another namespace or access group);"
        + " the host replaces it at its next publication"
    ),
    (
      .corrupt(.record), .corrupt,
      "the snapshot is damaged (no session record inside);"
        + " the host replaces it at its next publication"
    ),
    (
      .unsupportedVersion(2), .unsupportedVersion,
      "the snapshot has format version 2, and this program reads version 1; update it"
    ),
    (
      .unsupportedRecordVersion(2), .unsupportedVersion,
      "the session record has version 2, and this program reads version 1; update it"
    ),
    (
      .keyUnavailable, .keyUnavailable,
      "the snapshot was sealed with another key than the access group's"
    ),
    (.tooLarge, .corrupt, "the snapshot is longer than 262144 bytes"),
  ])
  func errorsSayWhatHappened(_ error: SnapshotError, state: SessionState, text: String) {
    #expect(error.description == text)
    #expect(error.sessionState == state)
  }
}
