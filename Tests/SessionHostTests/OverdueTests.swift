import GrantModel
import HostControl
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

/// What a session does when time has passed unnoticed, or the network is back.
@Suite(.timeLimit(.minutes(1)))
struct OverdueTests {
  @Test func rf16AfterAThreeHourSleepTheSessionIsRenewedOnceAndAtOnce() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    _ = try await fixture.clock.waitForSleepers(1)
    // A suspend moves the clocks on and wakes nobody.
    fixture.clock.jump(by: .seconds(10_800))
    #expect(fixture.source.renewals.events.isEmpty)
    fixture.source.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_020_000)
    await fixture.session.tryOverdue()
    _ = try await fixture.source.renewals.wait(count: 1)
    await fixture.session.tryOverdue()
    await fixture.session.tryOverdue()
    _ = try await fixture.published.next { draft in
      guard case .session(let session) = draft.content else { return false }
      return session.accessToken == "access-2"
    }
    #expect(fixture.source.renewals.events.count == 1)
    await fixture.session.stop()
  }

  @Test func theNetworksReturnEndsTheWaitAfterAnUnreachableProvider() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .transient(.network("no route"), retryAfter: nil) }
    _ = await fixture.session.renew()
    fixture.source.thenIssue("access-2", rotatingTo: "refresh-2")
    await fixture.session.tryOverdue()
    _ = try await fixture.source.renewals.wait(count: 2)
    await fixture.session.stop()
  }

  @Test func theNetworksReturnHasARevocationTriedAgain() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.thenRevocation(.transient(.network("no route"), retryAfter: nil))
    #expect(await fixture.session.signOut() == .signedOut(.pending))
    await fixture.session.tryOverdue()
    #expect(try await fixture.source.revocations.wait(count: 2) == ["refresh-1", "refresh-1"])
    await fixture.session.stop()
  }

  @Test func whatTheProviderAskedForOutlastsTheNetworksReturn() async throws {
    let fixture = try SessionFixture()
    await fixture.signIn()
    fixture.source.then { _, _ in .transient(.rateLimited, retryAfter: .seconds(120)) }
    _ = await fixture.session.renew()
    await fixture.session.tryOverdue()
    #expect(try await fixture.clock.waitForSleepers(1).contains(.seconds(60)), "the cap of a wait")
    #expect(fixture.source.renewals.events.count == 1)
    await fixture.session.stop()
  }
}
