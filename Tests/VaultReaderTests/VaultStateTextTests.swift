import FileSupport
import Glibc
import SessionModel
import SnapshotFormat
import TestSupport
import Testing
import VaultReader

@Suite struct VaultStateTextTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var hostState = HostState.ok
    var isHostRunning = true
    var elapsed = Duration.zero
    let reason: String?
    let nextStep: String?

    var testDescription: String { name }
  }

  static let sessions: [Case] = [
    Case(name: "valid", reason: nil, nextStep: nil),
    Case(name: "renewing", hostState: .renewing, reason: "the host is renewing it", nextStep: nil),
    Case(
      name: "offline", hostState: .offline,
      reason: "the host cannot reach the provider and goes on trying",
      nextStep: "look at the network, or wait"),
    Case(
      name: "waiting", hostState: .waiting(until: UnixTime(rawValue: 1_900_000_090)),
      reason: "the host waits 1m30s before it tries again", nextStep: nil),
    Case(
      name: "waiting on", hostState: .waiting(until: UnixTime(rawValue: 1_900_000_090)),
      elapsed: .seconds(60), reason: "the host waits 30s before it tries again", nextStep: nil),
    Case(
      name: "waited", hostState: .waiting(until: UnixTime(rawValue: 1_900_000_090)),
      elapsed: .seconds(90), reason: "the host is about to try again", nextStep: nil),
    Case(
      name: "storage failed", hostState: .storageFailed,
      reason: "the host cannot store its state",
      nextStep: "make room where the host keeps its state; its log names it"),
    Case(
      name: "locked", hostState: .locked, reason: "the host's key is locked",
      nextStep: "run: tokenvault unlock"),
    Case(
      name: "no host", isHostRunning: false, reason: "no host is running",
      nextStep: "start the host: tokenvault-host"),
    Case(
      name: "expiring", elapsed: .seconds(3595), reason: "the access token of primary ends in 5s",
      nextStep: nil),
    Case(
      name: "expiring offline", hostState: .offline, elapsed: .seconds(3595),
      reason: "the access token of primary ends in 5s;"
        + " the host cannot reach the provider and goes on trying",
      nextStep: "look at the network, or wait"),
    Case(
      name: "expired", elapsed: .seconds(3661),
      reason: "the access token of primary ended 1m1s ago",
      nextStep: "run: tokenvault renew primary"),
    Case(
      name: "expired without a host", isHostRunning: false, elapsed: .seconds(3661),
      reason: "the access token of primary ended 1m1s ago; no host is running",
      nextStep: "start the host: tokenvault-host"),
  ]

  @Test(arguments: sessions)
  func aSessionIsExplained(expected: Case) throws {
    let fixture = try VaultFixture()
    let lock = expected.isHostRunning ? try fixture.holdHostLock() : nil
    try fixture.publishSession(hostState: expected.hostState)
    fixture.clocks.advance(by: expected.elapsed)
    let state = fixture.vault().state()
    #expect(state.reason == expected.reason)
    #expect(state.nextStep == expected.nextStep)
    _ = lock
  }

  static let tombstones: [(SnapshotContent, Bool, String, String)] = [
    (.signedOut, true, "primary is signed out", "run: tokenvault sign-in primary"),
    (
      .signedOut, false, "primary is signed out",
      "start the host: tokenvault-host; then run: tokenvault sign-in primary"
    ),
    (
      .reauthenticationRequired(.invalidGrant), true,
      "primary has to sign in again: the provider has ended the session",
      "run: tokenvault sign-in primary"
    ),
    (
      .reauthenticationRequired(ReauthenticationReason(rawValue: "bad\u{1b}[2J")), true,
      "primary has to sign in again: bad\\u{1b}[2J", "run: tokenvault sign-in primary"
    ),
    (
      .unknown(RecordKind(rawValue: 9)), true,
      "the snapshot of primary is of a kind that this version does not know",
      "update this program"
    ),
  ]

  @Test(arguments: tombstones)
  func aTombstoneIsExplained(
    content: SnapshotContent, isHostRunning: Bool, reason: String, nextStep: String
  ) throws {
    let fixture = try VaultFixture()
    let lock = isHostRunning ? try fixture.holdHostLock() : nil
    try fixture.publish(fixture.draft(content))
    let vault = fixture.vault()
    let state = vault.state()
    #expect(state.reason == reason)
    #expect(state.nextStep == nextStep)
    #expect(refusal(vault)?.description == "\(reason); \(nextStep)")
    _ = lock
  }

  @Test(arguments: [
    (true, "run: tokenvault sign-in primary"),
    (false, "start the host: tokenvault-host; then run: tokenvault sign-in primary"),
  ])
  func anAbsentSnapshotIsExplained(isHostRunning: Bool, nextStep: String) throws {
    let fixture = try VaultFixture()
    let lock = isHostRunning ? try fixture.holdHostLock() : nil
    let other = try #require(AccessGroup("bots"))
    #expect(
      fixture.vault(group: other).state().nextStep
        == "\(nextStep), whose accessGroups have to name bots")
    let state = fixture.vault().state()
    #expect(state.session == .absent)
    #expect(state.host == (isHostRunning ? .reported(.ok) : .stale))
    #expect(state.reason == "no snapshot of primary is published for the access group default")
    #expect(state.nextStep == nextStep)
    _ = lock
  }

  @Test func aHostOfWhichNothingIsKnownIsNeitherRunningNorGone() throws {
    let fixture = try VaultFixture()
    let lock = try fixture.holdHostLock()
    try fixture.publishSession()
    #expect(fixture.vault().state(namespace: "../x").host.word == "unknown")
    try #require(unsafe chmod(fixture.runtime.path, 0o755) == 0)
    let state = fixture.vault().state()
    #expect(state.session == .permission)
    #expect(state.host.word == "unknown")
    _ = lock
  }

  @Test func aServicesGroupWithoutTheNamespaceDoesNotAskForAHost() throws {
    let fixture = try VaultFixture(runtimeName: "service")
    try fixture.publishSession()
    try #require(unsafe chmod(fixture.runtime.path, 0o711) == 0)
    let vault = TokenVault(
      accessGroup: .default,
      directories: fixture.serviceDirectories, clock: fixture.clocks.readerClock)
    let state = vault.state(namespace: "other")
    #expect(state.session == .absent)
    #expect(state.host.word == "unknown")
    #expect(state.nextStep == "run: tokenvault sign-in other")
  }

  @Test(arguments: [
    (true, "move the key away, then run: tokenvault renew primary"),
    (false, "move the key away, then start the host: tokenvault-host"),
  ])
  func aDamagedKeyIsMovedAwayByHand(isHostRunning: Bool, nextStep: String) throws {
    let fixture = try VaultFixture()
    let lock = isHostRunning ? try fixture.holdHostLock() : nil
    try fixture.publishSession()
    try fixture.groupDirectory().replaceFile("key", with: [7], durability: .volatile)
    let state = fixture.vault().state()
    #expect(state.reason == "\(fixture.keyPath): the access group's key is damaged")
    #expect(state.nextStep == nextStep)
    _ = lock
  }

  @Test func aKeyOfANewerVersionAsksForANewerProgram() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    try fixture.groupDirectory().replaceFile(
      "key", with: Array("TVGKEY\u{2}\u{0}".utf8), durability: .volatile)
    let state = fixture.vault().state()
    #expect(
      state.reason
        == "\(fixture.keyPath): the access group's key has version 2, and this program reads"
        + " version 1; update it")
    #expect(state.nextStep == nil)
  }

  @Test func anUnsupportedVersionNamesItsOwnMend() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    try fixture.write(Array("TVSNAP\u{2}\u{0}".utf8))
    #expect(
      refusal(fixture.vault())?.description
        == "\(fixture.sessionPath): the snapshot has format version 2, and this program reads"
        + " version 1; update it")
  }

  @Test func aCorruptSnapshotIsExplained() throws {
    let fixture = try VaultFixture()
    let lock = try fixture.holdHostLock()
    try fixture.publishSession()
    try fixture.write(Array("something else".utf8))
    let state = fixture.vault().state()
    #expect(
      state.reason
        == "\(fixture.sessionPath): the snapshot is damaged (not the shape of a snapshot);"
        + " the host replaces it at its next publication")
    #expect(state.nextStep == "run: tokenvault renew primary")
    _ = lock
  }
}
