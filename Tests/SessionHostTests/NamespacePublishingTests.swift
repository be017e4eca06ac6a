import GrantModel
import HostControl
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

/// What readers get to see, and what `status` says of it.
@Suite(.timeLimit(.minutes(1)))
struct NamespacePublishingTests {
  private static func group(_ name: String) throws -> AccessGroup {
    try #require(AccessGroup(name))
  }

  @Test func oneGroupThatCannotBeWrittenDoesNotKeepTheOthersFromTheirSnapshots() async throws {
    let groups = try [Self.group("a"), Self.group("b"), Self.group("c")]
    let fixture = try SessionFixture(accessGroups: groups)
    fixture.refuseSnapshots(of: [groups[0]])
    await fixture.signIn()
    #expect(fixture.published.events.map(\.place.accessGroup) == [groups[1], groups[2]])
    await fixture.session.stop()
  }

  @Test func aSnapshotThatCannotBeWrittenIsSaidOnceAndTriedAgain() async throws {
    let fixture = try SessionFixture()
    await fixture.session.start()
    fixture.refuseSnapshots(of: [.default])
    fixture.source.thenIssueOnce(lifetime: 86_400)
    #expect(await fixture.session.signIn(GrantModel.SignInRequest()) { _ in } == .signedIn)
    let status = try #require(await fixture.session.status().first)
    #expect(status.reason == "the snapshot cannot be written: default: no space left")
    #expect(status.publishedAt == nil)
    for _ in 0..<5 { try await fixture.clock.advanceToNextSleeper() }
    #expect(fixture.log.events.count { $0.hasPrefix("warning") } == 1)
    fixture.refuseSnapshots(of: [])
    while fixture.published.events.isEmpty { try await fixture.clock.advanceToNextSleeper() }
    #expect(await fixture.session.status().first?.reason == nil)
    await fixture.session.stop()
  }

  /// The disk of the snapshots, or that of the state, is full for an hour.
  @Test(arguments: [true, false])
  func st10AfterAnHourOfAFullDiskTheNextStepPublishes(isRuntime: Bool) async throws {
    let fixture = try SessionFixture(jitter: 1)
    await fixture.session.start()
    fixture.source.thenIssueOnce(lifetime: 86_400)
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    let before = fixture.published.events.count
    fixture.clock.advance(by: .seconds(10))
    fixture.source.then { grant, journal in
      if isRuntime { fixture.refuseSnapshots(of: [.default]) } else { try? fixture.breakStore() }
      return await issue(
        "access-2", refresh: "refresh-2", expiresAt: SessionFixture.start + 86_400,
        issuedAt: SessionFixture.start, previous: grant, journal: journal)
    }
    guard case .failed(.storage, _) = await fixture.session.renew() else {
      Issue.record("renewed on a full disk")
      return
    }
    while fixture.clock.now.offset < .seconds(3600) {
      try await fixture.clock.advanceToNextSleeper()
    }
    for draft in fixture.published.events[before...] {
      guard case .session(let session) = draft.content else {
        Issue.record("the session was withdrawn")
        return
      }
      #expect(session.accessToken == "access", "what readers have is the old token, still good")
    }
    let freed = fixture.clock.now.offset
    let tries = fixture.log.events.count { $0.hasPrefix("warning") }
    #expect(tries <= 2, "an hour is not an hour of warnings")
    if isRuntime { fixture.refuseSnapshots(of: []) } else { try fixture.mendStore() }
    fixture.source.thenIssue(
      "access-2", rotatingTo: "refresh-2", expiresAt: SessionFixture.start + 86_400)
    while fixture.lastAccessToken != "access-2" { try await fixture.clock.advanceToNextSleeper() }
    #expect(fixture.clock.now.offset - freed <= .seconds(300), "the longest step of the back-off")
    #expect(fixture.published.events.last?.hostState == .ok)
    await fixture.session.stop()
  }

  @Test func aRenewalWhoseSnapshotCannotBeWrittenIsNoFailureOfTheSession() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.refuseSnapshots(of: [.default])
    fixture.source.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_000_120)
    #expect(
      await fixture.session.renew()
        == .failed(.storage, "the snapshot cannot be written: default: no space left"))
    #expect(try fixture.stored?.grant?.accessToken == "access-2")
    #expect(fixture.failures.events.isEmpty)
    await fixture.session.stop()
  }

  @Test func cr10TheGenerationAfterTheLastOneBeginsANewLife() async throws {
    let first = try SessionFixture()
    await first.signIn()
    var record = try #require(try first.stored)
    record.generation = .max
    let second = try SessionFixture(record: record)
    await second.session.start()
    let draft = try #require(second.published.events.last)
    #expect(draft.generation == 1)
    #expect(draft.life != record.life)
    await second.session.stop()
    await first.session.stop()
  }

  @Test func whatReadersDoNotFindAnyMoreIsPublishedAnewWithinAMinute() async throws {
    let fixture = try SessionFixture()
    await fixture.session.start()
    fixture.source.thenIssueOnce(lifetime: 86_400)
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    fixture.isInPlace.value = false
    _ = try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(60))
    #expect(try await fixture.published.wait(count: 2).last?.generation == 2)
    await fixture.session.stop()
  }

  @Test func whoeverNeedsATokenThatIsThereIsGivenItsSnapshotAnew() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    _ = try await fixture.clock.waitForSleepers()
    fixture.isInPlace.value = false
    #expect(await fixture.session.renew(validFor: .seconds(10)) == .renewed(generation: 2))
    #expect(fixture.published.events.map(\.generation) == [1, 2])
    #expect(fixture.source.renewals.events.isEmpty)
    await fixture.session.stop()
  }

  @Test func aSlowRenewalIsAnnouncedAndAQuickOneIsNot() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    let gate = Gate()
    fixture.source.then { grant, journal in
      await gate.waitUncancelled()
      return await issue(
        "access-2", refresh: "refresh-2", expiresAt: 1_000_120, previous: grant, journal: journal)
    }
    let session = fixture.session
    let renewal = Task { await session.renew() }
    _ = try await fixture.source.renewals.wait(count: 1)
    fixture.clock.advance(by: .milliseconds(300))
    let drafts = try await fixture.published.wait(count: 2)
    #expect(drafts[1].hostState == .renewing)
    gate.open()
    _ = await renewal.value
    #expect(fixture.published.events.map(\.hostState) == [.ok, .renewing, .ok])
    await session.stop()
  }

  @Test func statusSaysWhatIsTheMatterAndWhatComesNext() async throws {
    let fixture = try SessionFixture()
    #expect(await fixture.session.status().first?.session == "absent")
    #expect(await fixture.session.status().first?.nextStep == "run: tokenvault sign-in primary")
    await fixture.signIn()
    let valid = try #require(await fixture.session.status().first)
    #expect(valid.session == "valid")
    #expect(valid.host == "ok")
    #expect(valid.generation == 1)
    #expect(valid.expiresIn == .seconds(60))
    #expect(valid.nextStep == nil)
    fixture.source.then { _, _ in .transient(.network("refused"), retryAfter: .seconds(90)) }
    _ = await fixture.session.renew()
    fixture.clock.advance(by: .seconds(70))
    let late = try #require(await fixture.session.status().first)
    #expect(late.session == "expired")
    #expect(late.host == "offline")
    #expect(late.reason == "the provider cannot be reached: refused")
    #expect(late.nextStep == "nothing to do: the host tries again in 20 s")
    _ = await fixture.session.signOut()
    #expect(await fixture.session.status().first?.session == "signed-out")
    #expect(await fixture.session.status().first?.reason == nil)
    await fixture.session.stop()
  }

  @Test func aSignOutForgetsWhoWasSignedIn() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    #expect(await fixture.session.status().first?.account == "alice@example.com")
    _ = await fixture.session.signOut()
    #expect(fixture.lastContent == .signedOut)
    #expect(fixture.published.events.last?.accountName == nil)
    #expect(await fixture.session.status().first?.account == nil)
    #expect(try fixture.stored?.accountName == nil)
    await fixture.session.stop()
  }

  @Test func aNameThatWasKeptBesideASignOutIsPublishedNoMore() async throws {
    var record = CanonicalRecord(life: SnapshotLife(rawValue: 7))
    record.phase = .signedOut
    record.accountName = "alice@example.com"
    let fixture = try SessionFixture(record: record)
    await fixture.session.start()
    #expect(fixture.lastContent == .signedOut)
    #expect(fixture.published.events.last?.accountName == nil)
    #expect(await fixture.session.status().first?.account == nil)
    await fixture.session.stop()
  }

  @Test func aConfiguredNameStaysThroughASignOut() async throws {
    let fixture = try SessionFixture(accountName: "work")
    await fixture.signIn()
    _ = await fixture.session.signOut()
    #expect(fixture.published.events.last?.accountName == "work")
    #expect(await fixture.session.status().first?.account == "work")
    await fixture.session.stop()
  }

  @Test func whoHasToSignInAgainIsNamed() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .terminal(.invalidGrant) }
    _ = await fixture.session.renew()
    #expect(fixture.lastContent == .reauthenticationRequired(.invalidGrant))
    #expect(fixture.published.events.last?.accountName == "alice@example.com")
    #expect(await fixture.session.status().first?.account == "alice@example.com")
    await fixture.session.stop()
  }

  @Test func aSessionThatCannotBeRenewedAsksForAPersonOnceItHasEnded() async throws {
    let fixture = try SessionFixture()
    fixture.source.thenIssue("access-1", rotatingTo: nil)
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(await fixture.session.status().first?.nextStep == nil)
    fixture.clock.advance(by: .seconds(61))
    let status = try #require(await fixture.session.status().first)
    #expect(status.session == "expired")
    #expect(status.reason == "the provider gave nothing to renew the session with")
    #expect(status.nextStep == "run: tokenvault sign-in primary")
    await fixture.session.stop()
  }
}
