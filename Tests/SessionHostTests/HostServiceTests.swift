import FileSupport
import GrantModel
import HostControl
import SessionHost
import SessionModel
import SnapshotFormat
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HostServiceTests {
  @Test func aRestartGoesOnWithoutANewSignIn() async throws {
    let fixture = try HostFixture()
    let first = ScriptedSource()
    try await fixture.run([HostFixture.setup(first)]) { _ in try await fixture.signIn(first) }
    let before = try #require(try fixture.snapshot())
    let second = ScriptedSource()
    second.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_000_120)
    try await fixture.run([HostFixture.setup(second)]) { _ in
      let after = try #require(try fixture.snapshot())
      #expect(after.content == before.content)
      #expect(after.header.life == before.header.life)
      #expect(after.header.generation == before.header.generation + 1)
      guard case .renewed = try await fixture.ask(.renew(.primary, validFor: nil)) else {
        Issue.record("not renewed")
        return
      }
    }
    #expect(second.signIns.events.isEmpty)
    #expect(second.renewals.events == ["refresh-1"])
    guard case .session(let session) = try fixture.snapshot()?.content else {
      Issue.record("no session")
      return
    }
    #expect(session.accessToken == "access-2")
    #expect(session.refreshToken == nil, "readers get no refresh token")
  }

  @Test func aSnapshotWithoutASessionBehindItBecomesATombstone() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    let setups = [
      HostFixture.setup(source, named: "work"), HostFixture.setup(source, named: "home"),
    ]
    try await fixture.run(setups) { _ in
      try await fixture.signIn(source, named: "work")
      try await fixture.signIn(source, named: "home")
    }
    try TestFile.remove(fixture.root.file("state/store/session/home"))
    try await fixture.run([HostFixture.setup(source, named: "work")]) { _ in
      #expect(try fixture.snapshot("home")?.content == .signedOut)
      guard case .session = try fixture.snapshot("work")?.content else {
        Issue.record("the other session is gone")
        return
      }
    }
    let tombstone = try fixture.snapshot("home")?.header
    try await fixture.run([HostFixture.setup(source, named: "work")]) { _ in
      let header = try fixture.snapshot("home")?.header
      #expect(header == tombstone, "one is enough")
    }
  }

  @Test func aConfiguredNamespaceWhoseStateIsGoneAsksForANewSignIn() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in try await fixture.signIn(source) }
    try TestFile.remove(fixture.root.file("state/store/session/primary"))
    for _ in 0..<2 {
      try await fixture.run([HostFixture.setup(source)]) { _ in
        let content = try fixture.snapshot()?.content
        #expect(content == .reauthenticationRequired(.lostState))
      }
    }
  }

  @Test func aSessionThatIsNotConfiguredAnyMoreIsLeftAlone() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source, named: "work")]) { _ in
      try await fixture.signIn(source, named: "work")
    }
    try await fixture.run([]) { _ in }
    guard case .session = try fixture.snapshot("work")?.content else {
      Issue.record("the snapshot is gone")
      return
    }
    #expect(
      fixture.log.events.contains(
        "warning: work (default): has a session, but is not configured; it is not renewed"))
    try await fixture.run([HostFixture.setup(source, named: "work")]) { _ in
      let status = try await fixture.ask(.status(Namespace("work")))
      #expect(status == .done)
    }
  }

  @Test func aGroupThatIsNotConfiguredAnyMoreLosesItsDirectory() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source, groups: ["default", "bots"])]) { _ in
      try await fixture.signIn(source)
    }
    #expect(TestFile.exists(fixture.root.file("run/groups/bots/ns/primary/session")))
    try await fixture.run([HostFixture.setup(source)]) { _ in
      #expect(!TestFile.exists(fixture.root.file("run/groups/bots")))
      #expect(TestFile.exists(fixture.root.file("run/groups/default/ns/primary/session")))
    }
  }

  @Test func theKeyOfAGroupThatAnotherNamespaceHasStays() async throws {
    let fixture = try HostFixture()
    let (source, other) = (ScriptedSource(), ScriptedSource())
    try await fixture.run([HostFixture.setup(source, groups: ["default", "bots"])]) { _ in
      try await fixture.signIn(source)
    }
    let path = fixture.root.file("run/groups/bots/key")
    let key = try TestFile.read(path)
    let setups = [
      HostFixture.setup(source), HostFixture.setup(other, named: "work", groups: ["bots"]),
    ]
    try await fixture.run(setups) { _ in
      #expect(!TestFile.exists(fixture.root.file("run/groups/bots/ns/primary/session")))
      let left = try TestFile.read(path)
      #expect(left == key)
    }
  }

  @Test func aRuntimeDirectoryThatIsRemovedIsMadeAnewWithLockAndSocket() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in
      source.thenIssueOnce(lifetime: 86_400)
      _ = try await fixture.ask(.signIn(HostControl.SignInRequest(namespace: .primary)))
      let before = try #require(try fixture.snapshot())
      TestFile.removeAll(fixture.root.file("run"))
      _ = try await fixture.clock.waitForSleepers()
      fixture.clock.advance(by: .seconds(60))
      let path = fixture.root.file("run")
      let said = "warning: \(path): the runtime directory was gone and has been made anew"
      try await fixture.log.next { $0 == said }
      #expect(try await fixture.ask(.status(nil)) == .done)
      let after = try #require(try fixture.snapshot())
      #expect(after.content == before.content)
      #expect(after.header.life == before.header.life)
      #expect(after.header.generation == before.header.generation + 1)
      #expect(after.header.keyIdentifier == before.header.keyIdentifier)
      let directory = try Directory.open(path: path, policy: .ownerOnly)
      #expect(try FileLock.isHeld("host.lock", in: directory))
    }
    #expect(!TestFile.exists(fixture.root.file("run/host.sock")), "the end removes the new one")
  }

  @Test func theEndDoesNotWaitForAProviderForLong() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    let gate = Gate()
    try await fixture.run([HostFixture.setup(source)]) { host in
      try await fixture.signIn(source)
      source.then { _, _ in
        await gate.waitUncancelled()
        return .transient(.network("late"), retryAfter: nil)
      }
      fixture.clock.advance(by: .seconds(46))
      _ = try await source.renewals.wait(count: 1)
      let end = Task { await host.stop() }
      try await fixture.clock.waitForSleepers { $0.contains(HostService.stopLimit) }
      fixture.clock.advance(by: HostService.stopLimit)
      await end.value
      // The request is still under way, so that no other host may begin in this process.
      #expect(throws: HostStartError.alreadyRunning(directory: fixture.root.file("state"))) {
        _ = try fixture.makeHost([])
      }
      gate.open()
    }
    try await fixture.run([]) { _ in }
  }

  @Test func aHostIsReadyWhateverTheProviderDoes() async throws {
    let fixture = try HostFixture()
    let first = ScriptedSource()
    try await fixture.run([HostFixture.setup(first)]) { _ in
      try await fixture.signIn(first)
      first.thenRevocation(.transient(.network("down"), retryAfter: nil))
      _ = try await fixture.ask(.signOut(.primary))
    }
    let gate = Gate()
    let second = ScriptedSource()
    second.revocationsWait(for: gate)
    try await fixture.run([HostFixture.setup(second)]) { _ in
      _ = try await second.revocations.wait(count: 1)
      #expect(try await fixture.ask(.status(.primary)) == .done)
      gate.open()
    }
  }

  @Test func aCallerWhoHangsUpCallsItsSignInOff() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    let ended = EventRecorder<Bool>()
    source.then { _, _ in
      let gate = Gate()
      do { try await gate.wait() } catch { ended.record(Task.isCancelled) }
      return .terminal(.cancelled)
    }
    try await fixture.run([HostFixture.setup(source)]) { _ in
      let directory = try Directory.open(path: fixture.root.file("run"), policy: .ownerOnly)
      let address = try await TestThread.run {
        var client = try ControlClient(in: directory)
        try client.send(.signIn(HostControl.SignInRequest(namespace: .primary)))
        return try client.nextEvent(timeout: .seconds(30))
      }
      #expect(address == .authorize(url: "https://id.example/authorize"))
      #expect(try await ended.wait(count: 1) == [true])
    }
  }

  @Test(arguments: [
    "lets others in", "sealed with another master key", "not a regular file",
  ])
  func aNamespaceWhoseRecordCannotBeUsedCostsTheOthersNothing(fault: String) async throws {
    let fixture = try HostFixture()
    let (source, other) = (ScriptedSource(), ScriptedSource())
    let work = try #require(Namespace("work"))
    let setups = [HostFixture.setup(source), HostFixture.setup(other, named: "work")]
    try await fixture.run(setups) { _ in
      try await fixture.signIn(source)
      try await fixture.signIn(other, named: "work")
    }
    let path = fixture.root.file("state/store/session/work")
    switch fault.prefix(3) {
    case "let": try TestFile.setMode(0o644, of: path)
    case "sea":
      var bytes = try TestFile.read(path)
      bytes[8] ^= 1
      try TestFile.write(bytes, to: path)
    default:
      try TestFile.remove(path)
      _ = try fixture.root.makeDirectory("state/store/session/work")
    }
    try await fixture.run(setups) { _ in
      #expect(fixture.log.events.contains { $0.hasPrefix("error: work: ") && $0.contains(fault) })
      let statuses = try await fixture.statuses()
      #expect(statuses.map(\.namespace.name) == ["primary", "work"])
      #expect(statuses.map(\.session).last == "storage")
      #expect(statuses.map(\.host) == ["ok", "storage-failed"])
      #expect(statuses.last?.reason?.contains(fault) == true)
      source.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_000_120)
      #expect(
        try await fixture.ask(.renew(.primary, validFor: nil)) == .renewed(.primary, generation: 3))
      for request: ControlRequest in [.renew(work, validFor: nil), .signOut(work)] {
        guard case .failed(.storage, let message) = try await fixture.ask(request) else {
          Issue.record("work is used all the same")
          return
        }
        #expect(message.contains(fault))
      }
      #expect(other.renewals.events.isEmpty)
    }
    #expect(TestFile.exists(path), "what cannot be read is left as it is")
  }

  @Test func aSessionThatIsNotConfiguredAnyMoreIsReportedUntilItIsSignedOut() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    let setup = HostFixture.setup(source)
    let report = "is not configured; it is not renewed"
    try await fixture.run([setup]) { _ in try await fixture.signIn(source) }
    try await fixture.run([]) { _ in
      #expect(fixture.log.events.count { $0.hasSuffix(report) } == 1)
    }
    try await fixture.run([setup]) { _ in _ = try await fixture.ask(.signOut(.primary)) }
    let before = fixture.log.events.count
    try await fixture.run([]) { _ in
      #expect(!fixture.log.events.dropFirst(before).contains { $0.hasSuffix(report) })
      let content = try fixture.snapshot()?.content
      #expect(content == .signedOut)
    }
  }

  @Test func aNamespaceThatIsNotConfiguredIsNamedWithTheMend() async throws {
    let fixture = try HostFixture()
    let work = try #require(Namespace("work"))
    try await fixture.run([]) { _ in
      for request: ControlRequest in [
        .status(work), .renew(work, validFor: nil), .rejected(work, generation: 1),
        .signIn(HostControl.SignInRequest(namespace: work)), .signOut(work),
      ] {
        let event = try await fixture.ask(request)
        #expect(
          event
            == .failed(
              .unknownNamespace,
              message:
                "the configuration has no [namespaces.work]; add it and reload the host (SIGHUP)"))
      }
    }
  }
}
