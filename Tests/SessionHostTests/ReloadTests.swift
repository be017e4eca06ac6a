import HostControl
import SessionHost
import SessionModel
import TestSupport
import Testing

/// What a host does when it is told of another configuration while it runs.
@Suite(.timeLimit(.minutes(1)))
struct ReloadTests {
  @Test func whatCannotBeReadAtAReloadComesBackWithoutBeingAskedFor() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    let setup = HostFixture.setup(source)
    let path = fixture.root.file("state/store/session/primary")
    try await fixture.run([setup]) { host in
      try await fixture.signIn(source)
      try TestFile.setMode(0o644, of: path)
      await host.reload([setup], unchanged: [])
      try await fixture.clock.waitForSleepers { $0.contains(HostService.revivalInterval) }
      try TestFile.setMode(0o600, of: path)
      fixture.clock.advance(by: HostService.revivalInterval)
      try await fixture.log.next { $0 == "info: primary: the stored session can be used again" }
    }
  }

  @Test func whatCannotBeReadIsLetGoWithItsConfiguration() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    let setup = HostFixture.setup(source)
    try await fixture.run([setup]) { host in
      try await fixture.signIn(source)
      try TestFile.setMode(0o644, of: fixture.root.file("state/store/session/primary"))
      await host.reload([setup], unchanged: [])
      await host.reload([], unchanged: [])
      let event = try await fixture.ask(.signOut(.primary))
      guard case .failed(.unknownNamespace, _) = event else {
        Issue.record("\(event)")
        return
      }
    }
  }

  @Test func aNamespaceThatIsNotConfiguredAnyMoreIsToldOfNoMore() async throws {
    let fixture = try HostFixture()
    let (source, other) = (ScriptedSource(), ScriptedSource())
    let setups = [HostFixture.setup(source), HostFixture.setup(other, named: "work")]
    try await fixture.run(setups) { host in
      try await fixture.signIn(source)
      await host.reload([setups[1]], unchanged: [setups[1].namespace])
      #expect(try await fixture.statuses().map(\.namespace.name) == ["work"])
      let event = try await fixture.ask(.signOut(.primary))
      guard case .failed(.unknownNamespace, _) = event else {
        Issue.record("\(event)")
        return
      }
    }
    #expect(source.revocations.events.isEmpty, "it is only not configured")
  }
}
