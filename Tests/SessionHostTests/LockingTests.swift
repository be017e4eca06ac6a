import FileSupport
import HostControl
import SecretMemory
import SecureStore
import SessionHost
import SessionModel
import SnapshotFormat
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LockingTests {
  private static let locked = ControlEvent.failed(
    .locked, message: "the host is locked; run: tokenvault unlock")

  private static func accessToken(_ fixture: HostFixture) throws -> String? {
    guard case .session(let session) = try fixture.snapshot()?.content else { return nil }
    return session.accessToken
  }

  @Test func aLockedHostSaysSoAndGoesOnWhenItIsUnlocked() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in
      try await fixture.signIn(source)
      let before = try #require(try fixture.snapshot())
      #expect(try await fixture.ask(.lock) == .done)
      let snapshot = try #require(try fixture.snapshot())
      #expect(snapshot.header.hostState == .locked)
      #expect(snapshot.header.life == before.header.life)
      #expect(snapshot.header.generation > before.header.generation)
      // What a reader has, it may use to its end.
      #expect(snapshot.content == before.content)
      #expect(snapshot.header.accountFingerprint == before.header.accountFingerprint)
      for request in [
        ControlRequest.renew(.primary, validFor: nil), .signOut(.primary),
        .rejected(.primary, generation: snapshot.header.generation), .introspect(.primary),
        .signIn(HostControl.SignInRequest(namespace: .primary)), .complete(nil, address: "x"),
      ] {
        let event = try await fixture.ask(request)
        #expect(event == Self.locked, "\(request.verb)")
      }
      #expect(source.renewals.events.isEmpty)
      #expect(try await fixture.ask(.unlock(passphrase: nil)) == .done)
      source.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_000_120)
      guard case .renewed = try await fixture.ask(.renew(.primary, validFor: nil)) else {
        Issue.record("not renewed")
        return
      }
      #expect(try Self.accessToken(fixture) == "access-2")
      #expect(try fixture.snapshot()?.header.hostState == .ok)
    }
    #expect(source.renewals.events == ["refresh-1"])
  }

  @Test func aLockedSessionIsForgottenWithoutItsKey() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in
      try await fixture.signIn(source)
      _ = try await fixture.ask(.lock)
      let event = try await fixture.ask(.forget(.primary))
      #expect(event == .forgotten(.primary, isRevoked: false))
      _ = try await fixture.ask(.unlock(passphrase: nil))
      let snapshot = try fixture.snapshot()
      #expect(snapshot == nil)
      #expect(try await fixture.ask(.lock) == .done)
    }
  }

  @Test func aPassphraseIsChosenOnceAndAskedForAtEachStart() async throws {
    let fixture = try HostFixture()
    let keys = KeyAccess(.passphrase, cost: .least)
    let source = ScriptedSource()
    let setups = [HostFixture.setup(source)]
    let first = try await fixture.run(setups, keys: keys) { _ in
      let events = [
        try await fixture.ask(.signOut(.primary)),
        try await fixture.ask(.unlock(passphrase: nil)),
        try await fixture.ask(.unlock(passphrase: "two words")),
      ]
      try await fixture.signIn(source)
      return events
    }
    #expect(first == [Self.locked, .passphraseNeeded(isNew: true), .done])
    let refused = ControlEvent.failed(
      .locked,
      message: fixture.root.file("keys/master.key") + ": the passphrase is not the right one")
    let second = try await fixture.run(setups, keys: keys) { _ in
      let before = try fixture.snapshot()?.header.hostState
      let events = [
        try await fixture.ask(.unlock(passphrase: nil)),
        try await fixture.ask(.unlock(passphrase: "three words")),
        try await fixture.ask(.unlock(passphrase: "two words")),
      ]
      return (before, events, try fixture.snapshot()?.header.hostState)
    }
    #expect(second.0 == .locked)
    #expect(second.1 == [.passphraseNeeded(isNew: false), refused, .done])
    #expect(second.2 == .ok)
    #expect(try Self.accessToken(fixture) == "access-1")
    #expect(source.revocations.events.isEmpty)
  }

  @Test func aKeyringThatFailsLeavesTheHostLockedUntilItDoesNot() async throws {
    let fixture = try HostFixture()
    let isOpen = Shared(false)
    let key = SharedSecret(try SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
    let keys = KeyAccess(.command) {
      isOpen.value
        ? .success(key) : .failure(KeyUnavailableError("keyCommand: the keyring is locked"))
    }
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)], keys: keys) { _ in
      let refused = try await fixture.ask(.unlock(passphrase: nil))
      #expect(refused == .failed(.locked, message: "keyCommand: the keyring is locked"))
      // There is no passphrase: what somebody gives as one is no key.
      #expect(try await fixture.ask(.unlock(passphrase: "two words")) == refused)
      isOpen.value = true
      #expect(try await fixture.ask(.unlock(passphrase: nil)) == .done)
      try await fixture.signIn(source)
    }
    // With its keyring open, nobody has to unlock it.
    try await fixture.run([HostFixture.setup(source)], keys: keys) { _ in
      try await fixture.log.next { $0 == "info: unlocked" }
      #expect(try Self.accessToken(fixture) == "access-1")
    }
  }

  @Test func aLockThatComesWhileTheKeyIsBeingFetchedHoldsAgainstIt() async throws {
    let fixture = try HostFixture()
    let (asked, answer) = (EventRecorder<Int>(), Gate())
    let key = SharedSecret(try SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
    let keys = KeyAccess(.command) {
      asked.record(asked.events.count)
      if asked.events.count == 1 { try? await answer.wait() }
      return .success(key)
    }
    let host = try fixture.makeHost([], keys: keys)
    let unlocking = Task { await host.unlock() }
    try await asked.wait(count: 1)
    await host.follow(sessionLocked: true)
    answer.open()
    let late = await unlocking.value
    #expect(late == .failed(.locked, "the host was locked meanwhile; run: tokenvault unlock"))
    #expect(fixture.log.events.allSatisfy { $0 != "info: unlocked" })
    // A later one asks for the key anew.
    #expect(await host.unlock() == .unlocked)
    #expect(asked.events.count == 2)
    await host.stop()
  }

  @Test func aSessionThatIsUnlockedBringsBackWhatItLockedAndNoMore() async throws {
    let fixture = try HostFixture()
    let key = SharedSecret(try SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
    let asked = EventRecorder<Int>()
    let keys = KeyAccess(.command) {
      asked.record(asked.events.count)
      return .success(key)
    }
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)], keys: keys) { host in
      try await fixture.log.next { $0 == "info: unlocked" }
      try await fixture.signIn(source)
      await host.follow(sessionLocked: true)
      #expect(try fixture.snapshot()?.header.hostState == .locked)
      await host.follow(sessionLocked: false)
      try await fixture.log.next { $0 == "info: unlocked" }
      #expect(try Self.accessToken(fixture) == "access-1")
      // What somebody has locked, somebody has to unlock.
      #expect(try await fixture.ask(.lock) == .done)
      await host.follow(sessionLocked: true)
      await host.follow(sessionLocked: false)
      #expect(try await fixture.ask(.signOut(.primary)) == Self.locked)
      #expect(asked.events.count == 2, "nobody asked for the key")
      #expect(try await fixture.ask(.unlock(passphrase: nil)) == .done)
      await host.follow(sessionLocked: true)
      await host.follow(sessionLocked: false)
      try await fixture.log.next { $0 == "info: unlocked" }
      try await fixture.log.next { $0 == "info: unlocked" }
    }
    #expect(source.renewals.events.isEmpty)
  }

  @Test func aPassphraseIsWaitedForWhenTheSessionIsUnlocked() async throws {
    let fixture = try HostFixture()
    let keys = KeyAccess(.passphrase, cost: .least)
    try await fixture.run([], keys: keys) { host in
      #expect(try await fixture.ask(.unlock(passphrase: "two words")) == .done)
      await host.follow(sessionLocked: true)
      await host.follow(sessionLocked: false)
      try await fixture.log.next {
        $0 == "info: the session was unlocked; the host is locked; run: tokenvault unlock"
      }
      #expect(
        try await fixture.ask(.unlock(passphrase: nil)) == .passphraseNeeded(isNew: false))
      #expect(try await fixture.ask(.unlock(passphrase: "two words")) == .done)
    }
  }

  @Test func anotherWayThanTheConfiguredOneIsRefusedBeforeAnythingIsDone() throws {
    let fixture = try HostFixture()
    _ = try fixture.makeHost([])
    #expect(
      throws: HostStartError.otherKeyStorage(
        path: fixture.root.file("keys/master.key"), kept: .file, configured: .passphrase)
    ) { _ = try fixture.makeHost([], keys: KeyAccess(.passphrase, cost: .least)) }
  }

  @Test func statusNamesTheProtectionInOneLine() async throws {
    let fixture = try HostFixture()
    try await fixture.run([]) { _ in
      let directory = try Directory.open(path: fixture.root.file("run"), policy: .ownerOnly)
      let event = try await TestThread.run {
        var client = try ControlClient(in: directory)
        try client.send(.status(nil))
        return try client.nextEvent(timeout: .seconds(30))
      }
      #expect(event == .protection(KeyStorage.file.protection))
    }
    for storage in KeyStorage.allCases {
      #expect(!storage.protection.contains("\n"))
      #expect(storage.protection.hasPrefix("by "))
    }
  }
}
