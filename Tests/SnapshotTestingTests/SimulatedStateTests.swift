import Glibc
import SessionModel
import SnapshotTesting
import TestSupport
import Testing
import VaultReader

/// Each state as a reader sees it, that has read before and that reads for the first time.
@Suite struct SimulatedStateTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let state: SimulatedState
    let session: String
    let host: String
    var testDescription: String { "\(state)" }

    init(_ state: SimulatedState, _ session: String, _ host: String = "ok") {
      (self.state, self.session, self.host) = (state, session, host)
    }
  }

  static let examples: [Example] = [
    Example(.absent, "absent"), Example(.valid(for: .seconds(60)), "valid"),
    Example(.expiring(for: .seconds(20)), "expiring"),
    Example(.expired(since: .seconds(60)), "expired"),
    Example(.expiryUnknown, "expiry-unknown"),
    Example(.stale(.hostStopped), "valid", "stale"), Example(.stale(.overdue), "valid", "stale"),
    Example(.stale(.earlierBoot), "valid", "stale"), Example(.renewing, "valid", "renewing"),
    Example(.offline, "valid", "offline"),
    Example(.waiting(for: .seconds(30)), "valid", "waiting"),
    Example(.storageFailed, "valid", "storage-failed"), Example(.locked, "valid", "locked"),
    Example(.signedOut, "signed-out"),
    Example(.reauthenticationRequired(.invalidGrant), "reauthentication-required"),
    Example(.accountChanged(for: .seconds(60)), "valid"), Example(.corrupt(byte: 100), "corrupt"),
    Example(.corrupt(byte: 6), "unsupported-version"),
    Example(.truncated(bytes: 100), "corrupt"), Example(.truncated(bytes: 0), "corrupt"),
    Example(.wrongKey, "key-unavailable"), Example(.keyUnavailable, "key-unavailable"),
    Example(.futureVersion, "unsupported-version"),
    Example(.unknownRecord, "unsupported-record"), Example(.wrongMode(0o644), "permission"),
    Example(.symbolicLink, "permission"), Example(.fifo, "permission"),
    Example(.clockSkew(by: .seconds(-3600)), "valid"),
    Example(.clockSkew(by: .seconds(7200)), "expired"),
  ]

  @Test(arguments: [SimulatedTime.manual, .system], examples)
  func aReaderSeesIt(time: SimulatedTime, example: Example) throws {
    let simulation = try SimulatedVault(time: time)
    let running = simulation.reader()
    try simulation.show(.valid(for: .seconds(3600)))
    #expect(running.state().session == .valid)
    try simulation.show(example.state)
    for vault in [running, simulation.reader()] {
      let state = vault.state()
      #expect(state.session.word == example.session)
      #expect(state.host.word == example.host)
      #expect(
        example.session == "valid" || (try? vault.accessToken()) == nil
          || state.session == .expiryUnknown)
    }
    // From any state there is a way back.
    try simulation.show(.valid(for: .seconds(60)))
    #expect(running.state().session == .valid)
    #expect(running.state().host == .reported(.ok))
    #expect(try running.accessToken() == simulation.tokens.last?.text)
  }

  @Test(arguments: examples) func itIsTheFirstThatThereIs(example: Example) throws {
    let simulation = try SimulatedVault()
    try simulation.show(example.state)
    #expect(simulation.reader().state().session.word == example.session)
    #expect(simulation.reader().state().host.word == example.host)
  }

  @Test(.enabled(if: geteuid() == 0)) func anotherUsersSnapshotIsNotTrusted() throws {
    let simulation = try SimulatedVault()
    try simulation.show(.wrongOwner)
    #expect(simulation.reader().state().session == .permission)
    #expect(simulation.reader().state().reason?.contains("belongs to user 65534") == true)
  }

  @Test func theHostsWordsAreSaidOfTheSameToken() throws {
    let simulation = try SimulatedVault()
    try simulation.show(.valid(for: .seconds(600)))
    let vault = simulation.reader()
    let token = try vault.accessToken()
    for state in [SimulatedState.renewing, .offline, .waiting(for: .seconds(5)), .locked] {
      try simulation.show(state)
      #expect(try vault.accessToken() == token)
      #expect(vault.state().expiresIn == .seconds(600))
    }
    #expect(simulation.tokens.map(\.number) == [1])
  }

  @Test func anotherAccountHasAnotherNameAndAnotherToken() throws {
    let simulation = try SimulatedVault()
    try simulation.show(.valid(for: .seconds(600)))
    let vault = simulation.reader()
    #expect(vault.state().accountName == "ada@simulated.example")
    try simulation.show(.accountChanged(for: .seconds(600)))
    #expect(vault.state().accountName == "grace@simulated.example")
    #expect(
      simulation.tokens.map(\.accountName) == ["ada", "grace"].map { "\($0)@simulated.example" })
    #expect(Set(simulation.tokens.map { $0.text.prefix(8) }).count == 2)
  }

  @Test func aSignOutWithdrawsEveryTokenThereWas() throws {
    let simulation = try SimulatedVault()
    try simulation.show(.valid(for: .seconds(600)))
    try simulation.show(.valid(for: .seconds(600)))
    try simulation.show(.signedOut)
    try simulation.show(.valid(for: .seconds(600)))
    #expect(
      simulation.tokens.map(\.withdrawal?.cause) == [
        "the person signed out", "the person signed out", nil,
      ])
  }

  @Test func aReaderThatHasSeenTheNewerOneStaysWithIt() throws {
    let simulation = try SimulatedVault()
    try simulation.show(.valid(for: .seconds(600)))
    try simulation.show(.valid(for: .seconds(600)))
    let running = simulation.reader()
    #expect(try running.accessToken() == simulation.tokens[1].text)
    try simulation.show(.rolledBack)
    #expect(try running.accessToken() == simulation.tokens[1].text)
    #expect(try simulation.reader().accessToken() == simulation.tokens[0].text)
    try simulation.show(.signedOut)
    #expect(running.state().session == .signedOut)
    try simulation.show(.rolledBack)
    #expect(running.state().session == .signedOut)
    #expect(simulation.reader().state().session == .valid)
  }

  @Test(arguments: [
    (SimulatedState.corrupt(byte: 1_000_000), "and no byte 1000000"),
    (.corrupt(byte: -1), "and no byte -1"), (.truncated(bytes: 1_000_000), "no more than 1000000"),
    (.expiring(for: .seconds(30)), "30s at most"), (.wrongMode(0o600), "take a mode like 0644"),
  ]) func whatCannotBeIsSaid(state: SimulatedState, words: String) throws {
    let simulation = try SimulatedVault()
    let error = #expect(throws: SimulationError.self) { try simulation.show(state) }
    #expect(error?.description.contains(words) == true, "\(String(describing: error))")
  }
}
