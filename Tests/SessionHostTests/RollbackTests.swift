import GrantModel
import HostControl
import SessionHost
import SessionModel
import SnapshotFormat
import TestSupport
import Testing

/// A stored session that was put back from an older copy, as by restoring a backup.
@Suite(.timeLimit(.minutes(1)))
struct RollbackTests {
  private let fixture: HostFixture
  private let source = ScriptedSource()
  private let setups: [NamespaceSession.Setup]
  private let told = EventRecorder<String>()
  private let record: String

  init() throws {
    fixture = try HostFixture()
    let told = told
    setups = [
      NamespaceSession.Setup(
        namespace: .primary, source: source, policy: RenewalPolicy(),
        onError: { told.record($0) })
    ]
    record = fixture.root.file("state/store/session/primary")
  }

  /// Signs in, keeps the record, lets more happen, and puts the record back.
  private func putBack(after change: (HostService) async throws -> Void) async throws {
    var copy: [UInt8] = []
    try await fixture.run(setups) { host in
      try await fixture.signIn(source)
      copy = try TestFile.read(record)
      fixture.clock.jump(by: .seconds(30))
      try await change(host)
    }
    try TestFile.write(copy, to: record)
  }

  private func renew() async throws {
    source.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_000_120)
    guard case .renewed = try await fixture.ask(.renew(.primary, validFor: nil)) else {
      Issue.record("not renewed")
      return
    }
  }

  @Test func cr11ARecordOfYesterdayIsNotRenewedFrom() async throws {
    try await putBack { _ in try await renew() }
    let asked = source.renewals.events
    // A restart more: what was noticed is stored.
    for _ in 0..<2 {
      try await fixture.run(setups) { _ in
        let content = try fixture.snapshot()?.content
        #expect(content == .reauthenticationRequired(.rollbackSuspected))
        for request in [
          ControlRequest.renew(.primary, validFor: nil), .renew(.primary, validFor: .seconds(5)),
          .rejected(.primary, generation: 1000),
        ] {
          guard
            case .failed(.reauthenticationRequired, let message) = try await fixture.ask(request)
          else {
            Issue.record("\(request) was granted")
            continue
          }
          #expect(message == ReauthenticationReason.rollbackSuspected.description)
        }
        let status = try #require(try await fixture.statuses().first)
        #expect(status.session == "reauthentication-required")
        #expect(status.reason == ReauthenticationReason.rollbackSuspected.description)
      }
    }
    #expect(source.renewals.events == asked, "the old refresh token was not used")
    #expect(source.revocations.events.isEmpty)
    #expect(fixture.log.events.contains { $0.hasPrefix("error: primary: the stored session is") })
    #expect(told.events.count { $0.hasPrefix("the stored session is older") } == 1)
    // The person signs in; what the old record stood for is revoked.
    try await fixture.run(setups) { _ in
      source.thenIssue("access-3", rotatingTo: "refresh-3", expiresAt: 1_000_180)
      let event = try await fixture.ask(.signIn(SignInRequest(namespace: .primary)))
      #expect(event == .signedIn(.primary))
      guard case .session(let session) = try fixture.snapshot()?.content else {
        Issue.record("no session is published")
        return
      }
      #expect(session.accessToken == "access-3")
    }
    #expect(source.revocations.events == ["refresh-1"])
  }

  @Test func cr11ASessionThatWasEndedIsNotRevived() async throws {
    try await putBack { _ in _ = try await fixture.ask(.signOut(.primary)) }
    try await fixture.run(setups) { _ in
      let content = try fixture.snapshot()?.content
      #expect(content == .reauthenticationRequired(.rollbackSuspected))
    }
    #expect(source.renewals.events.isEmpty)
  }

  @Test func cr11ASessionThatTheProviderEndedIsNotRevived() async throws {
    try await putBack { _ in
      source.then { _, _ in .terminal(.invalidGrant) }
      _ = try await fixture.ask(.renew(.primary, validFor: nil))
    }
    try await fixture.run(setups) { _ in
      let content = try fixture.snapshot()?.content
      #expect(content == .reauthenticationRequired(.rollbackSuspected))
    }
    #expect(source.renewals.events == ["refresh-1"])
  }

  @Test func aLostRecordThatIsPutBackAsTheHostAsksIsNoSuspicion() async throws {
    try await fixture.run(setups) { _ in try await fixture.signIn(source) }
    let kept = try TestFile.read(record)
    try TestFile.remove(record)
    fixture.clock.jump(by: .seconds(30))
    try await fixture.run(setups) { _ in
      let content = try fixture.snapshot()?.content
      #expect(content == .reauthenticationRequired(.lostState))
    }
    try TestFile.write(kept, to: record)
    try await fixture.run(setups) { _ in
      guard case .session(let session) = try fixture.snapshot()?.content else {
        Issue.record("no session is published")
        return
      }
      #expect(session.accessToken == "access-1")
    }
  }

  @Test func theRightRecordPutBackOverTheWrongOneIsGoodAgain() async throws {
    var right: [UInt8] = []
    try await putBack { _ in
      try await renew()
      right = try TestFile.read(record)
    }
    try await fixture.run(setups) { _ in }
    try TestFile.write(right, to: record)
    try await fixture.run(setups) { _ in
      guard case .session(let session) = try fixture.snapshot()?.content else {
        Issue.record("no session is published")
        return
      }
      #expect(session.accessToken == "access-2")
    }
  }

  @Test func whatWasPublishedBeforeTheRecordWasStoredIsNoSuspicion() async throws {
    // As when the host is killed between the two: snapshots that are behind their record.
    let snapshot = fixture.root.file("run/groups/default/ns/primary/session")
    var behind: [UInt8] = []
    try await fixture.run(setups) { _ in
      try await fixture.signIn(source)
      _ = try await fixture.ask(.signOut(.primary))
      behind = try TestFile.read(snapshot)
      fixture.clock.jump(by: .seconds(30))
      source.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_000_120)
      _ = try await fixture.ask(.signIn(SignInRequest(namespace: .primary)))
    }
    try TestFile.write(behind, to: snapshot)
    try await fixture.run(setups) { _ in
      guard case .session(let session) = try fixture.snapshot()?.content else {
        Issue.record("no session is published")
        return
      }
      #expect(session.accessToken == "access-2")
    }
  }

  @Test func refusalsWithoutAReasonAreNoSuspicion() async throws {
    try await fixture.run(setups) { _ in
      try await fixture.signIn(source)
      for _ in 0..<RenewalPolicy.refusalLimit {
        fixture.clock.jump(by: .seconds(3600))
        source.then { _, _ in .transient(.refusedWithoutReason(status: 400), retryAfter: nil) }
        _ = try await fixture.ask(.renew(.primary, validFor: nil))
      }
      let content = try fixture.snapshot()?.content
      #expect(content == .reauthenticationRequired(.refusedWithoutReason))
    }
    try await fixture.run(setups) { _ in
      let content = try fixture.snapshot()?.content
      #expect(content == .reauthenticationRequired(.refusedWithoutReason))
      try await renew()
    }
  }
}
