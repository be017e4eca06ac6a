import FileSupport
import Glibc
import SessionModel
import SnapshotFormat
import TestSupport
import Testing
import VaultReader

@Suite struct TokenVaultFileTests {
  @Test func aChangeIsSeenAtOnce() throws {
    let fixture = try VaultFixture()
    let vault = fixture.vault()
    #expect(refusal(vault)?.reason == .absent)
    for number in 1...20 {
      let token = VaultFixture.token + "-\(number)"
      try fixture.publishSession(token: token)
      #expect(try vault.accessToken() == token)
    }
  }

  @Test func aDirectoryMovedAwayIsNoticedWithinASecond() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let vault = fixture.vault()
    #expect(refusal(vault) == nil)
    try #require(unsafe rename(fixture.groupPath, fixture.groupPath + "-away") == 0)
    fixture.clocks.advance(by: .milliseconds(999))
    #expect(refusal(vault) == nil)
    fixture.clocks.advance(by: .milliseconds(1))
    #expect(refusal(vault)?.reason == .absent)
    try fixture.publishSession()
    #expect(refusal(vault) == nil)
  }

  @Test func wt05ADirectoryRemovedAndMadeAgainIsSeenAtOnce() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession(token: VaultFixture.token + "-1")
    let vault = fixture.vault()
    #expect(refusal(vault) == nil)
    try #require(unsafe unlink(fixture.sessionPath) == 0)
    try #require(unsafe rmdir(fixture.directoryPath) == 0)
    #expect(vault.state().session == .absent)
    try fixture.publishSession(token: VaultFixture.token + "-2")
    #expect(try vault.accessToken() == VaultFixture.token + "-2")
  }

  @Test func aBetterPlaceThatAppearsIsMovedToWithinASecond() throws {
    let low = try VaultFixture(runtimeName: "state/tokenvault/run")
    try low.publishSession()
    let environment = Environment([
      "XDG_RUNTIME_DIR": low.temporary.file("xdg"), "XDG_STATE_HOME": low.temporary.file("state"),
    ])
    let vault = TokenVault(
      accessGroup: .default,
      directories: VaultDirectories(environment: environment, user: 4_000_000_000),
      clock: low.clocks.readerClock)
    #expect(refusal(vault) == nil)
    _ = try Directory.create(path: low.temporary.file("xdg/tokenvault"), policy: .ownerOnly)
    low.clocks.advance(by: .seconds(1))
    #expect(refusal(vault)?.reason == .absent)
  }

  @Test func cr13AnUnknownKeyIsLookedForOnceMore() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let vault = fixture.vault()
    #expect(refusal(vault) == nil)
    try fixture.changeKey()
    try fixture.publishSession(token: VaultFixture.token + "-2")
    #expect(try vault.accessToken() == VaultFixture.token + "-2")
  }

  @Test func aKeyThatComesLaterIsFound() throws {
    let fixture = try VaultFixture()
    try fixture.write(
      fixture.encoded(fixture.draft(.session(fixture.record(expiresIn: .seconds(60))))))
    let vault = fixture.vault()
    #expect(refusal(vault)?.reason == .keyUnavailable)
    #expect(
      vault.state().reason == "\(fixture.keyPath): the access group's key is not there")
    #expect(vault.state().nextStep == "start the host: tokenvault-host")
    try fixture.writeKey()
    #expect(refusal(vault) == nil)
  }

  @Test(arguments: [0, 20, 47, 49, 100_000])
  func aDamagedKeyFileIsAnUnavailableKey(length: Int) throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    try fixture.groupDirectory().replaceFile(
      "key", with: Array(repeating: 7, count: length), durability: .volatile)
    #expect(fixture.vault().state().session == .keyUnavailable)
  }

  @Test(.timeLimit(.minutes(1)), arguments: ["link", "fifo", "directory", "socket", "huge"])
  func fs03AnythingElseInTheSnapshotsPlaceIsRefusedAtOnce(kind: String) throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let vault = fixture.vault()
    #expect(refusal(vault) == nil)
    let path = fixture.sessionPath
    try #require(unsafe unlink(path) == 0)
    switch kind {
    case "link": try #require(unsafe symlink("/etc/passwd", path) == 0)
    case "fifo": try #require(unsafe mkfifo(path, 0o600) == 0)
    case "directory": try #require(unsafe mkdir(path, 0o700) == 0)
    case "socket": _ = try UnixSocket.listen("session", in: fixture.namespaceDirectory())
    default:
      try TestFile.write([], to: path, mode: 0o600)
      try #require(unsafe truncate(path, 1 << 30) == 0)
    }
    // The best of several: other tests share the processors.
    var best = Duration.seconds(1)
    for _ in 0..<20 where best >= .milliseconds(50) {
      let start = ContinuousClock.now
      _ = fixture.vault().state()
      best = min(best, ContinuousClock.now - start)
    }
    #expect(best < .milliseconds(50))
    let state = vault.state()
    #expect(state.session == (kind == "huge" ? .corrupt : .permission))
    let sentence =
      kind == "huge"
      ? "\(path): longer than 262144 bytes"
      : "\(path): not a regular file; move it away, or name another path"
    #expect(state.reason == sentence)
    #expect(refusal(vault) != nil)
    #expect(throws: AccessTokenError.self) { try vault.loadSession() }
  }

  /// `$SYMLINK_SWAPS` is how often the file is replaced by a link and back.
  @Test(.timeLimit(.minutes(5)))
  func fs04ALinkThatTakesTurnsWithTheFileIsNeverFollowed() async throws {
    let fixture = try VaultFixture()
    try fixture.writeKey()
    let genuine = try fixture.encoded(
      fixture.draft(.session(fixture.record(expiresIn: .seconds(3600))), generation: 1))
    let stolen = try fixture.encoded(
      fixture.draft(
        .session(fixture.record(expiresIn: .seconds(3600), token: "stolen")), generation: 2))
    try fixture.write(genuine)
    let target = try fixture.temporary.write(stolen, to: "target")
    let count = Int(TestSupport.Environment.value("SYMLINK_SWAPS") ?? "") ?? 2_000
    let end = Gate()
    let swapper = Task {
      try await TestThread.run {
        defer { end.open() }
        let (link, file) = (fixture.directoryPath + "/link", fixture.directoryPath + "/file")
        for _ in 0..<count {
          guard unsafe symlink(target, link) == 0 else { throw Errno.current }
          try TestFile.rename(link, to: fixture.sessionPath)
          try TestFile.write(genuine, to: file)
          try TestFile.rename(file, to: fixture.sessionPath)
        }
      }
    }
    let outcomes = try await TestThread.run {
      var outcomes: [String: Int] = [:]
      while !end.isOpen {
        // Each looks anew: a running reader would not even open what has not changed.
        do throws(AccessTokenError) {
          outcomes[try fixture.vault().accessToken(), default: 0] += 1
        } catch {
          outcomes["\(error.reason)", default: 0] += 1
        }
      }
      return outcomes
    }
    try await swapper.value
    // Both were met, and nothing else.
    #expect(Set(outcomes.keys) == [VaultFixture.token, "permission"], "\(outcomes)")
  }

  @Test(arguments: ["session", "key", "ns", "group", "runtime"])
  func fs01WrongModesAreRefusedWithTheirMend(part: String) throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let (path, wrong, right): (String, UInt32, String) =
      switch part {
      case "session": (fixture.sessionPath, 0o640, "0600")
      case "key": (fixture.keyPath, 0o604, "0600")
      case "ns": (fixture.directoryPath, 0o750, "0700")
      case "group": (fixture.groupPath, 0o701, "0700")
      default: (fixture.runtime.path, 0o755, "0700")
      }
    try #require(unsafe chmod(path, wrong) == 0)
    let vault = fixture.vault()
    let error = try #require(refusal(vault))
    #expect(error.reason == .permission)
    #expect(
      error.description
        == "\(path): mode 0\(String(wrong, radix: 8)) lets others in; run: chmod \(right) '\(path)'"
    )
    #expect(vault.state().session == .permission)
  }

  @Test func fs01AKeyFileWhoseModeIsMendedIsReadAtOnce() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    try #require(unsafe chmod(fixture.keyPath, 0o604) == 0)
    let vault = fixture.vault()
    #expect(refusal(vault)?.reason == .permission)
    try #require(unsafe chmod(fixture.keyPath, 0o600) == 0)
    #expect(refusal(vault) == nil)
  }

  @Test func st12ASnapshotCutAtAnyLengthIsNeverAccepted() throws {
    let fixture = try VaultFixture()
    try fixture.writeKey()
    let whole = try fixture.encoded(
      fixture.draft(.session(fixture.record(expiresIn: .seconds(600)))))
    let vault = fixture.vault()
    for length in 0..<whole.count {
      try fixture.write(Array(whole[..<length]))
      #expect(vault.state().session == .corrupt, "\(length)")
    }
    #expect(refusal(vault)?.reason == .corrupt)
    try fixture.write(whole)
    #expect(refusal(vault) == nil)
  }

  @Test func cr01ASnapshotWithAnyByteFlippedIsNeverAccepted() throws {
    let fixture = try VaultFixture()
    try fixture.writeKey()
    let whole = try fixture.encoded(
      fixture.draft(.session(fixture.record(expiresIn: .seconds(600)))))
    let vault = fixture.vault()
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= 1 << UInt8(index % 8)
      try fixture.write(bytes)
      let state = vault.state().session
      #expect(
        state == .corrupt || state == .unsupportedVersion || state == .keyUnavailable,
        "\(index): \(state)")
      #expect(refusal(vault) != nil)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func st09ReadersNeverSeeATornSnapshotOrAGenerationGoDown() async throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let vault = fixture.vault()
    let count: UInt64 = 500
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          try await TestThread.run {
            var last: UInt64 = 0
            while last < count {
              let state = vault.state()
              #expect(state.session == .valid)
              let generation = try #require(state.generation)
              #expect(generation >= last)
              last = generation
            }
          }
        }
      }
      group.addTask {
        try await TestThread.run {
          for _ in 1..<count { try fixture.publishSession() }
        }
      }
      try await group.waitForAll()
    }
  }
}
