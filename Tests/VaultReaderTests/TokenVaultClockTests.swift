import FileSupport
import SessionModel
import SnapshotFormat
import TestSupport
import Testing
import VaultReader

@Suite struct TokenVaultClockTests {
  @Test func wg05AStaleSnapshotIsUsableWhileItsTokenIsGood() throws {
    let fixture = try VaultFixture()
    let lock = try fixture.holdHostLock()
    try fixture.publishSession(nextPublicationIn: .seconds(600))
    let vault = fixture.vault()
    fixture.clocks.advance(by: .seconds(600))
    #expect(vault.state().host == .reported(.ok))
    fixture.clocks.advance(by: .milliseconds(1))
    let state = vault.state()
    #expect(state.host == .stale)
    #expect(state.session == .valid)
    #expect(state.reason == "the host has not published by the time it named")
    #expect(state.nextStep == "look at the host's log, or start it again")
    #expect(refusal(vault) == nil)
    _ = lock
  }

  @Test func wg06AClockSetBackDoesNotReviveAToken() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession(expiresIn: .seconds(600))
    let vault = fixture.vault()
    fixture.clocks.setWall(by: .seconds(-3600))
    #expect(vault.state().expiresIn == .seconds(600))
    fixture.clocks.advance(by: .seconds(600))
    #expect(vault.state().session == .expired)
    #expect(refusal(vault, validFor: .zero)?.reason == .expired)
  }

  @Test func rf17AClockSetForwardEndsATokenEarly() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession(expiresIn: .seconds(600))
    let vault = fixture.vault()
    fixture.clocks.setWall(by: .seconds(86_400))
    #expect(vault.state().session == .expired)
  }

  @Test func inAnotherBootTheWallClockDecidesAndTheHostIsStale() throws {
    let fixture = try VaultFixture()
    let lock = try fixture.holdHostLock()
    try fixture.publishSession(expiresIn: .seconds(600))
    fixture.clocks.reboot(named: 2)
    let vault = fixture.vault()
    fixture.clocks.advance(by: .seconds(100))
    let state = vault.state()
    #expect(state.session == .valid)
    #expect(state.expiresIn == .seconds(500))
    #expect(state.host == .stale)
    #expect(state.reason == "the snapshot is from before the machine was started")
    _ = lock
  }

  @Test func withoutABootIdentifierTheWallClockDecidesAlone() throws {
    let fixture = try VaultFixture()
    let lock = try fixture.holdHostLock()
    try fixture.publishSession(nextPublicationIn: .seconds(600))
    fixture.clocks.reboot(named: nil)
    let vault = fixture.vault()
    #expect(vault.state().host == .reported(.ok))
    fixture.clocks.advance(by: .seconds(601))
    #expect(vault.state().host == .stale)
    #expect(vault.state().session == .valid)
    _ = lock
  }

  @Test func theBootIsAskedForWhenItIsNeededAndAgainWhenItIsNotSaid() throws {
    let fixture = try VaultFixture()
    let lock = try fixture.holdHostLock()
    try fixture.publishSession(nextPublicationIn: .seconds(600))
    let questions = EventRecorder<Void>()
    let clock = fixture.clocks.readerClock
    let vault = TokenVault(
      accessGroup: .default,
      directories: VaultDirectories(
        environment: .init(["TOKENVAULT_RUNTIME_DIR": fixture.runtime.path]), user: 0),
      clock: ReaderClock(wall: clock.wall, boot: clock.boot) {
        questions.record(())
        return questions.events.count == 1 ? nil : clock.bootIdentifier()
      })
    #expect(questions.events.isEmpty)
    _ = vault.state()
    #expect(questions.events.count == 1)
    try fixture.publishSession(expiresIn: .seconds(600))
    // Only the boot clock knows now how long the token is good.
    fixture.clocks.setWall(by: .seconds(-3600))
    #expect(vault.state().expiresIn == .seconds(600))
    #expect(questions.events.count == 2)
    try fixture.publishSession()
    _ = vault.state()
    #expect(questions.events.count == 2)
    _ = lock
  }

  @Test func theStateSaysWhenItChangesByItself() throws {
    let fixture = try VaultFixture()
    let lock = try fixture.holdHostLock()
    try fixture.publishSession(expiresIn: .seconds(3600), nextPublicationIn: .seconds(3000))
    let vault = fixture.vault()
    var seen: [String] = []
    var spans: [Duration] = []
    while let span = vault.state().changesAfter, spans.count < 10 {
      spans.append(span)
      fixture.clocks.advance(by: span)
      let state = vault.state()
      seen.append("\(state.session.word) \(state.host.word)")
    }
    #expect(seen == ["valid stale", "expiring stale", "expired stale"])
    #expect(
      spans == [
        .milliseconds(3_000_001), .milliseconds(570_000), .milliseconds(30_000),
      ])
    try fixture.publish(fixture.draft(.signedOut, nextPublicationIn: .seconds(60)))
    #expect(vault.state().changesAfter == .milliseconds(60_001))
    try fixture.namespaceDirectory().removeFile("session")
    #expect(vault.state().changesAfter == nil)
    _ = lock
  }

  @Test func theHostIsAskedForOnceASecond() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let vault = fixture.vault()
    #expect(vault.state().host == .stale)
    #expect(vault.state().reason == "no host is running")
    let lock = try fixture.holdHostLock()
    fixture.clocks.advance(by: .milliseconds(999))
    #expect(vault.state().host == .stale)
    fixture.clocks.advance(by: .milliseconds(1))
    #expect(vault.state().host == .reported(.ok))
    _ = lock
  }

  @Test func aNewSnapshotHasTheHostAskedForAnew() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let vault = fixture.vault()
    #expect(vault.state().host == .stale)
    let lock = try fixture.holdHostLock()
    try fixture.publishSession()
    #expect(vault.state().host == .reported(.ok))
    _ = lock
  }

  @Test func cr09ARunningReaderPassesOverAnOlderSnapshotThatWasPutBack() throws {
    let fixture = try VaultFixture()
    let lock = try fixture.holdHostLock()
    let old = try fixture.encoded(
      fixture.draft(.session(fixture.record(expiresIn: .seconds(3600))), generation: 1))
    let vault = fixture.vault()
    try fixture.writeKey()
    try fixture.write(old)
    #expect(vault.state().generation == 1)
    try fixture.publish(fixture.draft(.signedOut, generation: 2))
    #expect(vault.state().session == .signedOut)
    try fixture.write(old)
    #expect(vault.state().session == .signedOut)
    #expect(vault.state().generation == 2)
    #expect(refusal(vault)?.reason == .signedOut)
    // A reader that starts now cannot know better, but the deadline tells on the old snapshot.
    let restarted = fixture.vault()
    #expect(restarted.state().generation == 1)
    fixture.clocks.advance(by: .seconds(4001))
    #expect(restarted.state().host == .stale)
    _ = lock
  }

  @Test func anotherLifeIsTakenWhenItWasPublishedLater() throws {
    let fixture = try VaultFixture()
    let early = try fixture.encoded(
      fixture.draft(.signedOut, generation: 50, life: SnapshotLife(rawValue: 1)))
    fixture.clocks.advance(by: .seconds(1))
    try fixture.publish(fixture.draft(.signedOut, generation: 90))
    let vault = fixture.vault()
    #expect(vault.state().generation == 90)
    try fixture.write(early)
    #expect(vault.state().generation == 90)
    fixture.clocks.advance(by: .seconds(1))
    try fixture.publish(
      fixture.draft(.signedOut, generation: 1, life: SnapshotLife(rawValue: 2)))
    #expect(vault.state().generation == 1)
  }

  @Test func cr10TheGreatestGenerationIsReadAndNothingFollowsIt() throws {
    let fixture = try VaultFixture()
    try fixture.publish(fixture.draft(.signedOut, generation: .max))
    let vault = fixture.vault()
    #expect(vault.state().generation == .max)
    try fixture.publish(fixture.draft(.reauthenticationRequired(.invalidGrant), generation: 1))
    #expect(vault.state().session == .signedOut)
  }
}
