import GrantModel
import HostControl
import SessionHost
import SessionModel
import SnapshotStore
import TestSupport
import Testing

/// What becomes of a session while the host cannot store anything.
@Suite(.timeLimit(.minutes(1)))
struct StorageFailureTests {
  @Test func rf15ARotatedTokenThatCannotBeStoredIsKeptAndStoredLater() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { grant, journal in
      try? fixture.breakStore()
      return await issue(
        "access-2", refresh: "refresh-2", expiresAt: 1_000_120, previous: grant, journal: journal)
    }
    let report = await fixture.session.renew()
    guard case .failed(.storage, _) = report else {
      Issue.record("\(report)")
      return
    }
    #expect(fixture.lastAccessToken == "access-1")
    #expect(fixture.published.events.last?.hostState == .storageFailed)
    try fixture.mendStore()
    fixture.source.thenIssue("access-3", rotatingTo: "refresh-3", expiresAt: 1_000_120)
    while fixture.source.renewals.events.count < 2 {
      try await fixture.clock.advanceToNextSleeper()
    }
    #expect(fixture.source.renewals.events == ["refresh-1", "refresh-2"])
    await fixture.session.stop()
    #expect(try fixture.stored?.currentRefreshToken?.copiedText() == "refresh-3")
  }

  @Test func callersDoNotHurryADiskThatFails() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.clock.advance(by: .seconds(2))
    try fixture.breakStore()
    let report = await fixture.session.renew(validFor: nil)
    let events = fixture.log.events
    #expect(await fixture.session.renew(validFor: nil) == report)
    #expect(fixture.log.events == events, "nothing was tried")
    try fixture.mendStore()
    await fixture.session.stop()
  }

  @Test func rf15NothingThatIsNotStoredIsPublished() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { grant, journal in
      let outcome = await issue(
        "access-2", refresh: "refresh-2", expiresAt: 1_000_120, previous: grant, journal: journal)
      try? fixture.breakStore()
      return outcome
    }
    _ = await fixture.session.renew()
    #expect(fixture.lastAccessToken == "access-1")
    #expect(fixture.published.events.last?.hostState == .storageFailed)
    let before = fixture.published.events.count
    try fixture.mendStore()
    while fixture.published.events.count == before {
      try await fixture.clock.advanceToNextSleeper()
    }
    // What was obtained is published as soon as it is stored; nothing is asked for again.
    #expect(fixture.lastAccessToken == "access-2")
    #expect(fixture.published.events.last?.hostState == .ok)
    #expect(fixture.source.renewals.events.count == 1)
    await fixture.session.stop()
  }

  @Test func aSignOutThatCannotBeStoredLeavesTheSession() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    try fixture.breakStore()
    guard case .failed(.storage, let message) = await fixture.session.signOut() else {
      Issue.record("signed out without storing it")
      return
    }
    #expect(message.contains(fixture.directory.file("session")))
    #expect(fixture.lastAccessToken == "access-1")
    try fixture.mendStore()
    fixture.source.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_000_120)
    let report = await fixture.session.renew()
    guard case .renewed = report else {
      Issue.record("\(report)")
      return
    }
    #expect(fixture.source.revocations.events.isEmpty)
    #expect(fixture.lastAccessToken == "access-2")
    await fixture.session.stop()
  }

  @Test func noRenewalIsAskedForWithoutItsIntent() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    try fixture.breakStore()
    guard case .failed(.storage, _) = await fixture.session.renew() else {
      Issue.record("renewed without an intent")
      return
    }
    #expect(fixture.source.renewals.events.isEmpty)
    #expect(fixture.published.events.last?.hostState == .storageFailed)
    #expect(fixture.log.events.count { $0.hasPrefix("warning") } == 1)
    let step = await fixture.session.status().first?.nextStep
    #expect(step?.hasPrefix("mend that: the host tries again in ") == true)
    await fixture.session.stop()
  }

  @Test(arguments: [true, false])
  func st03AnEndThatCannotBeStoredIsTriedAgainWithoutHaste(isAutomatic: Bool) async throws {
    let fixture = try SessionFixture(policy: RenewalPolicy(isAutomatic: isAutomatic))
    await fixture.signIn()
    fixture.source.then { _, _ in
      try? fixture.breakStore()
      return .terminal(.invalidGrant)
    }
    _ = await fixture.session.renew()
    // A loop without a wait would never sleep again.
    for _ in 0..<20 {
      let steps = try await fixture.clock.waitForSleepers()
      #expect(steps.allSatisfy { $0 > .zero })
      try await fixture.clock.advanceToNextSleeper()
    }
    try fixture.mendStore()
    while try fixture.stored?.grant != nil { try await fixture.clock.advanceToNextSleeper() }
    #expect(fixture.source.renewals.events.count == 1)
    await fixture.session.stop()
  }

  @Test func rf15ATokenThatIsStillUnsavedAtTheEndIsRevoked() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { grant, journal in
      try? fixture.breakStore()
      return await issue(
        "access-2", refresh: "refresh-2", previous: grant, journal: journal)
    }
    _ = await fixture.session.renew()
    await fixture.session.stop()
    #expect(fixture.source.revocations.events == ["refresh-2"])
  }

  @Test func aSignInThatCannotBeStoredIsRevokedAndLeavesTheSession() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { grant, journal in
      try? fixture.breakStore()
      return await issue("access-2", refresh: "refresh-2", previous: grant, journal: journal)
    }
    let report = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    guard case .failed(.storage, _) = report else {
      Issue.record("\(report)")
      return
    }
    #expect(fixture.lastAccessToken == "access-1")
    // Not before it is stored that this token is not the session's: the file may say that it is.
    #expect(fixture.source.revocations.events.isEmpty)
    try fixture.mendStore()
    while fixture.source.revocations.events.isEmpty {
      try await fixture.clock.advanceToNextSleeper()
    }
    #expect(fixture.source.revocations.events == ["refresh-2"])
    await fixture.session.stop()
  }
}
