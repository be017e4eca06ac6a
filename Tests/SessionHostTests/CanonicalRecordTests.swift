import GrantModel
import SessionHost
import SessionModel
import SnapshotFormat
import StrictJSON
import Testing

@Suite struct CanonicalRecordTests {
  private static func grant(refresh: String? = "refresh-1") throws -> Grant {
    Grant(
      issuer: "https://id.example", clientId: "desktop", subject: "alice",
      accountName: "alice@example.com", accessToken: "access-1", tokenType: "Bearer",
      scope: "openid profile", issuedAt: UnixTime(rawValue: 1000),
      expiresAt: UnixTime(rawValue: 4600), refreshToken: try refresh.map { try RefreshToken($0) },
      idToken: "id-1", renewableUntil: UnixTime(rawValue: 99_000))
  }

  /// A record in which every member is set.
  private static func full() throws -> CanonicalRecord {
    var record = CanonicalRecord(life: SnapshotLife(rawValue: .max))
    record.generation = .max
    record.phase = .active(try grant())
    record.accountName = "A \u{1F511} \"quoted\" \\ name"
    record.obtainedAt = Instant(
      wall: UnixTime(rawValue: 1001), fraction: .milliseconds(250),
      boot: BootTime(rawValue: .max),
      bootIdentifier: try #require(BootIdentifier(bytes: Array(0..<16))))
    record.rotatedToken = try RefreshToken("rotated")
    record.rotationIntent = .init(startedAt: UnixTime(rawValue: 1234), isRetry: true)
    record.exchangeStartedAt = UnixTime(rawValue: 1200)
    record.signInToken = .refreshToken(try RefreshToken("half"))
    record.refusals = 3
    record.pendingRevocations = [
      .init(
        token: .refreshToken(try RefreshToken("old-1")), attempts: 2,
        expiresAt: UnixTime(rawValue: 99)),
      .init(token: .accessToken("old-2"), attempts: 0, expiresAt: UnixTime(rawValue: 100)),
    ]
    record.latchedFingerprint = Array(0..<16)
    var end = LoginEnd(issuer: "https://id.example")
    end.signedInAt = UnixTime(rawValue: 900)
    end.isFixed = true
    end.ages = .init(alive: .seconds(500), over: .seconds(600))
    end.count = 2
    end.warnedOf = UnixTime(rawValue: 98_000)
    record.loginEnd = end
    return record
  }

  @Test func everyMemberComesBack() throws {
    let record = try Self.full()
    let read = try CanonicalRecord(decoding: record.encoded())
    #expect(read.encoded() == record.encoded())
    #expect(read.life == record.life)
    #expect(read.generation == .max)
    #expect(read.grant?.subject == "alice")
    #expect(read.grant?.idToken == "id-1")
    #expect(read.accountName == record.accountName)
    #expect(read.obtainedAt == record.obtainedAt)
    #expect(read.rotationIntent == record.rotationIntent)
    #expect(read.exchangeStartedAt == UnixTime(rawValue: 1200))
    #expect(read.signInToken?.copiedText() == "half")
    #expect(read.refusals == 3)
    #expect(read.pendingRevocations.map { $0.token.copiedText() } == ["old-1", "old-2"])
    #expect(read.pendingRevocations.map(\.attempts) == [2, 0])
    #expect(read.pendingRevocations.map(\.expiresAt.rawValue) == [99, 100])
    #expect(read.latchedFingerprint == Array(0..<16))
    #expect(read.loginEnd == record.loginEnd)
    #expect(read.grant?.renewableUntil == UnixTime(rawValue: 99_000))
    #expect(
      read.revocableTokens.map { $0.copiedText() }
        == ["refresh-1", "rotated", "half", "old-1", "old-2"])
  }

  @Test func anAccessTokenOfASignInComesBackAsSuch() throws {
    var record = try Self.full()
    record.signInToken = .accessToken("half")
    let read = try CanonicalRecord(decoding: record.encoded())
    #expect(read.encoded() == record.encoded())
    #expect(read.signInToken?.isSame(as: .accessToken("half")) == true)
    #expect(read.pendingRevocations.last?.token.isSame(as: .accessToken("old-2")) == true)
  }

  /// An older host stops at a member that it does not know: none is there without a need.
  @Test func aRecordOfRefreshTokensIsWhatAnOlderHostReads() throws {
    var record = try Self.full()
    record.pendingRevocations.removeLast()
    let object = try #require(try JSONValue(parsing: record.encoded()).object)
    #expect(object.members.map(\.name).contains("signInToken"))
    #expect(!object.members.map(\.name).contains("signInAccessToken"))
    let entry = try #require(object["pendingRevocations"]?.array?.first?.object)
    #expect(entry.members.map(\.name) == ["token", "attempts", "expiresAt"])
  }

  @Test func aGrantWithoutARefreshTokenIsRevokedByItsAccessToken() throws {
    var record = CanonicalRecord(life: SnapshotLife(rawValue: 7))
    record.begin(try Self.grant(refresh: nil), now: UnixTime(rawValue: 0))
    record.end(as: .signedOut, now: UnixTime(rawValue: 0), revoking: true)
    #expect(record.pendingRevocations.first?.token.isSame(as: .accessToken("access-1")) == true)
    // Some providers hand over the same token at the next sign-in.
    record.noteSignIn(.accessToken("access-1"), now: UnixTime(rawValue: 1))
    record.begin(try Self.grant(refresh: nil), now: UnixTime(rawValue: 1))
    #expect(record.pendingRevocations.isEmpty)
    #expect(record.signInToken == nil)
  }

  @Test func everyPhaseComesBack() throws {
    var record = CanonicalRecord(life: SnapshotLife(rawValue: 0))
    for phase: CanonicalRecord.Phase in [
      .empty, .signedOut, .reauthenticationRequired(.lostRotation), .active(try Self.grant()),
    ] {
      record.phase = phase
      let read = try CanonicalRecord(decoding: record.encoded())
      #expect("\(read.phase)" == "\(phase)")
      #expect(read.encoded() == record.encoded())
    }
    #expect(record.pendingRevocations.isEmpty)
    record.isRollbackSuspected = true
    #expect(try CanonicalRecord(decoding: record.encoded()).refusal == .rollbackSuspected)
  }

  private static func text(_ change: (inout JSONObject) -> Void) throws -> [UInt8] {
    var object = try #require(try JSONValue(parsing: try full().encoded()).object)
    change(&object)
    return object.encoded()
  }

  @Test func whatANewerHostWroteIsToldApart() throws {
    #expect(throws: RecordFormatError(member: "record.future", isOfNewerHost: true)) {
      try CanonicalRecord(decoding: Self.text { $0["future"] = .bool(true) })
    }
    #expect(throws: RecordFormatError(member: "record.version", isOfNewerHost: true)) {
      try CanonicalRecord(decoding: Self.text { $0["version"] = .integer(2) })
    }
    #expect(throws: RecordFormatError(member: "grant.future", isOfNewerHost: true)) {
      try CanonicalRecord(
        decoding: Self.text { record in
          var grant = record["grant"]?.object ?? JSONObject([])
          grant["future"] = .integer(1)
          record["grant"] = .object(grant)
        })
    }
  }

  @Test(arguments: [
    "version", "life", "generation", "phase", "refusals", "pendingRevocations", "grant",
    "rotationIsRetry",
  ])
  func aMissingMemberIsNamed(member: String) throws {
    let bytes = try Self.text { $0[member] = nil }
    do {
      _ = try CanonicalRecord(decoding: bytes)
      Issue.record("decoded without \(member)")
    } catch {
      #expect(error.member.hasSuffix(member))
      #expect(!error.isOfNewerHost)
    }
  }

  @Test(arguments: [
    "version", "life", "generation", "phase", "refusals", "accountName", "grant", "rotatedToken",
    "rotationStartedAt", "rotationIsRetry", "signInToken", "pendingRevocations",
    "latchedFingerprint",
  ])
  func aMemberOfAnotherTypeIsRefused(member: String) throws {
    for value: JSONValue in [.null, .real(1.5), .object(JSONObject([("a", .null)]))] {
      let bytes = try Self.text { $0[member] = value }
      #expect(throws: RecordFormatError.self) { try CanonicalRecord(decoding: bytes) }
    }
  }

  @Test(arguments: [
    ("life", JSONValue.string("not hexadecimal")), ("generation", .string("-1")),
    ("generation", .string("18446744073709551616")), ("refusals", .integer(-1)),
    ("refusals", .integer(.max)), ("version", .integer(0)), ("phase", .string("asleep")),
    ("latchedFingerprint", .string("=not base64=")),
  ])
  func aValueOutOfRangeIsRefused(member: String, value: JSONValue) throws {
    let bytes = try Self.text { $0[member] = value }
    #expect(throws: RecordFormatError(member: "record." + member)) {
      try CanonicalRecord(decoding: bytes)
    }
  }

  @Test(arguments: ["", "{", "[]", "null", "{}", "\u{0}"])
  func whatIsNoRecordIsRefused(text: String) {
    #expect(throws: RecordFormatError.self) { try CanonicalRecord(decoding: Array(text.utf8)) }
  }

  @Test func theTokenInForceIsNeverPutOnTheListOfRevocations() throws {
    var record = try Self.full()
    record.pendingRevocations = []
    record.queueRevocation(
      of: .refreshToken(try RefreshToken("rotated")), now: UnixTime(rawValue: 0))
    #expect(record.pendingRevocations.isEmpty)
    record.end(as: .signedOut, now: UnixTime(rawValue: 0), revoking: true)
    #expect(record.pendingRevocations.map { $0.token.copiedText() } == ["rotated"])
    #expect(record.pendingRevocations.first?.expiresAt == UnixTime(rawValue: 7 * 86_400))
    #expect(record.latchedFingerprint != nil, "the end does not open the latch")
  }

  @Test func aSignInPutsEveryTokenThatItReplacesOnTheList() throws {
    var record = try Self.full()
    record.pendingRevocations = []
    record.begin(try Self.grant(refresh: "new"), now: UnixTime(rawValue: 0))
    #expect(record.pendingRevocations.map { $0.token.copiedText() } == ["rotated", "half"])
    #expect(record.revocableTokens.first?.copiedText() == "new")
    #expect(record.rotationIntent == nil)
    #expect(record.latchedFingerprint != nil, "a new token does not open the latch of another")
  }

  @Test func anInterruptionIsSettledOnce() throws {
    var record = try Self.full()
    record.rotationIntent = .init(startedAt: UnixTime(rawValue: 5), isRetry: false)
    let isFirst = record.settleInterruption(now: UnixTime(rawValue: 9))
    #expect(isFirst)
    #expect(record.exchangeStartedAt == nil)
    #expect(record.rotationIntent == .init(startedAt: UnixTime(rawValue: 5), isRetry: true))
    #expect(record.signInToken == nil)
    #expect(record.pendingRevocations.last?.token.copiedText() == "half")
    let isAgain = record.settleInterruption(now: UnixTime(rawValue: 9))
    #expect(!isAgain)
  }
}
