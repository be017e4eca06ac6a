import GrantModel
import HostControl
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

/// How often the provider is asked, whatever it or the callers do.
@Suite(.timeLimit(.minutes(1)))
struct RenewalPacingTests {
  @Test(arguments: [0, -5])
  func rf17ATokenThatIsBornExpiredCausesNoStorm(lifetime: Int64) async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    for _ in 0..<50 { fixture.source.thenIssueOnce(lifetime: lifetime) }
    for _ in 0..<10 { try await fixture.clock.advanceToNextSleeper() }
    let elapsed = fixture.clock.now.offset
    #expect(fixture.source.renewals.events.count <= Int(elapsed / .seconds(30)) + 1)
    await fixture.session.stop()
  }

  @Test func theHostCountsATokensEndAsItsReadersDo() async throws {
    let planned = try SessionFixture()
    await planned.session.start()
    // The token counts from the whole second in which it was asked for, 900 ms ago.
    planned.clock.advance(by: .milliseconds(900))
    await planned.signIn()
    #expect(try await planned.clock.waitForSleepers(1).contains(.milliseconds(44_100)))
    await planned.session.stop()

    let asked = try SessionFixture(policy: RenewalPolicy(isAutomatic: false))
    asked.clock.advance(by: .milliseconds(900))
    await asked.signIn()
    asked.clock.advance(by: .milliseconds(58_300))
    _ = await asked.session.renew(validFor: .seconds(1))
    #expect(asked.source.renewals.events.count == 1, "800 ms are left")
    await asked.session.stop()
  }

  @Test(arguments: [
    (TransientCause.tls("self-signed"), HostState.offline),
    (.oauth(code: "invalid_client"), waiting), (.oauth(code: "unauthorized_client"), waiting),
    (.oauth(code: "unsupported_grant_type"), waiting),
  ])
  func rf11AndRf12WhatAPersonHasToMendIsNotAskedAgainSoonWhoeverAsks(
    cause: TransientCause, state: HostState
  ) async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .transient(cause, retryAfter: nil) }
    _ = await fixture.session.renew()
    fixture.clock.advance(by: .seconds(290))
    let reason: ControlFailureReason = state == .offline ? .offline : .waiting
    #expect(
      await fixture.session.renew(validFor: nil) == .failed(reason, cause.description))
    #expect(fixture.source.renewals.events.count == 1)
    #expect(fixture.published.events.last?.hostState == state)
    #expect(fixture.lastAccessToken == "access-1")
    #expect(try fixture.stored?.currentRefreshToken?.copiedText() == "refresh-1")
    while fixture.source.renewals.events.count < 2 {
      try await fixture.clock.advanceToNextSleeper()
    }
    await fixture.session.stop()
  }

  private static let waiting = HostState.waiting(
    until: UnixTime(rawValue: SessionFixture.start) + .seconds(301))

  /// The wall clock is set by a day; the token lives for an hour of the boot clock all the same.
  @Test(arguments: [-86_400, 86_400] as [Int64])
  func rf17AClockThatIsSetByADayCausesNoStormAndRevivesNoToken(shift: Int64) async throws {
    let fixture = try SessionFixture()
    await fixture.session.start()
    fixture.source.thenIssueOnce(lifetime: 3600)
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    fixture.clock.advance(by: .seconds(60))
    fixture.wallShift.value = .seconds(shift)
    for number in 2...40 {
      let clock = fixture.clock
      fixture.source.then { grant, journal in
        let now = SessionFixture.start + shift + clock.now.offset.components.seconds
        return await issue(
          "access-\(number)", refresh: "refresh-\(number)", expiresAt: now + 3600, issuedAt: now,
          previous: grant, journal: journal)
      }
    }
    // A clock that was set forward ends the token at once: once, and not again.
    let early = shift > 0 ? 1 : 0
    while fixture.clock.now.offset < .seconds(3000) {
      try await fixture.clock.advanceToNextSleeper()
    }
    #expect(fixture.source.renewals.events.count == early)
    while fixture.clock.now.offset < .seconds(3600 * 5) {
      try await fixture.clock.advanceToNextSleeper()
    }
    let renewals = fixture.source.renewals.events.count
    #expect(
      (5...6).contains(renewals), "once in each hour by the boot clock, not \(renewals) times")
    await fixture.session.stop()
  }

  @Test func rf10WhatTheProviderAskedForIsObeyedWhoeverAsks() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .transient(.rateLimited, retryAfter: .seconds(120)) }
    _ = await fixture.session.renew()
    fixture.clock.advance(by: .seconds(110))
    #expect(
      await fixture.session.renew(validFor: .seconds(600))
        == .failed(.waiting, "the provider asked for patience"))
    #expect(fixture.source.renewals.events.count == 1)
    await fixture.session.stop()
  }

  @Test func cs04RejectionsDoNotHurryAProviderThatIsDown() async throws {
    let fixture = try SessionFixture(policy: RenewalPolicy(isAutomatic: false))
    await fixture.signIn()
    fixture.clock.advance(by: .seconds(20))
    for _ in 0..<10 {
      _ = await fixture.session.reject(generation: 1)
      fixture.clock.advance(by: .seconds(2))
    }
    // A quarter of 60 s lies between two tries.
    #expect(fixture.source.renewals.events.count == 2)
    await fixture.session.stop()
  }

  @Test func aNewGenerationOfTheSameTokenDoesNotAnswerARejection() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .transient(.network("refused"), retryAfter: nil) }
    _ = await fixture.session.renew()
    #expect(fixture.published.events.last?.generation == 2)
    fixture.clock.advance(by: .seconds(20))
    fixture.source.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_000_080)
    _ = await fixture.session.reject(generation: 1)
    _ = try await fixture.source.renewals.wait(count: 2)
    #expect(fixture.lastAccessToken == "access-2")
    await fixture.session.stop()
  }

  @Test func moreValidityThanTheProviderGrantsIsNotAskedForAgainAndAgain() async throws {
    let fixture = try SessionFixture(policy: RenewalPolicy(isAutomatic: false))
    await fixture.signIn()
    for _ in 0..<5 {
      fixture.clock.advance(by: .seconds(2))
      #expect(
        await fixture.session.renew(validFor: .seconds(7200)) == .renewed(generation: 1))
    }
    #expect(fixture.source.renewals.events.isEmpty)
    await fixture.session.stop()
  }

  @Test func refusalsWithoutAReasonAreSpaced() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    for _ in 0..<RenewalPolicy.refusalLimit {
      fixture.source.then { _, _ in .transient(.refusedWithoutReason(status: 400), retryAfter: nil)
      }
    }
    _ = await fixture.session.renew()
    let first = fixture.clock.now.offset
    while fixture.source.renewals.events.count < RenewalPolicy.refusalLimit {
      try await fixture.clock.advanceToNextSleeper()
    }
    #expect(fixture.clock.now.offset - first >= .seconds(30))
    try await fixture.published.next {
      $0.content == .reauthenticationRequired(.refusedWithoutReason)
    }
    let status = try #require(await fixture.session.status().first)
    #expect(status.session == "reauthentication-required")
    #expect(status.reason == ReauthenticationReason.refusedWithoutReason.description)
    #expect(status.host == "ok")
    await fixture.session.stop()
  }

  @Test func aFailureThatLastsIsReportedOnceHoweverOftenCallersHurry() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    for _ in 0..<2 {
      fixture.source.then { _, _ in .transient(.refusedWithoutReason(status: 400), retryAfter: nil)
      }
    }
    // Later than a token that came just now is answer enough.
    fixture.clock.advance(by: .seconds(2))
    _ = await fixture.session.renew(validFor: nil)
    // Before the host itself tries again, after 5 s.
    fixture.clock.advance(by: .seconds(2))
    _ = await fixture.session.renew(validFor: nil)
    #expect(fixture.source.renewals.events.count == 2)
    #expect(fixture.failures.events.count == 1)
    await fixture.session.stop()
  }

  @Test(arguments: [
    (TransientCause.network("no route"), false), (.unavailable(status: 500), true),
  ])
  func aRevocationIsGivenUpOnlyWhereTheProviderWasAsked(
    cause: TransientCause, isGivenUp: Bool
  ) async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    // Each sign-out tries it once more.
    for _ in 0..<RenewalPolicy.revocationLimit {
      fixture.source.thenRevocation(.transient(cause, retryAfter: nil))
      #expect(await fixture.session.signOut() == .signedOut(.pending))
    }
    #expect(try fixture.stored?.pendingRevocations.isEmpty == isGivenUp)
    await fixture.session.stop()
  }

  @Test func afterTheEndNothingIsRenewed() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    let gate = Gate()
    fixture.source.then { grant, journal in
      await gate.waitUncancelled()
      return await issue("access-2", refresh: "refresh-2", previous: grant, journal: journal)
    }
    let session = fixture.session
    let caller = Task { await session.renew() }
    _ = try await fixture.source.renewals.wait(count: 1)
    let stop = Task { await session.stop() }
    gate.open()
    await stop.value
    _ = await caller.value
    #expect(await session.renew() == .failed(.stopping, "the host is stopping"))
    fixture.clock.advance(by: .seconds(7200))
    #expect(fixture.clock.sleepers.isEmpty)
    #expect(fixture.source.renewals.events.count == 1)
  }
}
