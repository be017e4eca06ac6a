import GrantModel
import HostControl
import SecureStore
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct NamespaceRenewalTests {
  @Test func rf06TwoHundredCallersShareOneRequest() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    let gate = Gate()
    fixture.source.then { grant, journal in
      await gate.waitUncancelled()
      return await issue(
        "access-2", refresh: "refresh-2", expiresAt: 1_000_120, previous: grant, journal: journal)
    }
    let session = fixture.session
    let reports = await withTaskGroup(of: RenewalReport.self) { group in
      for _ in 0..<200 { group.addTask { await session.renew() } }
      _ = try? await fixture.source.renewals.wait(count: 1)
      gate.open()
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(fixture.source.renewals.events == ["refresh-1"])
    #expect(Set(reports).count == 1)
    #expect(reports.count == 200)
  }

  @Test func aCallerThatLeavesWaitsNoLongerAndTheRenewalGoesOn() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    let gate = Gate()
    fixture.source.then { grant, journal in
      await gate.waitUncancelled()
      return await issue("access-2", refresh: "refresh-2", previous: grant, journal: journal)
    }
    let session = fixture.session
    let callers = (0..<3).map { _ in Task { await session.renew() } }
    _ = try await fixture.source.renewals.wait(count: 1)
    callers[0].cancel()
    callers[1].cancel()
    #expect(await callers[0].value == .failed(.cancelled, "the caller has left"))
    #expect(await callers[1].value == .failed(.cancelled, "the caller has left"))
    gate.open()
    #expect(await callers[2].value == .renewed(generation: 2))
    #expect(fixture.lastAccessToken == "access-2")
    await session.stop()
  }

  @Test func aRotatedTokenIsDurableBeforeTheSourceGoesOn() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    let seen = EventRecorder<String>()
    fixture.source.then { grant, journal in
      let outcome = await issue(
        "access-2", refresh: "refresh-2", previous: grant, journal: journal)
      seen.record((try? fixture.stored)??.currentRefreshToken?.copiedText() ?? "nothing")
      seen.record((try? fixture.stored)??.grant?.accessToken ?? "nothing")
      return outcome
    }
    _ = await fixture.session.renew()
    #expect(seen.events == ["refresh-2", "access-1"])
    #expect(try fixture.stored?.grant?.accessToken == "access-2")
    #expect(try fixture.stored?.rotatedToken == nil)
  }

  @Test func theIntentIsDurableBeforeTheRequest() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    let seen = EventRecorder<Bool>()
    fixture.source.then { _, _ in
      seen.record((try? fixture.stored)??.rotationIntent != nil)
      return .transient(.network("refused"), retryAfter: nil)
    }
    _ = await fixture.session.renew()
    #expect(seen.events == [true])
    #expect(try fixture.stored?.rotationIntent == nil)
  }

  @Test func aRotatedTokenOfAnAnswerThatFailedACheckIsUsedNext() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { grant, journal in
      _ = try? await journal.record(try RefreshToken("refresh-2"))
      return .transient(.unverifiable("signature"), retryAfter: nil)
    }
    _ = await fixture.session.renew()
    #expect(try fixture.stored?.grant?.accessToken == "access-1")
    fixture.clock.advance(by: .seconds(400))
    _ = try await fixture.source.renewals.wait(count: 2)
    #expect(fixture.source.renewals.events == ["refresh-1", "refresh-2"])
  }

  @Test func rf09InvalidGrantEndsTheSessionAndLatchesTheToken() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .terminal(.invalidGrant) }
    let report = await fixture.session.renew()
    #expect(
      report
        == .failed(.reauthenticationRequired, "the provider has ended the session"))
    #expect(fixture.lastContent == .reauthenticationRequired(.invalidGrant))
    let stored = try #require(try fixture.stored)
    #expect(stored.currentRefreshToken == nil)
    #expect(stored.latchedFingerprint?.count == 16)
    _ = await fixture.session.renew()
    #expect(fixture.source.renewals.events.count == 1)
    #expect(fixture.source.revocations.events.isEmpty)
  }

  @Test func rf09ALatchedTokenIsNotSentAgainHoweverItComesBack() async throws {
    let first = try SessionFixture()
    await first.signIn()
    let old = try #require(try first.stored)
    first.source.then { _, _ in .terminal(.invalidGrant) }
    _ = await first.session.renew()
    let mark = try #require(try first.stored?.latchedFingerprint)
    // The person signs in again; then the old record comes back, first beside the session.
    await first.signIn("access-2", refresh: "refresh-2")
    #expect(try first.stored?.latchedFingerprint == mark)
    let bytes = old.encoded()
    first.source.then { _, _ in
      try? first.store.set(bytes, .session, .primary)
      return .terminal(.invalidGrant)
    }
    _ = await first.session.renew()
    #expect(first.source.renewals.events == ["refresh-1", "refresh-2"])
    await first.session.stop()
    // Then in its place.
    var record = old
    record.latchedFingerprint = mark
    let second = try SessionFixture(record: record)
    #expect(
      await second.session.renew()
        == .failed(.reauthenticationRequired, "the provider has ended the session"))
    #expect(second.source.renewals.events.isEmpty)
    #expect(second.lastContent == .reauthenticationRequired(.invalidGrant))
    await second.session.stop()
  }

  @Test func rf09ALatchedTokenThatTheProviderHandsOverAnewIsGood() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .terminal(.invalidGrant) }
    _ = await fixture.session.renew()
    await fixture.signIn("access-2", refresh: "refresh-1")
    #expect(try fixture.stored?.latchedFingerprint == nil)
    fixture.source.thenIssue("access-3", rotatingTo: "refresh-2")
    #expect(await fixture.session.renew() == .renewed(generation: 4))
    await fixture.session.stop()
  }

  @Test func aTokenThatSomebodyElseStoredIsTriedBeforeGivingUp() async throws {
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
    let report = await fixture.session.renew()
    #expect(fixture.source.renewals.events == ["refresh-1", "refresh-other"])
    guard case .renewed = report else {
      Issue.record("\(report)")
      return
    }
  }

  @Test(arguments: [
    TransientCause.network("refused"), .tls("expired"), .unavailable(status: 503), .rateLimited,
    .oauth(code: "invalid_client"), .unverifiable("signature"), .refusedWithoutReason(status: 400),
  ])
  func rf10ATransientFailureKeepsTheSession(cause: TransientCause) async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .transient(cause, retryAfter: nil) }
    _ = await fixture.session.renew()
    #expect(try fixture.stored?.currentRefreshToken?.copiedText() == "refresh-1")
    guard case .session(let record) = fixture.lastContent else {
      Issue.record("the snapshot holds no session")
      return
    }
    #expect(record.accessToken == "access-1")
    #expect(fixture.published.events.last?.hostState != .ok)
    #expect(fixture.failures.events == [cause.description])
  }

  @Test(arguments: [
    (TransientCause.network("down"), "nothing to do: the host tries again in "),
    (.unavailable(status: 500), "nothing to do: the host tries again in "),
    (.tls("expired"), "check the clock, the network and caFile: the host tries again in 300 s"),
    (
      .oauth(code: "invalid_client"),
      "check clientId and the client secret in the configuration: the host tries again in 300 s"
    ),
    (
      .configuration("no token_endpoint"),
      "check the configuration, or ask the provider: the host tries again in 300 s"
    ),
    (.local("clientSecretFile: no such file"), "mend that: the host tries again in "),
  ])
  func cs06TheNextStepFitsTheCause(cause: TransientCause, step: String) async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .transient(cause, retryAfter: nil) }
    _ = await fixture.session.renew()
    let status = try #require(await fixture.session.status().first)
    #expect(status.reason == cause.description)
    #expect(status.nextStep?.hasPrefix(step) == true, "\(status.nextStep ?? "nothing")")
    await fixture.session.stop()
  }

  @Test func refusalsWithoutAReasonAskForAPersonAndEraseNothing() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    for _ in 0..<RenewalPolicy.refusalLimit {
      fixture.source.then { _, _ in
        .transient(.refusedWithoutReason(status: 400), retryAfter: nil)
      }
      _ = await fixture.session.renew()
    }
    #expect(fixture.lastContent == .reauthenticationRequired(.refusedWithoutReason))
    #expect(try fixture.stored?.currentRefreshToken?.copiedText() == "refresh-1")
    fixture.source.thenIssue("access-2", rotatingTo: "refresh-2")
    _ = await fixture.session.renew()
    guard case .session = fixture.lastContent else {
      Issue.record("a renewal that succeeds brings the session back")
      return
    }
  }

  @Test func aLostAnswerIsAskedForOnceMoreAndThenCalledALostRotation() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .transient(.lostAnswer("timeout"), retryAfter: nil) }
    fixture.source.then { _, _ in .terminal(.invalidGrant) }
    _ = await fixture.session.renew()
    #expect(fixture.source.renewals.events == ["refresh-1", "refresh-1"])
    #expect(fixture.lastContent == .reauthenticationRequired(.lostRotation))
  }

  @Test(arguments: [false, true])
  func rf02AndRf03AnotherAccountEndsTheSessionAndIsRevoked(isSeenBySource: Bool) async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    if isSeenBySource {
      // As a source does whose ID token has another issuer or subject.
      fixture.source.then { _, journal in
        _ = try? await journal.record(try RefreshToken("refresh-2"))
        return .terminal(.accountChanged)
      }
    } else {
      fixture.source.thenIssue("access-2", rotatingTo: "refresh-2", subject: "mallory")
    }
    _ = await fixture.session.renew()
    #expect(fixture.lastContent == .reauthenticationRequired(.accountChanged))
    #expect(fixture.published.events.count == 2, "nothing of the other account is published")
    #expect(try await fixture.source.revocations.wait(count: 1) == ["refresh-2"])
    #expect(try fixture.stored?.grant == nil)
    await fixture.session.stop()
  }

  @Test func rf13ATokenThatIsRejectedAtOnceIsRenewedWithTheRotatedOne() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.thenIssue("access-2", rotatingTo: "refresh-2")
    #expect(await fixture.session.renew() == .renewed(generation: 2))
    fixture.clock.advance(by: .seconds(15))
    fixture.source.thenIssue("access-3", rotatingTo: "refresh-3")
    #expect(await fixture.session.reject(generation: 2) == .renewed(generation: 3))
    #expect(fixture.source.renewals.events == ["refresh-1", "refresh-2"])
    #expect(fixture.lastAccessToken == "access-3")
    #expect(try fixture.stored?.currentRefreshToken?.copiedText() == "refresh-3")
    await fixture.session.stop()
  }

  @Test func theTimerRenewsAQuarterOfAShortLifetimeBeforeItsEnd() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_000_105)
    _ = try await fixture.clock.waitForSleepers(1)
    fixture.clock.advance(by: .seconds(44))
    #expect(fixture.source.renewals.events.isEmpty)
    _ = try await fixture.clock.waitForSleepers(1)
    fixture.clock.advance(by: .seconds(1))
    _ = try await fixture.source.renewals.wait(count: 1)
    await fixture.session.stop()
  }

  @Test func rf20ASessionThatIsNotRenewedByItselfIsLeftAlone() async throws {
    let fixture = try SessionFixture(policy: RenewalPolicy(isAutomatic: false))
    await fixture.signIn()
    await fixture.session.start()
    fixture.clock.advance(by: .seconds(3600))
    // After a suspend, and when the network is back.
    await fixture.session.tryOverdue()
    #expect(fixture.source.renewals.events.isEmpty)
    let record = try #require(try fixture.stored)
    let next = try SessionFixture(policy: RenewalPolicy(isAutomatic: false), record: record)
    next.clock.advance(by: .seconds(3600))
    await next.session.start()
    await next.session.tryOverdue()
    await next.session.stop()
    #expect(next.source.renewals.events.isEmpty, "nor at a start")
    fixture.source.thenIssue("access-2", rotatingTo: "refresh-2")
    _ = await fixture.session.renew(validFor: .seconds(30))
    #expect(fixture.source.renewals.events.count == 1)
    await fixture.session.stop()
  }

  @Test func aTokenThatIsGoodForLongEnoughIsNotRenewed() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.clock.advance(by: .seconds(5))
    let report = await fixture.session.renew(validFor: .seconds(30))
    #expect(report == .renewed(generation: 1))
    #expect(fixture.source.renewals.events.isEmpty)
  }

  @Test func cs04RejectionsAreLimited() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    let early = await fixture.session.reject(generation: 1)
    #expect(
      early
        == .failed(
          .justRenewed,
          "the token came a moment ago, so that the resource seems to refuse it for what it is;"
            + " another one in 15s at the earliest"))
    fixture.clock.advance(by: .seconds(20))
    fixture.source.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_000_080)
    let taken = await fixture.session.reject(generation: 1)
    #expect(taken == .renewed(generation: 2))
    let known = await fixture.session.reject(generation: 1)
    #expect(known == .renewed(generation: 2))
    #expect(fixture.source.renewals.events.count == 1)
  }

  @Test func aRestartWithAnOpenIntentAsksOnceMoreAndNeverAgain() async throws {
    let first = try SessionFixture()
    await first.signIn()
    var record = try #require(try first.stored)
    record.rotationIntent = .init(startedAt: UnixTime(rawValue: 1_000_001), isRetry: false)
    let second = try SessionFixture(record: record)
    second.source.then { _, _ in .terminal(.invalidGrant) }
    await second.session.start()
    _ = try await second.source.renewals.wait(count: 1)
    _ = await second.session.renew()
    #expect(second.source.renewals.events == ["refresh-1"])
    #expect(second.lastContent == .reauthenticationRequired(.lostRotation))
    await second.session.stop()
  }
}
