import FileSupport
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing
import VaultReader

/// A vault with one published session that ends a while from now.
struct PublishedVault {
  let temporary: TemporaryDirectory
  let vault: TokenVault
  private let publisher: SnapshotPublisher
  private let lock: FileLock

  /// Publishes a first session.
  init(expiresIn: Duration, hostState: HostState = .ok) throws {
    temporary = try TemporaryDirectory()
    let runtime = try Directory.create(path: temporary.file("run"), policy: .ownerOnly)
    lock = try FileLock(SnapshotLayout.hostLock, in: runtime)
    publisher = try SnapshotPublisher(runtime: runtime) { _ in }
    vault = TokenVault(
      accessGroup: .default,
      directories: VaultDirectories(
        environment: Environment(["TOKENVAULT_RUNTIME_DIR": runtime.path]), user: 0))
    try publish(token: "token-1", generation: 1, expiresIn: expiresIn, hostState: hostState)
  }

  /// Publishes a session whose token lives for an hour in all.
  func publish(
    token: String, generation: UInt64, expiresIn: Duration, hostState: HostState = .ok,
    account: String? = nil
  ) throws {
    let wall = UnixTime(rawValue: wallClockSeconds())
    let boot = BootTime(rawValue: bootClockNanoseconds())
    let record = StoredSessionV1(
      issuer: "https://id.example", clientId: "desktop", accessToken: token, tokenType: "Bearer",
      expiresAt: wall + expiresIn)
    try publish(.session(record), generation, Self.instant(wall, boot), hostState, account)
  }

  /// Publishes a tombstone.
  func publishSignedOut(generation: UInt64) throws {
    let wall = UnixTime(rawValue: wallClockSeconds())
    let boot = BootTime(rawValue: bootClockNanoseconds())
    try publish(.signedOut, generation, Self.instant(wall, boot), .ok)
  }

  /// Removes the snapshot, as somebody does who tidies up.
  func removeSnapshot() throws {
    try TestFile.remove(temporary.file("run/groups/default/ns/primary/session"))
  }

  private func publish(
    _ content: SnapshotContent, _ generation: UInt64, _ now: Instant, _ hostState: HostState,
    _ account: String? = nil
  ) throws {
    try publisher.publish(
      SnapshotDraft(
        life: SnapshotLife(rawValue: 1), generation: generation,
        place: SnapshotPlace(namespace: .primary), content: content, published: now,
        nextPublication: PublicationDeadline(
          wall: now.wall + .seconds(600),
          boot: BootTime(rawValue: now.boot.rawValue + 600_000_000_000)),
        issuedAt: now.wall - .seconds(1800), hostState: hostState, accountName: account),
      with: SnapshotEncoder(hostBoxKey: nil, nonces: .random))
  }

  private static func instant(_ wall: UnixTime, _ boot: BootTime) throws -> Instant {
    Instant(
      wall: wall, boot: boot,
      bootIdentifier: try #require(BootIdentifier(text: bootIdentifierText())))
  }
}
