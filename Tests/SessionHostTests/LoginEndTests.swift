import GrantModel
import HostControl
import SessionHost
import SessionModel
import SnapshotFormat
import TestSupport
import Testing

/// When a login ends whatever the host renews, and who is told of it.
@Suite(.timeLimit(.minutes(1)))
struct LoginEndTests {
  private static let day: Int64 = 86_400

  private static func time(_ seconds: Int64) -> UnixTime { UnixTime(rawValue: seconds) }

  private static func grant(
    at issuedAt: Int64, until end: Int64? = nil, issuer: String = "https://id.example"
  ) -> Grant {
    Grant(
      issuer: issuer, clientId: "desktop", subject: "alice", accountName: nil,
      accessToken: "access", tokenType: "Bearer", scope: nil, issuedAt: time(issuedAt),
      expiresAt: time(issuedAt + 3600), refreshToken: nil, idToken: nil,
      renewableUntil: end.map { time($0) })
  }

  /// What is known after a sign-in at the moment zero and renewals of an hour's distance.
  private static func end(_ ends: [Int64?]) -> (LoginEnd, Grant) {
    var known = LoginEnd(issuer: "https://id.example")
    var grant = grant(at: 0, until: ends[0])
    known.begin(grant, now: time(0))
    for (index, end) in ends.enumerated().dropFirst() {
      let next = Self.grant(at: Int64(index) * 3600, until: end)
      known.renew(grant, as: next)
      grant = next
    }
    return (known, grant)
  }

  @Test(
    arguments: [
      // Nothing stated; not renewed yet; moved along; moved, then fixed; fixed; moved by a rounding.
      ([nil, nil], nil), ([80_000], nil), ([7200, 10_800, 14_400], nil),
      ([36_000, 39_600, 39_600], 39_600), ([80_000, 80_000], 80_000), ([80_000, 80_001], 80_001),
      // Fixed, and then it moves; not stated any more.
      ([80_000, 80_000, 90_000], nil), ([80_000, 80_000, nil], nil),
    ] as [([Int64?], Int64?)])
  func aStatedEndCountsWhereARenewalLeavesIt(ends: [Int64?], expected: Int64?) {
    let (known, grant) = Self.end(ends)
    let found = known.expected(of: grant)
    #expect(found?.at.rawValue == expected)
    #expect(found?.isLearnt != true)
  }

  @Test func twoRenewalsInARowSayNothingOfWhatMoves() {
    var (known, grant) = Self.end([7200, 10_800])
    known.renew(grant, as: Self.grant(at: 3601, until: 10_800))
    #expect(known.expected(of: grant) == nil)
    (known, grant) = Self.end([80_000, 80_000])
    known.renew(grant, as: Self.grant(at: 3601, until: 80_002))
    #expect(known.expected(of: grant) != nil)
  }

  @Test(arguments: [
    // An eighth of the login before, and a day at most.
    (80_000, 70_000), (7 * day, 7 * day - day * 7 / 8), (80 * day, 79 * day),
  ])
  func thereIsTimeToSignInAgain(end: Int64, warning: Int64) {
    var (known, grant) = Self.end([end, end])
    #expect(known.warningTime(of: grant) == Self.time(warning))
    known.warnedOf = Self.time(end)
    #expect(known.warningTime(of: grant) == nil, "once")
    // The provider has given more.
    let later = Self.grant(at: 7200, until: end + 30 * Self.day)
    known.renew(grant, as: later)
    known.renew(later, as: Self.grant(at: 10_800, until: end + 30 * Self.day))
    #expect(known.warningTime(of: later) != nil)
  }

  @Test func ofALoginWhoseBeginningIsNotKnownADayIsToldBefore() {
    var (known, grant) = Self.end([80 * Self.day, 80 * Self.day])
    known.signedInAt = nil
    #expect(known.warningTime(of: grant) == Self.time(79 * Self.day))
  }

  /// Lives a login from a moment on: its last renewal and its refusal.
  private static func live(
    _ known: inout LoginEnd, from start: Int64, alive: Int64, over: Int64,
    issuer: String = "https://id.example"
  ) {
    known.begin(grant(at: start, issuer: issuer), now: time(start))
    known.end(grant(at: start + alive, issuer: issuer), now: time(start + over))
  }

  /// What is expected of a login that begins at the moment 10,000,000.
  private static func expected(_ known: LoginEnd) -> Int64? {
    var known = known
    let grant = grant(at: 10_000_000)
    known.begin(grant, now: time(10_000_000))
    return known.expected(of: grant).map { $0.at.rawValue - 10_000_000 }
  }

  @Test func twoLoginsOfOneAgeMakeARuleAndOneDoesNot() {
    var known = LoginEnd(issuer: "https://id.example")
    Self.live(&known, from: 0, alive: 604_000, over: 606_000)
    #expect(Self.expected(known) == nil)
    Self.live(&known, from: 1_000_000, alive: 603_000, over: 605_000)
    #expect(Self.expected(known) == 604_000)
    // A third one that ends by something else.
    Self.live(&known, from: 2_000_000, alive: 100_000, over: 101_000)
    #expect(Self.expected(known) == nil)
  }

  @Test func anEndThatNobodySawComingProvesNothing() {
    var known = LoginEnd(issuer: "https://id.example")
    for start in [Int64(0), 1_000_000, 2_000_000] {
      Self.live(&known, from: start, alive: 300_000, over: 605_000)
    }
    #expect(Self.expected(known) == nil)
  }

  @Test func aLoginThatLivesLongerUndoesTheRule() {
    var known = LoginEnd(issuer: "https://id.example")
    Self.live(&known, from: 0, alive: 604_000, over: 606_000)
    Self.live(&known, from: 1_000_000, alive: 604_000, over: 606_000)
    let first = Self.grant(at: 2_000_000)
    known.begin(first, now: Self.time(2_000_000))
    #expect(known.expected(of: first)?.isLearnt == true)
    known.renew(first, as: Self.grant(at: 2_606_001))
    #expect(Self.expected(known) == nil)
  }

  @Test func anotherProviderHasRulesOfItsOwn() {
    var known = LoginEnd(issuer: "https://id.example")
    Self.live(&known, from: 0, alive: 604_000, over: 606_000)
    Self.live(&known, from: 1_000_000, alive: 604_000, over: 606_000, issuer: "https://b.example")
    #expect(Self.expected(known) == nil)
  }

  @Test func aPersonIsWarnedOnceBeforeTheLoginItselfEnds() async throws {
    let fixture = try SessionFixture()
    let session = fixture.session
    await session.start()
    fixture.source.then { grant, journal in
      await issue(
        "access-1", refresh: "refresh-1", renewableUntil: 1_008_000, previous: grant,
        journal: journal)
    }
    _ = await session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(await session.status().first?.loginEndsAt == nil)
    fixture.source.then { grant, journal in
      await issue(
        "access-2", refresh: "refresh-2", expiresAt: 1_007_945, issuedAt: 1_000_045,
        renewableUntil: 1_008_000, previous: grant, journal: journal)
    }
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(45))
    _ = try await fixture.published.wait(count: 2)
    let status = try #require(await session.status().first)
    #expect(status.loginEndsAt == UnixTime(rawValue: 1_008_000))
    #expect(status.loginEndsIn == .seconds(7955))
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(6954))
    try await fixture.clock.waitForSleepers()
    #expect(fixture.failures.events.isEmpty)
    fixture.clock.advance(by: .seconds(1))
    let told = try await fixture.failures.wait(count: 1)
    let text =
      "the provider ends this login in 16m40s, however often it is renewed; sign in again before:"
      + " tokenvault sign-in primary"
    #expect(told == [text])
    #expect(fixture.log.events.contains("warning: primary: \(text)"))
    let matter = PersonMatter(
      .loginEnds(UnixTime(rawValue: 1_008_000), isLearnt: false), account: "alice@example.com")
    #expect(fixture.matters.events == [nil, matter])
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(200))
    try await fixture.clock.waitForSleepers()
    #expect(fixture.failures.events == [text])
    await session.stop()
    let next = try SessionFixture(record: try fixture.stored)
    next.clock.advance(by: .seconds(7300))
    await next.session.start()
    try await next.clock.waitForSleepers()
    #expect(next.failures.events.isEmpty, "nor by the next host")
    #expect(next.matters.events == [matter])
    await next.session.stop()
  }

  @Test func aRefreshTokenThatEndsFirstIsRenewedInTimeAndNotInAStorm() async throws {
    let fixture = try SessionFixture()
    let session = fixture.session
    await session.start()
    fixture.source.then { grant, journal in
      await issue(
        "access-1", refresh: "refresh-1", expiresAt: 1_003_600, issuedAt: 1_000_000,
        renewableUntil: 1_001_800, previous: grant, journal: journal)
    }
    _ = await session.signIn(GrantModel.SignInRequest()) { _ in }
    fixture.source.then { grant, journal in
      await issue(
        "access-2", refresh: "refresh-2", expiresAt: 1_005_340, issuedAt: 1_001_740,
        renewableUntil: 1_001_800, previous: grant, journal: journal)
    }
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(1739))
    try await fixture.clock.waitForSleepers()
    #expect(fixture.source.renewals.events.isEmpty)
    fixture.clock.advance(by: .seconds(1))
    _ = try await fixture.published.wait(count: 2)
    // It cannot be moved: nothing is gained by asking faster and faster.
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(59))
    try await fixture.clock.waitForSleepers()
    #expect(fixture.source.renewals.events == ["refresh-1"])
    await session.stop()
  }
}
