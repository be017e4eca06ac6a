import FileSupport
import GrantModel
import HostControl
import SessionHost
import SessionModel
import SnapshotFormat
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ForgetTests {
  private static let entry = "state/store/session/primary"

  /// Whether anything of the namespace is left where the host keeps things.
  private static func isAnythingLeft(_ fixture: HostFixture) -> Bool {
    let names = TestFile.names(in: fixture.root.file("state/store/session"))
    return names.contains { $0.hasPrefix("primary") || $0.hasPrefix(".primary") }
      || TestFile.exists(fixture.root.file("run/groups/default/ns/primary/session"))
  }

  @Test func aSessionIsErasedRevokedAndCanBeBegunAnew() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in
      try await fixture.signIn(source)
      let event = try await fixture.ask(.forget(.primary))
      #expect(event == .forgotten(.primary, isRevoked: true))
      #expect(source.revocations.events == ["refresh-1"])
      #expect(!Self.isAnythingLeft(fixture))
      try await fixture.signIn(source)
      guard case .session = try fixture.snapshot()?.content else {
        Issue.record("not signed in anew")
        return
      }
    }
    try await fixture.run([HostFixture.setup(ScriptedSource())]) { _ in
      guard case .session = try fixture.snapshot()?.content else {
        Issue.record("the new session is gone")
        return
      }
    }
  }

  @Test func aForgottenNamespaceIsAbsentAtTheNextStart() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in
      try await fixture.signIn(source)
      _ = try await fixture.ask(.forget(.primary))
    }
    try await fixture.run([HostFixture.setup(source)]) { host in
      let snapshot = try fixture.snapshot()
      #expect(snapshot == nil)
      let report = await host.signOutOnce(.primary)
      #expect(report == .signedOut(.done))
    }
  }

  @Test(arguments: [
    GrantModel.RevocationOutcome.transient(.network("no route"), retryAfter: nil),
    .unsupported("it has no revocation endpoint"),
  ])
  func theProviderIsNotNeeded(outcome: GrantModel.RevocationOutcome) async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in
      try await fixture.signIn(source)
      source.thenRevocation(outcome)
      let event = try await fixture.ask(.forget(.primary))
      #expect(event == .forgotten(.primary, isRevoked: false))
      #expect(!Self.isAnythingLeft(fixture))
    }
  }

  @Test func whatIsDamagedIsErasedWithWhatWasSetAside() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in try await fixture.signIn(source) }
    try fixture.root.write("no entry", to: Self.entry, mode: 0o600)
    try await fixture.run([HostFixture.setup(source)]) { _ in
      #expect(TestFile.exists(fixture.root.file("state/store/session/.primary.corrupt-1")))
      guard case .forgotten = try await fixture.ask(.forget(.primary)) else {
        Issue.record("not forgotten")
        return
      }
      #expect(!Self.isAnythingLeft(fixture))
    }
  }

  @Test func whatCannotBeReadIsErasedAndTheNamespaceCanBeUsed() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in try await fixture.signIn(source) }
    try TestFile.setMode(0o644, of: fixture.root.file(Self.entry))
    try await fixture.run([HostFixture.setup(source)]) { _ in
      let event = try await fixture.ask(.forget(.primary))
      #expect(event == .forgotten(.primary, isRevoked: false))
      #expect(!Self.isAnythingLeft(fixture))
      try await fixture.signIn(source)
    }
  }

  @Test func whatIsNotConfiguredIsErasedAndWhatIsUnknownIsSaidToBeSo() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in try await fixture.signIn(source) }
    try await fixture.run([]) { _ in
      let event = try await fixture.ask(.forget(.primary))
      #expect(event == .forgotten(.primary, isRevoked: false))
      #expect(!Self.isAnythingLeft(fixture))
      let again = try await fixture.ask(.forget(.primary))
      #expect(
        again
          == .failed(
            .unknownNamespace,
            message: "nothing is known of primary: it is neither configured, stored nor published"))
    }
  }

  @Test func aStoreWithoutItsKeyIsNoObstacle() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in try await fixture.signIn(source) }
    try fixture.root.write("no key", to: "keys/master.key", mode: 0o600)
    #expect(throws: HostStartError.self) { _ = try fixture.makeHost([]) }
    let log = HostLog { _, _ in }
    for isFound in [true, false] {
      #expect(
        try UnopenedState.forget(.primary, directories: fixture.directories, log: log) == isFound)
      #expect(!Self.isAnythingLeft(fixture))
    }
  }

  @Test func aSnapshotThatCannotBeRemovedIsNamedAndNotTheState() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in try await fixture.signIn(source) }
    let name = "run/groups/default/ns/primary/session"
    let path = fixture.root.file(name)
    try TestFile.remove(path)
    _ = try fixture.root.makeDirectory(name)
    let log = HostLog { _, _ in }
    let error = #expect(throws: HostStartError.self) {
      try UnopenedState.forget(.primary, directories: fixture.directories, log: log)
    }
    #expect(error?.description.hasPrefix(path + ": ") == true, "\(error?.description ?? "")")
  }

  @Test func aSignOutOfWhatCannotBeReadFailsAndTheSessionComesBackWithTheStorage() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in try await fixture.signIn(source) }
    let path = fixture.root.file(Self.entry)
    try TestFile.setMode(0o644, of: path)
    try await fixture.run([HostFixture.setup(source)]) { _ in
      guard case .failed(.storage, let message) = try await fixture.ask(.signOut(.primary)) else {
        Issue.record("signed out what could not be read")
        return
      }
      #expect(message == "\(path): mode 0644 lets others in; run: chmod 0600 '\(path)'")
      // No tombstone: whoever still reads goes on reading.
      guard case .session = try fixture.snapshot()?.content else {
        Issue.record("the snapshot was withdrawn")
        return
      }
      try TestFile.setMode(0o600, of: path)
      source.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_000_120)
      guard case .renewed = try await fixture.ask(.renew(.primary, validFor: nil)) else {
        Issue.record("the session did not come back")
        return
      }
    }
    #expect(source.renewals.events == ["refresh-1"])
    #expect(source.revocations.events.isEmpty)
  }

  @Test func whatCouldNotBeReadComesBackWithoutBeingAskedFor() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in try await fixture.signIn(source) }
    let path = fixture.root.file(Self.entry)
    let before = try #require(try fixture.snapshot()?.header.generation)
    try TestFile.setMode(0o644, of: path)
    try await fixture.run([HostFixture.setup(source)]) { _ in
      try TestFile.setMode(0o600, of: path)
      while try fixture.snapshot()?.header.generation == before {
        try await fixture.clock.advanceToNextSleeper()
      }
      #expect(
        fixture.log.events.contains("info: primary: the stored session can be used again"))
    }
  }
}
