import FileSupport
import SecretMemory
import SessionModel
import SnapshotFormat
import SnapshotStore
import Synchronization
import TestSupport
import Testing
import VaultReader

/// A runtime directory whose snapshots a test publishes by hand, and readers of it.
final class PublishedVault: Sendable {
  let temporary: TemporaryDirectory
  /// The runtime directory's path; it exists once something is published.
  let path: String
  private let key: GroupKey
  private let issuer: String
  private let generation = Mutex<UInt64>(0)

  init(in parent: String? = nil, issuer: String = "https://id.example") throws {
    self.issuer = issuer
    temporary = try TemporaryDirectory(in: parent)
    path = temporary.file("run")
    key = try GroupKey(try SecretBytes(randomCount: 32))
  }

  var runtime: Directory {
    get throws { try Directory.create(path: path, policy: .ownerOnly) }
  }

  var namespacePath: String { path + "/groups/default/ns/primary" }

  /// A reader with the system's clocks.
  ///
  /// - Parameters:
  ///   - other: a user's directory that comes before the state directory.
  ///   - place: where the reader finds the runtime directory, if it is not its path.
  /// - Returns: the reader.
  func vault(alsoIn other: String? = nil, at place: String? = nil) -> TokenVault {
    let variables =
      other.map { ["XDG_RUNTIME_DIR": $0, "XDG_STATE_HOME": temporary.path] }
      ?? ["TOKENVAULT_RUNTIME_DIR": place ?? path]
    return TokenVault(
      accessGroup: .default,
      directories: VaultDirectories(environment: .init(variables), user: 54_321))
  }

  /// Behaves as a running host for as long as the lock is kept.
  func holdHostLock() throws -> FileLock { try FileLock(SnapshotLayout.hostLock, in: runtime) }

  /// Publishes a session, and returns its generation.
  @discardableResult
  func publish(
    expiresIn: Duration? = .seconds(3600), nextPublicationIn: Duration = .seconds(4000),
    hostState: HostState = .ok, account: UInt128 = 5, at path: String? = nil
  ) throws -> UInt64 {
    let now = try now()
    let record = StoredSessionV1(
      issuer: issuer, clientId: "desktop", accessToken: "access-token-sentinel",
      tokenType: "Bearer", expiresAt: expiresIn.map { now.wall + $0 })
    return try publish(
      .session(record), nextPublicationIn: nextPublicationIn, hostState: hostState,
      account: account, at: path)
  }

  @discardableResult
  func publish(
    _ content: SnapshotContent, nextPublicationIn: Duration = .seconds(4000),
    hostState: HostState = .ok, account: UInt128? = nil, at path: String? = nil
  ) throws -> UInt64 {
    let now = try now()
    let number = generation.withLock { last in
      last += 1
      return last
    }
    let draft = SnapshotDraft(
      life: SnapshotLife(rawValue: 77), generation: number,
      place: SnapshotPlace(namespace: .primary), content: content, published: now,
      nextPublication: PublicationDeadline(
        wall: now.wall + nextPublicationIn,
        boot: BootTime(rawValue: now.boot.rawValue + nanoseconds(nextPublicationIn))),
      issuedAt: now.wall, hostState: hostState, accountName: "ada@id.example",
      accountFingerprint: account.map { AccountFingerprint(rawValue: $0) })
    let bytes = try SnapshotEncoder(hostBoxKey: nil, nonces: .random)
      .encode(draft, key: key).bytes
    let group = try Directory.create(
      path: (path ?? self.path) + "/groups/default", policy: .ownerOnly)
    try writeKey(in: group)
    let directory = try group.createDirectory(SnapshotLayout.namespaces)
      .createDirectory("primary")
    try directory.replaceFile(SnapshotLayout.session, with: bytes, durability: .volatile)
    return number
  }

  private func writeKey(in group: Directory) throws {
    guard try group.readFile(SnapshotLayout.key, sizeLimit: 1024) == nil else { return }
    try group.replaceFile(SnapshotLayout.key, with: key.fileBytes, durability: .volatile)
  }

  private func now() throws -> Instant {
    Instant(
      wall: UnixTime(rawValue: wallClockSeconds()),
      boot: BootTime(rawValue: bootClockNanoseconds()),
      bootIdentifier: try #require(BootIdentifier(text: bootIdentifierText())))
  }
}
