import FileSupport
import SecretMemory
import SessionModel
import SnapshotFormat
import SnapshotStore
import Synchronization
import TestSupport
import Testing
import VaultReader

/// A vault in a temporary directory, with a publisher that a test drives by hand.
final class VaultFixture: Sendable {
  static let life = SnapshotLife(rawValue: 77)
  static let token = "access-token-sentinel"

  let temporary: TemporaryDirectory
  let runtime: Directory
  let clocks = TestClocks()
  private let key: Mutex<GroupKey>
  private let generation = Mutex<UInt64>(0)

  init(runtimeName: String = "run") throws {
    temporary = try TemporaryDirectory()
    runtime = try Directory.create(path: temporary.file(runtimeName), policy: .ownerOnly)
    key = Mutex(try GroupKey(try SecretBytes(randomCount: 32)))
  }

  var groupPath: String { runtime.path + "/groups/default" }
  var directoryPath: String { groupPath + "/ns/primary" }
  var sessionPath: String { directoryPath + "/session" }
  var keyPath: String { groupPath + "/key" }

  /// A reader of this vault.
  func vault(group: AccessGroup = .default) -> TokenVault {
    TokenVault(
      accessGroup: group,
      directories: VaultDirectories(
        environment: .init(["TOKENVAULT_RUNTIME_DIR": runtime.path]), user: 0),
      clock: clocks.readerClock)
  }

  /// The directories of a reader that has none of its own, and this runtime directory as a service's.
  var serviceDirectories: VaultDirectories {
    VaultDirectories(
      environment: .init(["XDG_RUNTIME_DIR": temporary.file("own")]), user: 4_000_000,
      systemService: runtime.path)
  }

  /// Behaves as a running host for as long as the lock is kept.
  func holdHostLock() throws -> FileLock {
    try FileLock(SnapshotLayout.hostLock, in: runtime)
  }

  /// The session's record with an expiry from now.
  func record(expiresIn: Duration?, token: String = VaultFixture.token) throws -> StoredSessionV1 {
    let now = try clocks.instant().wall
    return StoredSessionV1(
      issuer: "https://id.example", clientId: "desktop", accessToken: token, tokenType: "Bearer",
      refreshToken: "refresh-token-sentinel", idToken: "id-token-sentinel", scope: "openid",
      expiresAt: expiresIn.map { now + $0 })
  }

  /// A draft of a snapshot published now.
  func draft(
    _ content: SnapshotContent, generation: UInt64? = nil, hostState: HostState = .ok,
    nextPublicationIn: Duration = .seconds(4000), life: SnapshotLife = VaultFixture.life
  ) throws -> SnapshotDraft {
    let now = try clocks.instant()
    let number = self.generation.withLock { last in
      last = generation ?? last + 1
      return last
    }
    let (seconds, _) = nextPublicationIn.components
    return SnapshotDraft(
      life: life, generation: number, place: SnapshotPlace(namespace: .primary), content: content,
      published: now,
      nextPublication: PublicationDeadline(
        wall: now.wall + nextPublicationIn,
        boot: BootTime(rawValue: now.boot.rawValue + UInt64(seconds) * 1_000_000_000)),
      issuedAt: now.wall, hostState: hostState, accountName: "ada@id.example",
      accountFingerprint: AccountFingerprint(rawValue: 5))
  }

  /// The bytes of a draft under the group's key.
  func encoded(_ draft: SnapshotDraft) throws -> [UInt8] {
    try SnapshotEncoder(hostBoxKey: nil, nonces: .random)
      .encode(draft, key: key.withLock { $0 }).bytes
  }

  /// Publishes a session.
  func publishSession(
    expiresIn: Duration? = .seconds(3600), token: String = VaultFixture.token,
    hostState: HostState = .ok, nextPublicationIn: Duration = .seconds(4000)
  ) throws {
    try publish(
      draft(
        .session(record(expiresIn: expiresIn, token: token)), hostState: hostState,
        nextPublicationIn: nextPublicationIn))
  }

  /// Publishes a draft: the key first, then the snapshot.
  func publish(_ draft: SnapshotDraft) throws {
    try writeKey()
    try write(encoded(draft))
  }

  /// Puts bytes in the snapshot's place.
  func write(_ bytes: [UInt8]) throws {
    try namespaceDirectory().replaceFile(
      SnapshotLayout.session, with: bytes, durability: .volatile)
  }

  /// Writes the group's key file.
  func writeKey() throws {
    let key = key.withLock { $0 }
    var bytes = GroupKeyFile.magic + [1, 0] + key.secret.copiedBytes()
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: key.identifier.rawValue >> ($0 * 8)) }
    try groupDirectory().replaceFile(SnapshotLayout.key, with: bytes, durability: .volatile)
  }

  /// Makes a new key, which is not written yet.
  func changeKey() throws {
    let fresh = try GroupKey(try SecretBytes(randomCount: 32))
    key.withLock { $0 = fresh }
  }

  func groupDirectory() throws -> Directory {
    try Directory.create(path: groupPath, policy: .ownerOnly)
  }

  func namespaceDirectory() throws -> Directory {
    try Directory.create(path: directoryPath, policy: .ownerOnly)
  }
}

/// What `accessToken` throws, nil when it returns the sentinel token.
func refusal(
  _ vault: TokenVault, namespace: String = "primary", validFor: Duration? = nil,
  sourceLocation: SourceLocation = #_sourceLocation
) -> AccessTokenError? {
  do {
    let token = try vault.accessToken(namespace: namespace, validFor: validFor)
    #expect(token.hasPrefix(VaultFixture.token), sourceLocation: sourceLocation)
    return nil
  } catch {
    #expect(!error.description.contains("sentinel"), sourceLocation: sourceLocation)
    return error
  }
}
