import SessionModel
import SnapshotTesting
import TestSupport
import Testing
import VaultReader
import VaultWatching

/// Clocks that are moved: nobody waits for anything.
@Suite(.timeLimit(.minutes(1))) struct ManualTimeTests {
  @Test func aTokenEndsWhenTheClockIsMoved() throws {
    let simulation = try SimulatedVault()
    let vault = simulation.reader()
    try simulation.show(.valid(for: .milliseconds(80_250)))
    #expect(vault.state().expiresIn == .milliseconds(80_250))
    // The provider counts in seconds: 81 of them, whose eighth is the margin.
    try simulation.advance(by: .milliseconds(70_125))
    #expect(vault.state().session == .valid)
    try simulation.advance(by: .milliseconds(1))
    #expect(vault.state().session == .expiring)
    try simulation.advance(by: .milliseconds(10_123))
    #expect(vault.state().expiresIn == .milliseconds(1))
    try simulation.advance(by: .milliseconds(1))
    #expect(vault.state().session == .expired)
    // A host that works as planned would have renewed it by now.
    try simulation.advance(by: .milliseconds(1))
    #expect(vault.state().host == .stale)
  }

  @Test func aClockThatIsSetBackRevivesNothing() throws {
    let simulation = try SimulatedVault()
    let vault = simulation.reader()
    try simulation.show(.valid(for: .seconds(60)))
    try simulation.setWallClock(by: .seconds(-3600))
    #expect(vault.state().expiresIn == .seconds(60))
    try simulation.advance(by: .seconds(60))
    #expect(vault.state().session == .expired)
    try simulation.show(.clockSkew(by: .seconds(-3600)))
    #expect(vault.state().session == .expired)
  }

  @Test func theHostsEndIsSeenAtOnce() throws {
    let simulation = try SimulatedVault()
    let vault = simulation.reader()
    try simulation.show(.valid(for: .seconds(60)))
    #expect(vault.state().host == .reported(.ok))
    try simulation.show(.stale(.hostStopped))
    #expect(vault.state().host == .stale)
    try simulation.show(.offline)
    #expect(vault.state().host == .reported(.offline))
  }

  @Test func updatesTellOfWhatTheClockBrings() async throws {
    let simulation = try SimulatedVault()
    try simulation.show(.valid(for: .seconds(3600)))
    var updates = simulation.reader().updates().makeAsyncIterator()
    #expect(await updates.next()?.state.session == .valid)
    try simulation.show(.offline)
    #expect(await updates.next()?.state.host == .reported(.offline))
    try simulation.advance(by: .seconds(3590))
    #expect(await updates.next()?.state.session == .expiring)
    try simulation.advance(by: .seconds(10))
    let last = await updates.next()
    #expect(last?.state.session == .expired)
    #expect(last?.change == .condition)
    try simulation.show(.accountChanged(for: .seconds(60)))
    #expect(await updates.next()?.isAccountChanged == true)
  }

  @Test func theSystemsClocksAreNotMoved() throws {
    let simulation = try SimulatedVault(time: .system)
    let error = #expect(throws: SimulationError.self) { try simulation.advance(by: .seconds(1)) }
    #expect(error?.description.contains("time: .manual") == true)
  }

  @Test func aScenarioIsPlayedStepByStep() throws {
    let scenario = try Scenario(
      parsing: """
        title The host is offline until after the token has ended
        at 0s  valid for 20s        # a state, as `tokenvault simulate list` names them
        at 5s  offline
        at 20s expire               # nothing is published: the token ends by itself
        at 30s renew for 60s
        at 40s end
        expect 21s..29s no text "simulated-token"
        """)
    let simulation = try SimulatedVault()
    var playback = simulation.play(scenario)
    var seen: [String] = []
    while let played = try playback.next() {
      let state = played.state
      seen.append("\(played.step.line) \(state.session.word) \(state.host.word)")
    }
    #expect(
      seen == ["2 valid ok", "3 valid offline", "4 expired offline", "5 valid ok"])
    #expect(scenario.title == "The host is offline until after the token has ended")
    #expect(scenario.length == .seconds(40))
  }
}
