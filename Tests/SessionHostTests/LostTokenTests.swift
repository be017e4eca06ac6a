import GrantModel
import HostControl
import SecureStore
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

/// No refresh token that a provider handed over is forgotten without being stored or revoked.
@Suite(.timeLimit(.minutes(1)))
struct LostTokenTests {
  @Test func aSignInWithoutARefreshTokenRevokesTheOldGrantToo() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.thenIssue("access-2", rotatingTo: nil)
    #expect(await fixture.session.signIn(GrantModel.SignInRequest()) { _ in } == .signedIn)
    #expect(try await fixture.source.revocations.wait(count: 1) == ["refresh-1"])
    #expect(try fixture.stored?.currentRefreshToken == nil)
    await fixture.session.stop()
  }

  @Test func aFailedSignInThatBroughtTheTokenInForceDoesNotRevokeIt() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, journal in
      _ = try? await journal.record(try RefreshToken("refresh-1"))
      return .terminal(.verification("nonce"))
    }
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    await fixture.session.stop()
    #expect(fixture.source.revocations.events.isEmpty)
    #expect(try fixture.stored?.pendingRevocations.isEmpty == true)
    #expect(try fixture.stored?.currentRefreshToken?.copiedText() == "refresh-1")
  }

  @Test func aSignInThatHandsOverTwoTokensKeepsOneAndRevokesTheOther() async throws {
    let fixture = try SessionFixture()
    fixture.source.then { grant, journal in
      _ = try? await journal.record(try RefreshToken("refresh-early"))
      return await issue("access-1", refresh: "refresh-1", previous: grant, journal: journal)
    }
    #expect(await fixture.session.signIn(GrantModel.SignInRequest()) { _ in } == .signedIn)
    #expect(try await fixture.source.revocations.wait(count: 1) == ["refresh-early"])
    #expect(try fixture.stored?.currentRefreshToken?.copiedText() == "refresh-1")
    await fixture.session.stop()
  }

  @Test func aSignOutCallsOffASignInThatIsUnderWay() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    let gate = Gate()
    fixture.source.then { grant, journal in
      try? await gate.wait()
      return await issue("access-2", refresh: "refresh-2", previous: grant, journal: journal)
    }
    let session = fixture.session
    let signIn = Task { await session.signIn(GrantModel.SignInRequest()) { _ in } }
    _ = try await fixture.source.signIns.wait(count: 2)
    #expect(await session.signOut() == .signedOut(.done))
    // The gate stays shut: the sign-in goes on because it was cancelled.
    #expect(
      await signIn.value == .failed(.cancelled, "primary was signed out during the sign-in"))
    #expect(fixture.lastContent == .signedOut)
    _ = try await fixture.source.revocations.wait(count: 2)
    #expect(Set(fixture.source.revocations.events) == ["refresh-1", "refresh-2"])
    #expect(try fixture.stored?.currentRefreshToken == nil)
    await session.stop()
  }

  @Test func aCallerThatLeavesASignInCallsItOff() async throws {
    let fixture = try SessionFixture()
    let gate = Gate()
    fixture.source.then { _, _ in
      do { try await gate.wait() } catch { return .terminal(.cancelled) }
      return .terminal(.accessDenied)
    }
    let session = fixture.session
    let signIn = Task { await session.signIn(GrantModel.SignInRequest()) { _ in } }
    _ = try await fixture.source.signIns.wait(count: 1)
    signIn.cancel()
    #expect(await signIn.value == .failed(.cancelled, "the sign-in was cancelled"))
    await session.stop()
  }

  @Test func theEndOfTheHostCallsOffASignIn() async throws {
    let fixture = try SessionFixture()
    let gate = Gate()
    fixture.source.then { _, _ in
      do { try await gate.wait() } catch { return .terminal(.cancelled) }
      return .terminal(.accessDenied)
    }
    let session = fixture.session
    let signIn = Task { await session.signIn(GrantModel.SignInRequest()) { _ in } }
    _ = try await fixture.source.signIns.wait(count: 1)
    await session.stop()
    #expect(await signIn.value == .failed(.stopping, "the host is stopping"))
    #expect(await session.signOut() == .failed(.stopping, "the host is stopping"))
  }

  @Test func aGrantIsRevokedByOneRequestAtATime() async throws {
    let fixture = try SessionFixture()
    var record = CanonicalRecord(life: SnapshotLife(rawValue: 7))
    record.queueRevocation(
      of: .refreshToken(try RefreshToken("refresh-old")), now: UnixTime(rawValue: 1_000_000))
    let second = try SessionFixture(record: record)
    let gate = Gate()
    second.source.revocationsWait(for: gate)
    await second.session.start()
    _ = try await second.source.revocations.wait(count: 1)
    let session = second.session
    let signOut = Task { await session.signOut() }
    _ = try await second.published.wait(count: 1)
    gate.open()
    #expect(await signOut.value == .signedOut(.done))
    #expect(second.source.revocations.events == ["refresh-old"])
    await session.stop()
    await fixture.session.stop()
  }

  @Test func aProviderThatHangsOnARevocationHoldsUpNoRenewal() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    let gate = Gate()
    fixture.source.revocationsWait(for: gate)
    fixture.source.thenRevocation(.transient(.unavailable(status: 503), retryAfter: nil))
    await fixture.signIn("access-2", refresh: "refresh-2")
    _ = try await fixture.source.revocations.wait(count: 1)
    fixture.source.thenIssue("access-3", rotatingTo: "refresh-3")
    _ = try await fixture.clock.waitForSleepers(1)
    fixture.clock.advance(by: .seconds(46))
    _ = try await fixture.source.renewals.wait(count: 1)
    gate.open()
    await fixture.session.stop()
  }

  /// With one that is due while another attempt is under way, the timer would spin.
  @Test func aRevocationThatIsDueDuringAnotherLetsTheTimerSleep() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.thenRevocation(.transient(.unavailable(status: 503), retryAfter: nil))
    await fixture.signIn("access-2", refresh: "refresh-2")
    _ = try await fixture.source.revocations.wait(count: 1)
    let gate = Gate()
    fixture.source.revocationsWait(for: gate)
    while fixture.source.revocations.events.count < 2 {
      try await fixture.clock.advanceToNextSleeper()
    }
    #expect(try await fixture.clock.waitForSleepers(1).allSatisfy { $0 > .zero })
    gate.open()
    await fixture.session.stop()
  }

  @Test func aRunWithoutATimerRenewsBeforeItRevokes() async throws {
    let first = try SessionFixture()
    await first.signIn()
    var record = try #require(try first.stored)
    record.queueRevocation(
      of: .refreshToken(try RefreshToken("refresh-old")), now: UnixTime(rawValue: 1_000_000))
    record.queueRevocation(of: .accessToken("access-old"), now: UnixTime(rawValue: 1_000_000))
    let second = try SessionFixture(record: record)
    second.clock.advance(by: .seconds(50))
    let source = second.source
    source.then { grant, journal in
      #expect(source.revocations.events.isEmpty)
      return await issue("access-2", refresh: "refresh-2", previous: grant, journal: journal)
    }
    #expect(await second.session.runOnce() == .done)
    #expect(source.renewals.events == ["refresh-1"])
    #expect(source.revocations.events == ["access-old", "refresh-old"], "the latest first")
    await first.session.stop()
  }

  @Test func aLostAnswerStaysOpenWhileTheProviderCannotBeReached() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .transient(.lostAnswer("timeout"), retryAfter: nil) }
    fixture.source.then { _, _ in .transient(.network("refused"), retryAfter: nil) }
    fixture.source.then { _, _ in .terminal(.invalidGrant) }
    _ = await fixture.session.renew()
    #expect(try fixture.stored?.rotationIntent?.isRetry == true)
    _ = await fixture.session.renew()
    #expect(fixture.lastContent == .reauthenticationRequired(.lostRotation))
    await fixture.session.stop()
  }

  @Test(arguments: [
    (502, ReauthenticationReason.lostRotation), (504, .lostRotation), (522, .lostRotation),
    (500, .invalidGrant), (503, .invalidGrant), (429, .invalidGrant),
  ])
  func rf10AGatewayThatGotNoAnswerLeavesTheRotationOpen(
    status: Int, reason: ReauthenticationReason
  ) async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .transient(.unavailable(status: status), retryAfter: nil) }
    fixture.source.then { _, _ in .terminal(.invalidGrant) }
    _ = await fixture.session.renew()
    #expect(try fixture.stored?.rotationIntent?.isRetry == (reason == .lostRotation ? true : nil))
    _ = await fixture.session.renew()
    #expect(fixture.lastContent == .reauthenticationRequired(reason))
    await fixture.session.stop()
  }

  @Test func aRefusalWithoutAReasonAfterALostAnswerErasesNothing() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .transient(.lostAnswer("timeout"), retryAfter: nil) }
    for _ in 0..<RenewalPolicy.refusalLimit {
      fixture.source.then { _, _ in .transient(.refusedWithoutReason(status: 403), retryAfter: nil)
      }
    }
    for _ in 0..<RenewalPolicy.refusalLimit { _ = await fixture.session.renew() }
    #expect(fixture.lastContent == .reauthenticationRequired(.lostRotation))
    #expect(try fixture.stored?.currentRefreshToken?.copiedText() == "refresh-1")
    await fixture.session.stop()
  }

  /// A journal that stores nothing and still makes receipts.
  private struct Forgery: GrantJournal, JournalBox {
    func write(_ grant: ProvisionalGrant) async throws(JournalError) {}

    func record(
      _ token: RefreshToken?, accessToken: String?
    ) async throws(JournalError) -> StoredReceipt {
      try await record(ProvisionalGrant(refreshToken: token, accessToken: accessToken))
    }

    func adopt(_ outcome: GrantOutcome) async -> GrantAdoption? { nil }
  }

  @Test func aGrantThatTheHostsOwnJournalHasNotStoredIsNotBelieved() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { grant, _ in
      await issue("access-2", refresh: "refresh-2", previous: grant, journal: Forgery())
    }
    fixture.source.then { grant, _ in
      await issue("access-3", refresh: "refresh-3", previous: grant, journal: Forgery())
    }
    guard case .failed(.storage, _) = await fixture.session.renew() else {
      Issue.record("renewed with a token that is stored nowhere")
      return
    }
    let signIn = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(signIn == .failed(.storage, "a grant came whose token had not been stored"))
    #expect(fixture.lastAccessToken == "access-1")
    #expect(try fixture.stored?.currentRefreshToken?.copiedText() == "refresh-1")
    await fixture.session.stop()
  }

  @Test func aConflictWithoutANewerTokenKeepsTheSession() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .conflict }
    _ = await fixture.session.renew()
    #expect(try fixture.stored?.currentRefreshToken?.copiedText() == "refresh-1")
    #expect(fixture.lastAccessToken == "access-1")
    await fixture.session.stop()
  }

  @Test func aReloadedRecordNeverTakesTheGenerationBack() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    var other = try #require(try fixture.stored)
    other.rotatedToken = try RefreshToken("refresh-other")
    let bytes = other.encoded()
    fixture.source.then { _, _ in
      try? fixture.store.set(bytes, .session, .primary)
      return .terminal(.invalidGrant)
    }
    fixture.source.thenIssue("access-2", rotatingTo: "refresh-2")
    _ = await fixture.session.renew()
    #expect(fixture.published.events.map(\.generation) == [1, 2])
    await fixture.session.stop()
  }

  @Test func theOnlyRenewalOfARunSettlesWhatACrashLeftOpen() async throws {
    let first = try SessionFixture()
    await first.signIn()
    var record = try #require(try first.stored)
    record.rotationIntent = .init(startedAt: UnixTime(rawValue: 1_000_001), isRetry: false)
    record.signInToken = .refreshToken(try RefreshToken("refresh-half"))
    let second = try SessionFixture(record: record)
    second.source.then { _, _ in .terminal(.invalidGrant) }
    #expect(await second.session.runOnce() == .reauthenticationRequired)
    #expect(await second.session.runOnce() == .reauthenticationRequired, "and says so again")
    #expect(second.source.revocations.events == ["refresh-half"])
    #expect(second.lastContent == .reauthenticationRequired(.lostRotation))
    #expect(try second.stored?.grant == nil)
    #expect(second.clock.sleepers.isEmpty)
    await first.session.stop()
  }
}
