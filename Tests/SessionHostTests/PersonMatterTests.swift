import GrantModel
import SessionHost
import SessionModel
import SnapshotFormat
import TestSupport
import Testing

/// What a session says that it needs a person for.
@Suite(.timeLimit(.minutes(1)))
struct PersonMatterTests {
  private static func ended(_ reason: ReauthenticationReason) -> PersonMatter {
    PersonMatter(.sessionEnded(reason), account: "alice@example.com")
  }

  @Test func aSessionThatEndsNeedsAPersonUntilTheSignIn() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .terminal(.invalidGrant) }
    _ = await fixture.session.renew()
    #expect(fixture.matters.events == [nil, Self.ended(.invalidGrant)])
    fixture.source.thenIssue("access-2", rotatingTo: "refresh-2")
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(fixture.matters.events == [nil, Self.ended(.invalidGrant), nil])
    await fixture.session.stop()
  }

  @Test func failuresThatPassNeedNobody() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    for _ in 1...5 {
      fixture.source.then { _, _ in .transient(.network("gone"), retryAfter: nil) }
      _ = await fixture.session.renew()
    }
    #expect(fixture.failures.events.count == 1)
    #expect(fixture.matters.events == [nil])
    await fixture.session.stop()
  }

  @Test func aSignOutAndForgettingNeedNobody() async throws {
    for isForgotten in [false, true] {
      let fixture = try SessionFixture()
      await fixture.signIn()
      fixture.source.then { _, _ in .terminal(.invalidGrant) }
      _ = await fixture.session.renew()
      if isForgotten {
        _ = await fixture.session.forget()
      } else {
        _ = await fixture.session.signOut()
      }
      #expect(fixture.matters.events.count == 3)
      #expect(fixture.matters.events.last == .some(nil))
      await fixture.session.stop()
    }
  }

  @Test func anEndThatNothingCanRenewIsToldWhenItComes() async throws {
    let fixture = try SessionFixture()
    await fixture.session.start()
    fixture.source.thenIssue("access-1", rotatingTo: nil)
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    #expect(fixture.matters.events == [nil])
    try await fixture.clock.waitForSleepers { $0.contains(.seconds(60)) }
    fixture.clock.advance(by: .seconds(60))
    #expect(try await fixture.matters.wait(count: 2).last == Self.ended(.noRefreshToken))
    await fixture.session.stop()
  }

  @Test func whatIsFoundAtTheStartIsSaidOnce() async throws {
    var record = CanonicalRecord(life: .random())
    record.phase = .reauthenticationRequired(.lostRotation)
    record.accountName = "alice@example.com"
    let fixture = try SessionFixture(record: record)
    #expect(fixture.matters.events == [])
    await fixture.session.start()
    #expect(fixture.matters.events == [Self.ended(.lostRotation)])
    await fixture.session.stop()
    #expect(fixture.matters.events.count == 1)
  }
}
