import GrantModel
import HostControl
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NamespaceSignInTests {
  @Test func aSignInIsStoredAndPublished() async throws {
    let fixture = try SessionFixture()
    fixture.source.thenIssue("access-1", rotatingTo: "refresh-1")
    let report = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(report == .signedIn)
    #expect(try fixture.stored?.grant?.subject == "alice")
    #expect(try fixture.stored?.signInToken == nil)
    let draft = try #require(fixture.published.events.last)
    #expect(draft.generation == 1)
    #expect(draft.accountName == "alice@example.com")
  }

  @Test func aFailedSignInLeavesTheSessionAndRevokesWhatItGot() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    let before = fixture.published.events.count
    fixture.source.then { _, journal in
      _ = try? await journal.record(try RefreshToken("refresh-new"))
      return .terminal(.verification("nonce"))
    }
    let report = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(
      report
        == .failed(.verificationFailed, "the provider's answer failed a check: nonce"))
    #expect(try fixture.stored?.currentRefreshToken?.copiedText() == "refresh-1")
    #expect(fixture.published.events.count == before)
    #expect(try await fixture.source.revocations.wait(count: 1) == ["refresh-new"])
  }

  @Test func aGrantThatIsAdoptedDuringTheSignInStaysAdopted() async throws {
    let fixture = try SessionFixture()
    fixture.source.then { _, journal in
      let outcome = await issue("access-1", refresh: "refresh-1", previous: nil, journal: journal)
      let adoption = await journal.adopt(outcome)
      #expect(adoption == .adopted(account: "alice@example.com", replaced: nil))
      return outcome
    }
    #expect(await fixture.session.signIn(GrantModel.SignInRequest()) { _ in } == .signedIn)
    #expect(fixture.published.events.count == 1)
    #expect(fixture.source.revocations.events.isEmpty)
    // The next one that fails is not taken for this one.
    fixture.source.then { _, _ in .terminal(.accessDenied) }
    let second = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(second == .failed(.accessDenied, "access was denied at the provider"))
  }

  @Test func aGrantThatASignOutOvertakesIsNotAdopted() async throws {
    let fixture = try SessionFixture()
    let session = fixture.session
    fixture.source.then { _, journal in
      let outcome = await issue("access-1", refresh: "refresh-1", previous: nil, journal: journal)
      _ = await session.signOut()
      #expect(await journal.adopt(outcome) == .unwanted)
      return outcome
    }
    let report = await session.signIn(GrantModel.SignInRequest()) { _ in }
    guard case .failed(.cancelled, _) = report else {
      Issue.record("\(report)")
      return
    }
    #expect(try fixture.stored?.grant == nil)
    #expect(try await fixture.source.revocations.wait(count: 1) == ["refresh-1"])
  }

  @Test func aSecondSignInRevokesTheGrantThatItReplaces() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn("access-1", refresh: "refresh-1")
    await fixture.signIn("access-2", refresh: "refresh-2")
    #expect(try await fixture.source.revocations.wait(count: 1) == ["refresh-1"])
    #expect(try fixture.stored?.currentRefreshToken?.copiedText() == "refresh-2")
  }

  @Test(arguments: [0, -5])
  func aTokenThatIsBornExpiredIsRenewedBeforeAnybodySeesIt(lifetime: Int64) async throws {
    let fixture = try SessionFixture()
    fixture.source.thenIssueOnce(lifetime: lifetime)
    fixture.source.thenIssue("access-2", rotatingTo: "refresh-2")
    #expect(await fixture.session.signIn(GrantModel.SignInRequest()) { _ in } == .signedIn)
    #expect(fixture.source.renewals.events == ["refresh"])
    #expect(fixture.published.events.count == 1)
    #expect(fixture.lastAccessToken == "access-2")
    #expect(try fixture.stored?.currentRefreshToken?.copiedText() == "refresh-2")
    await fixture.session.stop()
    #expect(fixture.source.revocations.events.isEmpty, "a rotated token is no grant of its own")
  }

  @Test func aSignInThatBringsNoUsableTokenFailsAndIsRevoked() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.thenIssueOnce(lifetime: 0)
    fixture.source.thenIssueOnce(lifetime: 0)
    let report = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(
      report
        == .failed(
          .verificationFailed,
          "the provider's answer failed a check: the access token had expired when it came"))
    #expect(fixture.lastAccessToken == "access-1")
    #expect(try await fixture.source.revocations.wait(count: 1) == ["refresh"])
    fixture.source.then { grant, journal in
      await issue("access", refresh: nil, expiresAt: 1_000_000, previous: grant, journal: journal)
    }
    let second = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    guard case .failed(.verificationFailed, _) = second else {
      Issue.record("signed in with nothing to show and nothing to renew")
      return
    }
    #expect(fixture.lastAccessToken == "access-1")
    await fixture.session.stop()
  }

  @Test func rp44TwoSignInsAtOnceAreNotAllowed() async throws {
    let fixture = try SessionFixture()
    let gate = Gate()
    fixture.source.then { _, _ in
      await gate.waitUncancelled()
      return .terminal(.cancelled)
    }
    let session = fixture.session
    let first = Task { await session.signIn(GrantModel.SignInRequest()) { _ in } }
    _ = try await fixture.source.signIns.wait(count: 1)
    let second = await session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(
      second
        == .failed(
          .loginInProgress,
          "a sign-in to primary is under way already; finish it, or end it with Ctrl-C where it was"
            + " begun"))
    gate.open()
    #expect(await first.value == .failed(.cancelled, "the sign-in was cancelled"))
  }

  @Test func lo05TheTombstoneIsPublishedBeforeTheProviderIsTold() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    let gate = Gate()
    fixture.source.revocationsWait(for: gate)
    let session = fixture.session
    let signOut = Task { await session.signOut() }
    #expect(try await fixture.source.revocations.wait(count: 1) == ["refresh-1"])
    #expect(fixture.lastContent == .signedOut, "before the request has an answer")
    #expect(try fixture.stored?.pendingRevocations.count == 1, "and durable")
    gate.open()
    #expect(await signOut.value == .signedOut(.done))
    #expect(fixture.source.revocations.events == ["refresh-1"])
    #expect(try fixture.stored?.pendingRevocations.isEmpty == true)
    #expect(try fixture.stored?.currentRefreshToken == nil)
  }

  @Test func lo03AGrantWithoutARefreshTokenIsRevokedByItsAccessToken() async throws {
    let fixture = try SessionFixture()
    fixture.source.thenIssue("access-1", rotatingTo: nil)
    #expect(await fixture.session.signIn(GrantModel.SignInRequest()) { _ in } == .signedIn)
    fixture.source.thenRevocation(.unsupported("the provider names no revocation endpoint"))
    #expect(await fixture.session.signOut() == .signedOut(.unsupported))
    #expect(fixture.source.revocations.events == ["access-1"])
  }

  @Test func aSignInThatReplacesOrFailsRevokesAnAccessTokenToo() async throws {
    let fixture = try SessionFixture()
    fixture.source.thenIssue("access-1", rotatingTo: nil)
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    fixture.source.thenIssue("access-2", rotatingTo: nil)
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(try await fixture.source.revocations.wait(count: 1) == ["access-1"])
    fixture.source.then { _, journal in
      _ = try? await journal.record(nil, accessToken: "access-3")
      return .terminal(.verification("nonce"))
    }
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(try await fixture.source.revocations.wait(count: 2) == ["access-1", "access-3"])
    #expect(fixture.lastAccessToken == "access-2")
    await fixture.session.stop()
  }

  @Test func lo04ARevocationThatFailsIsTriedAgainLater() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.thenRevocation(.transient(.unavailable(status: 503), retryAfter: .seconds(5)))
    let report = await fixture.session.signOut()
    #expect(report == .signedOut(.pending))
    #expect(try fixture.stored?.pendingRevocations.first?.attempts == 1)
    _ = try await fixture.clock.waitForSleepers(1)
    fixture.clock.advance(by: .seconds(4))
    #expect(fixture.source.revocations.events.count == 1)
    _ = try await fixture.clock.waitForSleepers(1)
    fixture.clock.advance(by: .seconds(2))
    _ = try await fixture.source.revocations.wait(count: 2)
    await fixture.session.stop()
    #expect(try fixture.stored?.pendingRevocations.isEmpty == true, "done is done")
  }

  @Test(arguments: [0, 6])
  func lo04ARevocationIsGivenUpAfterTwentyTriesOrAWeek(days: Int64) async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    for _ in 0..<30 {
      fixture.source.thenRevocation(.transient(.unavailable(status: 503), retryAfter: .seconds(5)))
    }
    _ = await fixture.session.signOut()
    _ = try await fixture.clock.waitForSleepers(1)
    if days > 0 {
      fixture.clock.advance(by: .seconds(days * 86_400))
      _ = try await fixture.source.revocations.wait(count: 2)
      _ = try await fixture.clock.waitForSleepers(1)
      fixture.clock.advance(by: .seconds(86_401))
    }
    while try fixture.stored?.pendingRevocations.isEmpty == false {
      try await fixture.clock.advanceToNextSleeper()
    }
    #expect(fixture.source.revocations.events.count == (days > 0 ? 3 : 20))
    await fixture.session.stop()
  }

  @Test func aSignOutDoesNotWaitForASlowProvider() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    let (renewals, revocations) = (Gate(), Gate())
    fixture.source.then { grant, journal in
      await renewals.waitUncancelled()
      return await issue("access-2", refresh: "refresh-2", previous: grant, journal: journal)
    }
    fixture.source.revocationsWait(for: revocations)
    let session = fixture.session
    let renewal = Task { await session.renew() }
    _ = try await fixture.source.renewals.wait(count: 1)
    let signOut = Task { await session.signOut() }
    // The grant is revoked without a wait for the renewal.
    #expect(try await fixture.source.revocations.wait(count: 1) == ["refresh-1"])
    try await fixture.clock.waitForSleepers { $0.contains(NamespaceSession.signOutLimit) }
    fixture.clock.advance(by: NamespaceSession.signOutLimit)
    #expect(await signOut.value == .signedOut(.pending))
    #expect(fixture.lastContent == .signedOut)
    renewals.open()
    revocations.open()
    _ = await renewal.value
    #expect(try await fixture.source.revocations.wait(count: 2) == ["refresh-1", "refresh-2"])
    await session.stop()
    #expect(try fixture.stored?.pendingRevocations.isEmpty == true)
  }

  @Test func rf18ALateRotationDoesNotReviveASessionThatWasEnded() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    let gate = Gate()
    fixture.source.then { grant, journal in
      await gate.waitUncancelled()
      return await issue("access-2", refresh: "refresh-2", previous: grant, journal: journal)
    }
    let session = fixture.session
    let renewal = Task { await session.renew() }
    _ = try await fixture.source.renewals.wait(count: 1)
    let signOut = Task { await session.signOut() }
    _ = try await fixture.published.wait(count: 2)
    #expect(fixture.lastContent == .signedOut)
    gate.open()
    _ = await renewal.value
    #expect(await signOut.value == .signedOut(.done))
    #expect(fixture.lastContent == .signedOut)
    #expect(Set(fixture.source.revocations.events) == ["refresh-1", "refresh-2"])
    #expect(try fixture.stored?.currentRefreshToken == nil)
    #expect(try fixture.stored?.pendingRevocations.isEmpty == true)
  }

  @Test func anExchangeIsDurableBeforeItIsMadeAndOverWithItsToken() async throws {
    let fixture = try SessionFixture()
    let seen = EventRecorder<Bool>()
    let look = { @Sendable in seen.record((try? fixture.stored)??.exchangeStartedAt != nil) }
    fixture.source.then { grant, journal in
      try? await journal.announceExchange()
      look()
      let outcome = await issue(
        "access-1", refresh: "refresh-1", previous: grant, journal: journal)
      look()
      return outcome
    }
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(seen.events == [true, false])
    // One that the provider refuses leaves nothing to tell of.
    fixture.source.then { _, journal in
      try? await journal.announceExchange()
      return .terminal(.provider(code: "invalid_grant"))
    }
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(try fixture.stored?.exchangeStartedAt == nil)
    #expect(fixture.failures.events.isEmpty)
  }

  @Test func anExchangeThatCannotBeNotedIsNotMade() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    try fixture.breakStore()
    let refused = EventRecorder<Bool>()
    fixture.source.then { _, journal in
      do {
        try await journal.announceExchange()
        refused.record(false)
      } catch {
        refused.record(true)
      }
      return .terminal(.cancelled)
    }
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(refused.events == [true])
    try fixture.mendStore()
    #expect(fixture.lastAccessToken == "access-1")
  }

  @Test func anExchangeIsNotMadeOnceTheSessionWasEnded() async throws {
    let fixture = try SessionFixture()
    let session = fixture.session
    let refused = EventRecorder<Bool>()
    fixture.source.then { _, journal in
      _ = await session.signOut()
      refused.record((try? await journal.announceExchange()) == nil)
      return .terminal(.cancelled)
    }
    _ = await session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(refused.events == [true])
    #expect(try fixture.stored?.exchangeStartedAt == nil)
    #expect(fixture.failures.events.isEmpty)
  }

  @Test(arguments: [true, false])
  func aSignInThatWasCutOffIsToldOfAtStartOnce(hasTimer: Bool) async throws {
    var record = CanonicalRecord(life: SnapshotLife(rawValue: 7))
    record.exchangeStartedAt = UnixTime(rawValue: 1)
    let fixture = try SessionFixture(record: record)
    if hasTimer { await fixture.session.start() } else { _ = await fixture.session.runOnce() }
    let text = try #require(fixture.failures.events.first)
    #expect(text.hasPrefix("a sign-in was cut off before the provider's answer came"))
    #expect(fixture.log.events.contains("warning: primary: \(text)"))
    #expect(try fixture.stored?.exchangeStartedAt == nil)
    await fixture.session.stop()
    let next = try SessionFixture(record: try fixture.stored)
    await next.session.start()
    #expect(next.failures.events.isEmpty)
    await next.session.stop()
  }

  @Test func aSignInThatTheHostsEndCallsOffIsNotToldOf() async throws {
    let fixture = try SessionFixture()
    let isAsking = Gate()
    fixture.source.then { _, journal in
      try? await journal.announceExchange()
      isAsking.open()
      try? await Gate().wait()
      return .terminal(.cancelled)
    }
    let session = fixture.session
    let signIn = Task { await session.signIn(GrantModel.SignInRequest()) { _ in } }
    try await isAsking.wait()
    #expect(try fixture.stored?.exchangeStartedAt != nil)
    await session.stop()
    #expect(await signIn.value == .failed(.stopping, "the host is stopping"))
    #expect(try fixture.stored?.exchangeStartedAt == nil)
    #expect(fixture.failures.events.isEmpty)
  }

  @Test(
    arguments: [
      (.lostAnswer("timed out"), 1), (.unavailable(status: 504), 1), (.unavailable(status: 503), 0),
      (.network("no route"), 0),
    ] as [(TransientCause, Int)])
  func anAnswerThatIsLostDuringASignInIsToldOf(cause: TransientCause, count: Int) async throws {
    let fixture = try SessionFixture()
    fixture.source.then { _, journal in
      try? await journal.announceExchange()
      return .transient(cause, retryAfter: nil)
    }
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(fixture.failures.events.count == count)
    #expect(try fixture.stored?.exchangeStartedAt == nil)
    // One that is lost before anything was asked for is nobody's grant.
    fixture.source.then { _, _ in .transient(.lostAnswer("timed out"), retryAfter: nil) }
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(fixture.failures.events.count == count)
  }

  @Test func aSignInThatDiedHalfWayIsRevokedAtStart() async throws {
    var record = CanonicalRecord(life: SnapshotLife(rawValue: 7))
    record.signInToken = .refreshToken(try RefreshToken("refresh-half"))
    let fixture = try SessionFixture(record: record)
    await fixture.session.start()
    #expect(try await fixture.source.revocations.wait(count: 1) == ["refresh-half"])
    await fixture.session.stop()
  }
}
