import FileSupport
import GrantModel
import SecretMemory
import SecureStore
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import Synchronization
import TestSupport

/// One session over a real encrypted store in a temporary directory, with clocks that stand still.
final class SessionFixture: Sendable {
  let directory: TemporaryDirectory
  let source = ScriptedSource()
  let published = EventRecorder<SnapshotDraft>()
  let failures = EventRecorder<String>()
  let matters = EventRecorder<PersonMatter?>()
  let log = EventRecorder<String>()
  let clock = ManualClock()
  let store: EncryptedStore
  let session: NamespaceSession
  /// How far the wall clock has been set forward, or back, since the start.
  let wallShift = Shared(Duration.zero)
  /// Whether readers find what was published; a snapshot makes it true again.
  let isInPlace = Shared(true)
  private let unpublishable = Shared(Set<AccessGroup>())

  /// The wall clock's reading at the start; tokens of `ScriptedSource` are issued then.
  static let start: Int64 = 1_000_000

  init(
    policy: RenewalPolicy = RenewalPolicy(), record: CanonicalRecord? = nil,
    accessGroups: [AccessGroup] = [.default], jitter: Double = 0,
    queue: RenewalQueue = RenewalQueue(), accountName: String? = nil
  ) throws {
    directory = try TemporaryDirectory()
    let home = try Directory.open(path: directory.path, policy: .ownerOnly)
    store = try EncryptedStore(
      directory: home, key: SecretBytes(copying: [UInt8](repeating: 3, count: 32)))
    let (published, unpublishable, isInPlace) = (published, unpublishable, isInPlace)
    let (failures, matters, log, wallShift) = (failures, matters, log, wallShift)
    session = NamespaceSession(
      setup: .init(
        namespace: .primary, source: source, policy: policy, queue: queue,
        accessGroups: accessGroups, accountName: accountName,
        onError: { failures.record($0) }, onMatter: { matters.record($0) }),
      record: record ?? CanonicalRecord(life: SnapshotLife(rawValue: 7)), store: store,
      latchKey: SharedSecret(try SecretBytes(copying: [UInt8](repeating: 1, count: 32))),
      fingerprinter: try AccountFingerprinter(
        derivedFrom: SecretBytes(copying: [UInt8](repeating: 2, count: 32))),
      outlet: SnapshotOutlet(isInPlace: { isInPlace.value }) { draft throws(PublicationError) in
        guard !unpublishable.value.contains(draft.place.accessGroup) else {
          throw PublicationError("\(draft.place.accessGroup): no space left")
        }
        published.record(draft)
        isInPlace.value = true
      },
      time: .manual(clock, jitter: jitter) { wallShift.value },
      log: HostLog { level, text in log.record("\(level): \(text)") })
  }

  /// Starts the session and signs in with a grant that lasts 60 s.
  func signIn(_ access: String = "access-1", refresh: String = "refresh-1") async {
    await session.start()
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

  /// The access token of the last snapshot.
  var lastAccessToken: String? {
    if case .session(let session) = lastContent { session.accessToken } else { nil }
  }

  /// Makes every write of the store fail, as a disk does that was taken away.
  func breakStore() throws {
    try TestFile.rename(directory.file("session"), to: directory.file("away"))
    try directory.write("in the way", to: "session")
  }

  /// Undoes `breakStore`.
  func mendStore() throws {
    try TestFile.remove(directory.file("session"))
    try TestFile.rename(directory.file("away"), to: directory.file("session"))
  }

  /// Makes the snapshots of some groups fail from now on.
  func refuseSnapshots(of groups: Set<AccessGroup>) {
    unpublishable.value = groups
  }
}

/// A value that a test changes while the session uses it.
final class Shared<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) {
    state = Mutex(value)
  }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

extension HostTime {
  /// Clocks that a test moves, and a jitter that is always the same.
  static func manual(
    _ clock: ManualClock, jitter: Double = 0,
    wallShift: @escaping @Sendable () -> Duration = { .zero }
  ) -> HostTime {
    guard let boot = BootIdentifier(bytes: [UInt8](repeating: 9, count: 16)) else {
      fatalError("16 bytes make a boot identifier")
    }
    return HostTime(
      now: {
        let elapsed = clock.now.offset
        return Instant(
          wall: UnixTime(rawValue: SessionFixture.start) + elapsed + wallShift(),
          fraction: elapsed - .seconds(elapsed.components.seconds),
          boot: BootTime(rawValue: UInt64(elapsed / .nanoseconds(1)) + 1),
          bootIdentifier: boot)
      },
      sleep: { deadline in
        // One nanosecond as in `now`: zero is no reading.
        let offset = Duration.nanoseconds(Int64(deadline.rawValue) - 1)
        try await clock.sleep(until: ManualClock.Instant(offset: offset))
      },
      random: { jitter })
  }
}
