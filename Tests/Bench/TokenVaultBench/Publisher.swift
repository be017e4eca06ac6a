import FileSupport
import Glibc
import SecretMemory
import SessionModel
import SnapshotFormat
import SnapshotStore

/// Publishes sessions of a made-up account to the runtime directory that the environment names.
struct Publisher {
  /// The runtime directory.
  let runtime: Directory
  private let publisher: SnapshotPublisher
  private let encoder: SnapshotEncoder
  private let life = SnapshotLife.random()
  private let place = SnapshotPlace(namespace: .primary)
  private let boot: BootIdentifier
  private var generation: UInt64 = 0
  // As long as a provider's JWTs; made once, so that making them is in no measurement.
  private let token = String(repeating: "t", count: 900)
  private let refreshToken = String(repeating: "r", count: 128)

  init() throws {
    guard let path = Environment.process["TOKENVAULT_RUNTIME_DIR"],
      let boot = BootIdentifier(text: try bootIdentifierText())
    else { throw BenchError("TOKENVAULT_RUNTIME_DIR is not set") }
    self.boot = boot
    runtime = try Directory.create(path: path, policy: .ownerOnly)
    publisher = try SnapshotPublisher(runtime: runtime) { _ throws(FileError) in }
    encoder = SnapshotEncoder(
      hostBoxKey: try HostBoxKey(derivedFrom: SecretBytes(randomCount: 32)), nonces: .random)
  }

  /// Publishes the next generation.
  mutating func publish() throws {
    generation += 1
    let wall = wallClockSeconds()
    let boot = bootClockNanoseconds()
    let nextBoot = boot + 3_600_000_000_000
    let record = StoredSessionV1(
      issuer: "https://id.example", clientId: "desktop",
      accessToken: token, tokenType: "Bearer",
      refreshToken: refreshToken, idToken: token, scope: "openid profile offline_access",
      expiresAt: UnixTime(rawValue: wall + 3600))
    try publisher.publish(
      SnapshotDraft(
        life: life, generation: generation, place: place, content: .session(record),
        published: Instant(
          wall: UnixTime(rawValue: wall), boot: BootTime(rawValue: boot),
          bootIdentifier: self.boot),
        nextPublication: PublicationDeadline(
          wall: UnixTime(rawValue: wall + 3600), boot: BootTime(rawValue: nextBoot)),
        issuedAt: UnixTime(rawValue: wall), hostState: .ok, accountName: "Alice"),
      with: encoder)
  }

  /// The bytes of the present snapshot.
  func snapshot() throws -> [UInt8] {
    let names = ["groups", AccessGroup.default.name, "ns", Namespace.primary.name]
    let directory = try names.reduce(runtime) { try $0.openDirectory($1) }
    guard let bytes = try directory.readFile("session", sizeLimit: SnapshotLimits.fileLength)
    else { throw BenchError("the snapshot is gone") }
    return bytes
  }
}
