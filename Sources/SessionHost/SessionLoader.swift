import FileSupport
import SecretMemory
import SecureStore
import SessionModel
import SnapshotFormat
import SnapshotStore

/// Makes sessions out of what is stored, and settles what no session owns any more.
struct SessionLoader {
  private let state: StateDirectory
  private let runtime: RuntimePresence
  private let encoder: SnapshotEncoder
  private let fingerprinter: AccountFingerprinter
  private let time: HostTime
  private let log: HostLog

  init(
    state: StateDirectory, runtime: RuntimePresence, time: HostTime, log: HostLog
  ) throws(HostStartError) {
    self.state = state
    self.runtime = runtime
    self.time = time
    self.log = log
    do {
      let boxMaster = try state.subkey("TVboxmas")
      let fingerprintMaster = try state.subkey("TVfprmas")
      encoder = SnapshotEncoder(
        hostBoxKey: try HostBoxKey(derivedFrom: boxMaster), nonces: .random)
      fingerprinter = try AccountFingerprinter(derivedFrom: fingerprintMaster)
    } catch {
      throw .store(.memory)
    }
  }

  /// Makes the session of a configured namespace from its record, or from nothing.
  func session(
    for setup: NamespaceSession.Setup
  ) throws(HostStartError) -> NamespaceSession {
    var record = try storedRecord(of: setup.namespace) ?? CanonicalRecord(life: .random())
    continueCounting(&record, setup)
    let publisher = runtime.publisher
    let encoder = encoder
    let shares = setup.sharesRefreshToken
    return NamespaceSession(
      setup: setup, record: record, store: state.store, latchKey: try latchKey(),
      fingerprinter: fingerprinter,
      publish: { draft throws(PublicationError) in
        do throws(SnapshotStoreError) {
          try publisher.publish(draft, with: encoder, sharesHostTokens: shares)
        } catch {
          throw PublicationError(error.description)
        }
      }, time: time, log: log)
  }

  private func latchKey() throws(HostStartError) -> SecretBytes {
    do {
      return try state.subkey("TVlatchk")
    } catch {
      throw .store(error)
    }
  }

  /// Turns snapshots that no session stands behind into tombstones.
  func settleOrphans(configured setups: [NamespaceSession.Setup]) throws(HostStartError) {
    do {
      let stored = try state.store.namespaces(.session)
      for place in try runtime.publisher.existingPlaces() {
        if let setup = setups.first(where: { $0.namespace == place.namespace }) {
          guard !setup.accessGroups.contains(place.accessGroup) else { continue }
          log(.info, "\(place): the group is not configured any more; its snapshot is removed")
          try runtime.publisher.remove(place)
        } else if stored.contains(place.namespace) {
          log(.warning, "\(place): signed in, but not configured; it is not renewed")
        } else {
          log(.info, "\(place): nobody is signed in behind this snapshot; it becomes a tombstone")
          try runtime.publisher.publish(tombstone(for: place), with: encoder)
        }
      }
    } catch let error as SecureStoreError {
      throw .store(error)
    } catch {
      // Snapshots are no truth: the host works without them and says what is wrong with them.
      log(.warning, "snapshots of an earlier host could not be settled: \(error)")
    }
  }

  private func storedRecord(of namespace: Namespace) throws(HostStartError) -> CanonicalRecord? {
    do {
      guard let bytes = try state.store.get(.session, namespace)?.copiedBytes() else { return nil }
      return try CanonicalRecord(decoding: bytes)
    } catch let error as RecordFormatError {
      return try setAside(namespace, because: "member \(error.member) is missing or wrong")
    } catch let error as SecureStoreError {
      if case .corrupt = error { return try setAside(namespace, because: "it is damaged") }
      throw .store(error)
    } catch {
      throw .store(.memory)
    }
  }

  private func setAside(
    _ namespace: Namespace, because reason: String
  ) throws(HostStartError) -> CanonicalRecord? {
    do {
      let path = try state.store.setAside(.session, namespace)
      log(.error, "\(namespace): the stored session cannot be read (\(reason)); kept as \(path)")
    } catch {
      throw .store(error)
    }
    var record = CanonicalRecord(life: .random())
    record.phase = .reauthenticationRequired(.lostState)
    return record
  }

  // A running reader never goes back within a life: the count goes on from the last snapshot, or
  // begins in a new life where that is not known.
  private func continueCounting(
    _ record: inout CanonicalRecord, _ setup: NamespaceSession.Setup
  ) {
    var last: UInt64?
    for group in setup.accessGroups {
      let place = SnapshotPlace(accessGroup: group, namespace: setup.namespace)
      guard let snapshot = try? runtime.publisher.readBack(place) else { continue }
      if case .empty = record.phase, snapshot.header.kind == .session {
        // A snapshot without a session behind it: the state was lost.
        record.phase = .signedOut
        record.accountName = snapshot.header.accountName
      }
      if snapshot.header.life == record.life {
        last = max(last ?? 0, snapshot.header.generation)
      }
    }
    if let last {
      record.generation = max(record.generation, last)
    } else {
      record.life = .random()
    }
  }

  private func tombstone(for place: SnapshotPlace) -> SnapshotDraft {
    let now = time.now()
    let wait = RenewalPolicy.heartbeat
    return SnapshotDraft(
      life: .random(), generation: 1, place: place, content: .signedOut, published: now,
      nextPublication: PublicationDeadline(wall: now.wall + wait, boot: now.boot + wait),
      hostState: .ok)
  }
}

extension ReauthenticationReason {
  /// The host's stored session could not be read any more.
  static let lostState = ReauthenticationReason(rawValue: "stored-session-lost")
}
