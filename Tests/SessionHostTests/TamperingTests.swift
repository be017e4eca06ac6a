import FileSupport
import GrantModel
import HostControl
import SecretMemory
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

/// What somebody can do to the host who can write its runtime directory, or bring old files back.
@Suite(.timeLimit(.minutes(1)))
struct TamperingTests {
  @Test(arguments: [false, true])
  func cr07ARefreshTokenInASnapshotIsNeverTakenForTheSessions(isForgedForHost: Bool) async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    let setup = HostFixture.setup(source)
    try await fixture.run([setup]) { _ in try await fixture.signIn(source) }
    try Self.forge(fixture, isForgedForHost: isForgedForHost)
    let forged = try #require(try fixture.snapshot())
    #expect(forged.header.generation == 500, "it is a genuine snapshot for everybody who reads it")
    let status = try await fixture.run([setup]) { _ in
      source.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_000_120)
      return try await fixture.ask(.renew(.primary, validFor: nil))
    }
    guard case .renewed = status else {
      Issue.record("\(status)")
      return
    }
    #expect(source.renewals.events == ["refresh-1"])
    #expect(source.revocations.events.isEmpty)
    // Nothing of the forged record has come back out of the host.
    guard case .session(let session) = try fixture.snapshot()?.content else {
      Issue.record("no session is published")
      return
    }
    #expect(session.accessToken == "access-2")
    #expect(session.issuer == "https://id.example")
  }

  @Test(arguments: ["cut", "flipped"])
  func st12ADamagedRecordIsKeptAsideAndAsksForASignIn(damage: String) async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    let setup = HostFixture.setup(source)
    try await fixture.run([setup]) { _ in try await fixture.signIn(source) }
    let path = fixture.root.file("state/store/session/primary")
    var bytes = try TestFile.read(path)
    if damage == "cut" { bytes.removeLast() } else { bytes[bytes.count / 2] ^= 4 }
    try TestFile.write(bytes, to: path)
    try await fixture.run([setup]) { _ in
      let answer = try await fixture.ask(.renew(.primary, validFor: nil))
      guard case .failed(.reauthenticationRequired, _) = answer else {
        Issue.record("\(answer)")
        return
      }
      let content = try fixture.snapshot()?.content
      #expect(content == .reauthenticationRequired(.lostState))
      #expect(source.renewals.events.isEmpty)
      let aside = fixture.root.file("state/store/session/.primary.corrupt-1")
      #expect(try TestFile.read(aside) == bytes)
      try await fixture.signIn(source)
    }
  }

  /// Replaces the snapshot by one of somebody who has the group's key.
  private static func forge(_ fixture: HostFixture, isForgedForHost: Bool) throws {
    let genuine = try #require(try fixture.snapshot())
    var file = try TestFile.read(fixture.root.file("run/groups/default/key"))
    let key = try GroupKey(wiping: &file)
    let record = StoredSessionV1(
      issuer: "https://evil.example", clientId: "desktop", accessToken: "access-evil",
      tokenType: "Bearer", refreshToken: "refresh-evil", idToken: nil, scope: "openid",
      expiresAt: UnixTime(rawValue: SessionFixture.start + 60))
    // The attacker cannot have the host's own key, but even with it the box would say nothing.
    let boxKey: HostBoxKey
    if isForgedForHost {
      let state = try StateDirectory(
        directories: fixture.directories, machine: Array("machine".utf8))
      boxKey = try HostBoxKey(derivedFrom: try state.subkey("TVboxmas"))
    } else {
      boxKey = try HostBoxKey(derivedFrom: SecretBytes(randomCount: 32))
    }
    let encoder = SnapshotEncoder(hostBoxKey: boxKey, nonces: .random)
    let draft = SnapshotDraft(
      life: genuine.header.life, generation: 500, place: SnapshotPlace(namespace: .primary),
      content: .session(record), published: genuine.header.published,
      nextPublication: genuine.header.nextPublication, issuedAt: genuine.header.issuedAt,
      hostState: .ok, accountName: "mallory",
      accountFingerprint: genuine.header.accountFingerprint)
    try TestFile.write(
      encoder.encode(draft, key: key).bytes,
      to: fixture.root.file("run/groups/default/ns/primary/session"))
  }
}
