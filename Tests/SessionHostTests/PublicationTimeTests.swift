import GrantModel
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

/// What a snapshot says of time, whatever becomes of the wall clock.
@Suite(.timeLimit(.minutes(1)))
struct PublicationTimeTests {
  /// How long a reader in the same boot takes the token to be good, when the snapshot is new.
  private static func rest(_ draft: SnapshotDraft) throws -> Duration {
    let header = draft.header(for: KeyIdentifier(rawValue: 1))
    return try #require(header.accessTokenExpiry).since(header.published.wall)
  }

  @Test func wg06AClockSetBackBeforeARepublicationDoesNotReviveAToken() async throws {
    let fixture = try SessionFixture(policy: RenewalPolicy(isAutomatic: false))
    await fixture.signIn()
    #expect(try Self.rest(#require(fixture.published.events.last)) == .seconds(60))
    fixture.clock.advance(by: .seconds(45))
    fixture.wallShift.value = .seconds(-7200)
    fixture.source.then { _, _ in .transient(.network("refused"), retryAfter: nil) }
    _ = await fixture.session.renew()
    let draft = try #require(fixture.published.events.last)
    #expect(draft.hostState == .offline)
    #expect(try Self.rest(draft) == .seconds(15))
    await fixture.session.stop()
  }

  @Test(arguments: [true, false])
  func wg06TheNextProcessCountsByTheBootClockToo(isPresentBoot: Bool) async throws {
    let first = try SessionFixture(policy: RenewalPolicy(isAutomatic: false))
    await first.signIn()
    await first.session.stop()
    var record = try #require(try first.stored)
    let obtained = try #require(record.obtainedAt)
    if !isPresentBoot {
      record.obtainedAt = Instant(
        wall: obtained.wall, boot: obtained.boot,
        bootIdentifier: try #require(BootIdentifier(bytes: Array(repeating: 1, count: 16))))
    }
    let next = try SessionFixture(policy: RenewalPolicy(isAutomatic: false), record: record)
    next.clock.advance(by: .seconds(45))
    next.wallShift.value = .seconds(-30)
    await next.session.start()
    let rest = try Self.rest(#require(next.published.events.last))
    #expect(rest == (isPresentBoot ? .seconds(15) : .seconds(45)))
    await next.session.stop()
  }

  @Test func aClockSetForwardBeforeARepublicationIsBelieved() async throws {
    let fixture = try SessionFixture(policy: RenewalPolicy(isAutomatic: false))
    await fixture.signIn()
    fixture.wallShift.value = .seconds(50)
    fixture.source.then { _, _ in .transient(.network("refused"), retryAfter: nil) }
    _ = await fixture.session.renew()
    #expect(try Self.rest(#require(fixture.published.events.last)) == .seconds(10))
    await fixture.session.stop()
  }

  @Test func aPartOfASecondIsNotGivenAway() async throws {
    let fixture = try SessionFixture(policy: RenewalPolicy(isAutomatic: false))
    await fixture.session.start()
    fixture.clock.advance(by: .milliseconds(100))
    await fixture.signIn()
    // 59.9 s are left.
    #expect(try Self.rest(#require(fixture.published.events.last)) == .seconds(59))
    await fixture.session.stop()
  }
}
