import FileSupport
import GrantModel
import SecretMemory
import SecureStore
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport

/// One session over a real encrypted store in a temporary directory, with clocks that stand still.
final class SessionFixture: Sendable {
  let directory: TemporaryDirectory
  let source = ScriptedSource()
  let published = EventRecorder<SnapshotDraft>()
  let failures = EventRecorder<String>()
  let clock = ManualClock()
  let store: EncryptedStore
  let session: NamespaceSession

  /// The wall clock's reading at the start; tokens of `ScriptedSource` are issued then.
  static let start: Int64 = 1_000_000

  init(
    policy: RenewalPolicy = RenewalPolicy(), record: CanonicalRecord? = nil
  ) throws {
    directory = try TemporaryDirectory()
    let home = try Directory.open(path: directory.path, policy: .ownerOnly)
    store = try EncryptedStore(
      directory: home, key: SecretBytes(copying: [UInt8](repeating: 3, count: 32)))
    let published = published
    let failures = failures
    session = NamespaceSession(
      setup: .init(
        namespace: .primary, source: source, policy: policy,
        onError: { failures.record($0) }),
      record: record ?? CanonicalRecord(life: SnapshotLife(rawValue: 7)), store: store,
      latchKey: try SecretBytes(copying: [UInt8](repeating: 1, count: 32)),
      fingerprinter: try AccountFingerprinter(
        derivedFrom: SecretBytes(copying: [UInt8](repeating: 2, count: 32))),
      publish: { draft throws(PublicationError) in published.record(draft) },
      time: SessionFixture.time(clock), log: HostLog { _, _ in })
  }

  /// Signs in with a grant that lasts 60 s.
  func signIn(_ access: String = "access-1", refresh: String = "refresh-1") async {
    source.thenIssue(access, rotatingTo: refresh)
    _ = await session.signIn(GrantModel.SignInRequest()) { _ in }
  }

  /// What is durable now.
  var stored: CanonicalRecord? {
    get throws {
      guard let bytes = try store.get(.session, .primary)?.copiedBytes() else { return nil }
      return try CanonicalRecord(decoding: bytes)
    }
  }

  /// The kind of the last snapshot.
  var lastContent: SnapshotContent? { published.events.last?.content }

  private static func time(_ clock: ManualClock) -> HostTime {
    guard let boot = BootIdentifier(bytes: [UInt8](repeating: 9, count: 16)) else {
      fatalError("16 bytes make a boot identifier")
    }
    return HostTime(
      now: {
        let elapsed = clock.now.offset
        return Instant(
          wall: UnixTime(rawValue: start) + elapsed,
          boot: BootTime(rawValue: UInt64(elapsed / .nanoseconds(1)) + 1),
          bootIdentifier: boot)
      },
      sleep: { try await clock.sleep(until: clock.now.advanced(by: $0)) },
      random: { 0 })
  }
}
