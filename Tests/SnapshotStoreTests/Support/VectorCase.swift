import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

/// How one committed vector was made.
struct VectorCase: Sendable, CustomTestStringConvertible {
  /// The file's name without its ending.
  let name: String
  /// One sentence for the file.
  let description: String
  /// Which sample key the vector's key file holds.
  var keyByte: UInt8 = 0x41
  /// The namespace in whose directory a reader is to have found it.
  var foundInNamespace = "primary"
  /// Makes the snapshot.
  let build: @Sendable () throws -> [UInt8]

  var testDescription: String { name }

  /// What `HostBoxKey` derives from the sample's master key.
  static let hostBoxKey = hex("d96ca2c0a6c0f0b237638bc16c25564a432bad9ba395e6c563d01b722f3b11e4")

  static let all = genuine + handMade + refused

  private static let genuine: [VectorCase] = [
    VectorCase(
      name: "session", description: "A session; its refresh and ID token are in the host box."
    ) {
      try Sample.snapshot()
    },
    VectorCase(
      name: "session-shared",
      description: "A session whose refresh and ID token are shared with the readers."
    ) {
      try Sample.snapshot(sharesHostTokens: true)
    },
    VectorCase(
      name: "session-without-optional-values",
      description: "A session without anything optional, and without a host box."
    ) {
      var draft = Sample.draft(
        .session(
          StoredSessionV1(
            issuer: "https://issuer.example", clientId: "c", accessToken: "a",
            tokenType: "Bearer")))
      draft.accountName = nil
      draft.accountFingerprint = nil
      return try Sample.snapshot(draft)
    },
    VectorCase(
      name: "session-waiting",
      description: "The greatest generation, a waiting host and extension bytes to be ignored."
    ) {
      var draft = Sample.draft(generation: .max)
      draft.hostState = .waiting(until: UnixTime(rawValue: 1_799_996_999))
      draft.accountName = "J\u{FC}rgen \u{1F510}\u{1B}[1m"
      draft.extensionBytes = Array(0...200)
      return try Sample.snapshot(draft)
    },
    VectorCase(
      name: "session-two-blocks", description: "A session whose record needs two padding blocks."
    ) {
      try Sample.snapshot(
        Sample.draft(
          .session(
            StoredSessionV1(
              issuer: "https://issuer.example", clientId: "desktop",
              accessToken: String(repeating: "token.", count: 200), tokenType: "DPoP",
              scope: "openid", expiresAt: UnixTime(rawValue: 0)))))
    },
    VectorCase(name: "signed-out", description: "A tombstone: the person signed out.") {
      try Sample.snapshot(Sample.draft(.signedOut))
    },
    VectorCase(
      name: "reauthentication-required",
      description: "A tombstone: the provider has ended the session."
    ) {
      try Sample.snapshot(Sample.draft(.reauthenticationRequired(.invalidGrant)))
    },
    VectorCase(
      name: "unknown-kind", description: "A kind of record that format version 1 does not name."
    ) {
      try Sample.snapshot(Sample.draft(.unknown(RecordKind(rawValue: 4))))
    },
  ]

  private static let handMade: [VectorCase] = [
    VectorCase(
      name: "null-members", description: "A record whose optional members are null."
    ) {
      var made = HandMadeSnapshot()
      made.expiry = [0]
      made.plaintext = Array(
        #"{"version":1,"issuer":"i","clientId":"c","accessToken":"a","tokenType":"Bearer","#
          .utf8)
      made.plaintext += Array(
        #""refreshToken":null,"idToken":null,"scope":null,"expiresAt":null}"#.utf8)
      return try made.bytes()
    },
    VectorCase(
      name: "unknown-host-state", description: "A host state that reads as 1 (works as planned)."
    ) {
      var made = HandMadeSnapshot()
      made.hostState = little(99 as UInt16) + [1] + little(5 as Int64)
      return try made.bytes()
    },
  ]

  private static let refused: [VectorCase] = [
    VectorCase(
      name: "unknown-version", description: "Format version 2, which is told before anything else."
    ) {
      var bytes = try Sample.snapshot()
      bytes[6] = 2
      return bytes
    },
    VectorCase(name: "trailing-byte", description: "One byte after the reader box.") {
      try Sample.snapshot() + [0]
    },
    VectorCase(name: "cut", description: "The last byte is missing.") {
      try Sample.snapshot().dropLast()
    },
    VectorCase(name: "flipped-header-bit", description: "Another generation under the old seal.") {
      var bytes = try Sample.snapshot()
      bytes[28] ^= 1
      return bytes
    },
    VectorCase(
      name: "flipped-host-box-bit", description: "A changed bit in the box that no reader opens."
    ) {
      var bytes = try Sample.snapshot()
      bytes[bytes.count - 1068 - 1] ^= 0x80
      return bytes
    },
    VectorCase(
      name: "boxes-of-another-generation", description: "The boxes of generation 5 behind header 6."
    ) {
      let five = try Sample.snapshot(Sample.draft(generation: 5))
      let six = try Sample.snapshot(Sample.draft(generation: 6))
      return Array(six.dropLast(2 * 1068)) + five.suffix(2 * 1068)
    },
    VectorCase(
      name: "other-key", description: "The group has another key than the snapshot names.",
      keyByte: 0x42
    ) {
      try Sample.snapshot()
    },
    VectorCase(
      name: "other-namespace", description: "A genuine snapshot in another namespace's directory.",
      foundInNamespace: "work"
    ) {
      try Sample.snapshot()
    },
    VectorCase(name: "generation-zero", description: "A genuine seal over the generation 0.") {
      var made = HandMadeSnapshot()
      made.generation = 0
      return try made.bytes()
    },
    VectorCase(name: "header-tail", description: "A genuine seal over a header with a tail.") {
      var made = HandMadeSnapshot()
      made.headerTail = [0]
      return try made.bytes()
    },
    VectorCase(name: "record-version-2", description: "A record of version 2.") {
      var made = HandMadeSnapshot()
      made.plaintext = Array(#"{"version":2,"tokens":[{"a":1}]}"#.utf8)
      return try made.bytes()
    },
    VectorCase(name: "record-unknown-member", description: "A record with a member too many.") {
      var made = HandMadeSnapshot()
      made.expiry = [0]
      made.plaintext = Array(
        #"{"version":1,"issuer":"i","clientId":"c","accessToken":"a","tokenType":"t","x":1}"#
          .utf8)
      return try made.bytes()
    },
    VectorCase(name: "tombstone-not-empty", description: "A tombstone with something inside.") {
      var made = HandMadeSnapshot.tombstone(kind: 2)
      made.plaintext = [0x7B, 0x7D]
      return try made.bytes()
    },
    VectorCase(name: "wrong-padding", description: "A genuine seal over 1024 zeros.") {
      var made = HandMadeSnapshot()
      made.padded = Array(repeating: 0, count: 1024)
      return try made.bytes()
    },
  ]
}
