import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

@Suite struct SnapshotHeaderTests {
  @Test func theEncoderWritesWhatTheFormatSays() throws {
    var made = HandMadeSnapshot()
    made.accountName = [1] + text("person@issuer.example")
    made.fingerprint = [1] + Array(0x30...0x3F)
    made.plaintext = Sample.record.withoutHostTokens.encoded
    var draft = Sample.draft(.session(Sample.record.withoutHostTokens))
    #expect(try Sample.snapshot(draft) == made.bytes())

    made.extensionBytes = [1, 2, 3]
    draft.extensionBytes = [1, 2, 3]
    #expect(try Sample.snapshot(draft) == made.bytes())
  }

  @Test(arguments: [1, 2, UInt64.max])
  func cr10GenerationsUpToTheLastAreKept(_ generation: UInt64) throws {
    let snapshot = try Sample.open(Sample.snapshot(Sample.draft(generation: generation)))
    #expect(snapshot.header.generation == generation)
  }

  @Test func cr10GenerationZeroIsRefused() throws {
    var made = HandMadeSnapshot()
    made.generation = 0
    let bytes = try made.bytes()
    #expect(throws: SnapshotError.corrupt(.shape)) { try Sample.open(bytes) }
    #expect(throws: SnapshotEncodingError.generationZero) {
      try Sample.snapshot(Sample.draft(generation: 0))
    }
  }

  @Test func cr12ExtensionBytesAreIgnored() throws {
    var made = HandMadeSnapshot()
    made.extensionBytes = Array(repeating: 0xEE, count: 300)
    let snapshot = try Sample.open(made.bytes())
    #expect(snapshot.header.generation == 7)
    #expect(snapshot.header.extensionBytes == made.extensionBytes)
  }

  @Test func cr12AnUnknownKindLeavesTheHeaderReadable() throws {
    var made = HandMadeSnapshot()
    made.kind = 4711
    made.reason = [1] + text("something")
    made.plaintext = [1, 2, 3]
    let snapshot = try Sample.open(made.bytes())
    #expect(snapshot.content == .unknown(RecordKind(rawValue: 4711)))
    #expect(snapshot.header.hostState == .ok)
    #expect(snapshot.header.reauthenticationReason?.rawValue == "something")
  }

  @Test(arguments: [UInt16(0), 2, 256, .max])
  func cr12AnUnknownFormatVersionIsRefusedBeforeAnythingElse(_ version: UInt16) throws {
    var made = HandMadeSnapshot()
    made.version = version
    made.headerLength = .max
    made.trailer = [1]
    let bytes = try made.bytes()
    #expect(throws: SnapshotError.unsupportedVersion(version)) { try Sample.open(bytes) }
    #expect(throws: SnapshotError.unsupportedVersion(version)) {
      try UnverifiedSnapshot(parsing: Array(bytes.prefix(8)))
    }
  }

  @Test(arguments: [
    SnapshotContent.signedOut, .reauthenticationRequired(.invalidGrant), .session(Sample.record),
  ])
  func everyKindComesBack(_ content: SnapshotContent) throws {
    let snapshot = try Sample.open(Sample.snapshot(Sample.draft(content)))
    #expect(snapshot.content.kind == content.kind)
    #expect(snapshot.header.kind == content.kind)
    if case .session = content { return }
    #expect(snapshot.content == content)
    #expect(snapshot.header.accessTokenExpiry == nil)
    #expect(snapshot.header.issuedAt == nil)
  }

  @Test(arguments: [
    HostState.ok, .renewing, .offline, .waiting(until: UnixTime(rawValue: -5)), .storageFailed,
    .locked,
  ])
  func everyHostStateComesBack(_ state: HostState) throws {
    var draft = Sample.draft()
    draft.hostState = state
    #expect(try Sample.open(Sample.snapshot(draft)).header.hostState == state)
  }

  @Test func anUnknownHostStateCountsAsWorking() throws {
    var made = HandMadeSnapshot()
    for time in [[0], [1] + little(5 as Int64)] {
      made.hostState = little(77 as UInt16) + time
      #expect(try Sample.open(made.bytes()).header.hostState == .ok)
    }
  }

  @Test func absentValuesComeBackAbsent() throws {
    var draft = Sample.draft(
      .session(
        StoredSessionV1(issuer: "i", clientId: "c", accessToken: "a", tokenType: "Bearer")))
    draft.accountName = nil
    draft.accountFingerprint = nil
    let header = try Sample.open(Sample.snapshot(draft)).header
    #expect(header.accessTokenExpiry == nil)
    #expect(header.accessTokenLifetime == nil)
    #expect(header.accountName == nil)
    #expect(header.accountFingerprint == nil)
    #expect(header.reauthenticationReason == nil)
  }

  @Test(arguments: ["", "name", "na\u{301}me\n", String(repeating: "ä", count: 128)])
  func accountNamesComeBackAsTheyAre(_ name: String) throws {
    var draft = Sample.draft()
    draft.accountName = name
    let header = try Sample.open(Sample.snapshot(draft)).header
    #expect(header.accountName.map { Array($0.utf8) } == Array(name.utf8))
  }

  @Test func aLongAccountNameIsCutBetweenCharacters() throws {
    var draft = Sample.draft()
    draft.accountName = "x" + String(repeating: "ä", count: 200)
    let header = try Sample.open(Sample.snapshot(draft)).header
    #expect(header.accountName == "x" + String(repeating: "ä", count: 127))
  }

  @Test(arguments: [
    Defect("kind 0", { $0.kind = 0 }),
    Defect("a namespace with a slash", { $0.namespace = "../x" }),
    Defect("no namespace", { $0.namespace = "" }),
    Defect("a group with a full stop in front", { $0.accessGroup = ".x" }),
    Defect("a long group", { $0.accessGroup = String(repeating: "x", count: 65) }),
    Defect("neither there nor absent", { $0.expiry[0] = 2 }),
    Defect("a session without issue time", { $0.issuedAt = [0] }),
    Defect("a session with a reason", { $0.reason = [1] + text("x") }),
    Defect("waiting for nothing", { $0.hostState = little(4 as UInt16) + [0] }),
    Defect("offline until", { $0.hostState = little(3 as UInt16) + [1] + little(5 as Int64) }),
    Defect("an account name that is not UTF-8", { $0.accountName = [1, 1, 0, 0xFF] }),
    Defect(
      "a long account name", { $0.accountName = [1] + text(String(repeating: "x", count: 257)) }),
    Defect("an extension past the end", { $0.extensionLength = 1 }),
    Defect("an extension past everything", { $0.extensionLength = .max }),
    Defect("a header with a tail", { $0.headerTail = [0] }),
    Defect("a header past the end", { $0.headerLength = .max }),
    Defect(
      "a host box too short", { $0.hostBox = little(40 as UInt32) + Array(repeating: 0, count: 40) }
    ),
    Defect("a host box past the end", { $0.hostBox = little(UInt32(40 + 1024 * 99)) }),
    Defect("another magic", { $0.magic = Array("TVSNAQ".utf8) }),
  ])
  func aGenuineSealDoesNotMakeUpFor(_ defect: Defect) throws {
    var made = HandMadeSnapshot()
    defect.change(&made)
    let bytes = try made.bytes()
    #expect(throws: SnapshotError.corrupt(.shape)) { try Sample.open(bytes) }
  }

  @Test(arguments: [
    Defect("signed out with an expiry", kind: 2, { $0.expiry = [1] + little(5 as Int64) }),
    Defect("signed out with an issue time", kind: 2, { $0.issuedAt = [1] + little(5 as Int64) }),
    Defect("signed out with a reason", kind: 2, { $0.reason = [1] + text("x") }),
    Defect("a new sign-in without reason", kind: 3, { _ in }),
    Defect("a new sign-in with an empty reason", kind: 3, { $0.reason = [1, 0, 0] }),
    Defect("a long reason", kind: 3, { $0.reason = [1] + text(String(repeating: "x", count: 65)) }),
  ])
  func aTombstoneHasWhatBelongsToIt(_ defect: Defect) throws {
    var made = HandMadeSnapshot.tombstone(kind: defect.kind)
    defect.change(&made)
    let bytes = try made.bytes()
    #expect(throws: SnapshotError.corrupt(.shape)) { try Sample.open(bytes) }
  }

  @Test func aTombstoneWithSomethingInsideIsRefused() throws {
    var made = HandMadeSnapshot.tombstone(kind: 2)
    made.plaintext = [1]
    let bytes = try made.bytes()
    #expect(throws: SnapshotError.corrupt(.record)) { try Sample.open(bytes) }
  }
}

/// A way in which a file breaks the format although its seal is genuine.
struct Defect: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let kind: UInt16
  let change: @Sendable (inout HandMadeSnapshot) -> Void

  init(
    _ description: String, kind: UInt16 = 1,
    _ change: @escaping @Sendable (inout HandMadeSnapshot) -> Void
  ) {
    testDescription = description
    self.kind = kind
    self.change = change
  }
}
