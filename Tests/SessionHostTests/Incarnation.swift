import FileSupport
import GrantModel
import SecretMemory
import SecureStore
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport

/// One run of one program: a session over a store of its own.
final class Incarnation: Sendable {
  let directory: TemporaryDirectory
  let published = EventRecorder<SnapshotDraft>()
  let store: EncryptedStore
  let session: NamespaceSession
  private let time: HostTime
  private let broken = Shared(false)

  /// Begins with what a former process left behind, if there was one.
  init(
    source: any SessionSource, clock: ManualClock, wallShift: Shared<Duration> = Shared(.zero),
    file: [UInt8]?
  ) throws {
    // In memory where there is such a place: each step is made durable.
    directory = try TemporaryDirectory(in: TestFile.exists("/dev/shm") ? "/dev/shm" : nil)
    let home = try Directory.open(path: directory.path, policy: .ownerOnly)
    store = try EncryptedStore(
      directory: home, key: SecretBytes(copying: [UInt8](repeating: 3, count: 32)))
    if let file { try directory.write(file, to: "session/primary") }
    var record: CanonicalRecord?
    if let bytes = try store.get(.session, .primary)?.copiedBytes() {
      record = try CanonicalRecord(decoding: bytes)
    }
    let published = published
    time = .manual(clock) { wallShift.value }
    session = NamespaceSession(
      setup: .init(namespace: .primary, source: source, policy: RenewalPolicy()),
      record: record ?? CanonicalRecord(life: .random()), store: store,
      latchKey: SharedSecret(try SecretBytes(copying: [UInt8](repeating: 1, count: 32))),
      fingerprinter: try AccountFingerprinter(
        derivedFrom: SecretBytes(copying: [UInt8](repeating: 2, count: 32))),
      outlet: SnapshotOutlet(isInPlace: { true }) { draft throws(PublicationError) in
        published.record(draft)
      },
      time: time, log: HostLog { _, _ in })
  }

  /// The process's clocks.
  var now: Instant { time.now() }

  private(set) var isBroken: Bool {
    get { broken.value }
    set { broken.value = newValue }
  }

  /// The file that survives a crash of now.
  var durableFile: [UInt8]? {
    try? directory.read(isBroken ? "kept" : "session/primary")
  }

  var stored: CanonicalRecord? {
    get throws {
      guard let bytes = try store.get(.session, .primary)?.copiedBytes() else { return nil }
      return try CanonicalRecord(decoding: bytes)
    }
  }

  /// Puts a directory in the place of the file, over which none can be renamed.
  func breakStore() {
    while !isBroken {
      try? TestFile.rename(directory.file("session/primary"), to: directory.file("kept"))
      // A write in between is what is kept then.
      isBroken = (try? directory.makeDirectory("session/primary")) != nil
    }
  }

  /// Puts the file back, unless the session has written a newer one by then.
  func mendStore() throws {
    guard isBroken else { return }
    let (file, kept) = (directory.file("session/primary"), directory.file("kept"))
    TestFile.removeAll(file)
    if TestFile.exists(kept) {
      try TestFile.link(kept, as: file)
      try TestFile.remove(kept)
    }
    isBroken = false
  }

  /// Whether the generations of each life only ever rise.
  var isCountingUp: Bool {
    var last: [SnapshotLife: UInt64] = [:]
    for draft in published.events {
      if let generation = last[draft.life], generation >= draft.generation { return false }
      last[draft.life] = draft.generation
    }
    return true
  }
}
