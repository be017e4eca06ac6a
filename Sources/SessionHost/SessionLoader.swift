import FileSupport
import SecretMemory
import SecureStore
import SessionModel
import SnapshotFormat
import SnapshotStore

/// What the host has only while its key is there.
struct OpenedState: Sendable {
  let state: StateDirectory
  let loader: SessionLoader
}

/// Makes sessions out of what is stored.
struct SessionLoader: Sendable {
  private let state: StateDirectory
  private let runtime: RuntimePresence
  private let encoder: SnapshotEncoder
  private let fingerprinter: AccountFingerprinter
  private let latchKey: SharedSecret
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
      latchKey = SharedSecret(try state.subkey("TVlatchk"))
      encoder = SnapshotEncoder(
        hostBoxKey: try HostBoxKey(derivedFrom: boxMaster), nonces: .random)
      fingerprinter = try AccountFingerprinter(derivedFrom: fingerprintMaster)
    } catch let error as SecureStoreError {
      throw .store(error)
    } catch {
      throw .store(.memory)
    }
  }

  private var orphans: OrphanSettlement {
    OrphanSettlement(publisher: runtime.publisher, encoder: encoder, time: time, log: log)
  }

  /// Makes the session of a configured namespace from its record, or from nothing.
  func session(
    for setup: NamespaceSession.Setup
  ) throws(HostStartError) -> NamespaceSession {
    var (record, isStored) = try storedRecord(of: setup.namespace)
    if heedSnapshots(&record, setup) { isStored = false }
    let publisher = runtime.publisher
    let encoder = encoder
    let shares = setup.sharesRefreshToken
    let places = setup.accessGroups.map {
      SnapshotPlace(accessGroup: $0, namespace: setup.namespace)
    }
    let isInPlace = { @Sendable [runtime] in
      runtime.isInPlace && places.allSatisfy { runtime.publisher.isPublished($0) }
    }
    let outlet = SnapshotOutlet(isInPlace: isInPlace) {
      draft throws(PublicationError) in
      do throws(SnapshotStoreError) {
        try publisher.publish(draft, with: encoder, sharesHostTokens: shares)
      } catch {
        throw PublicationError(error.description)
      }
    }
    return NamespaceSession(
      setup: setup, record: record, isStored: isStored, store: state.store,
      latchKey: latchKey, fingerprinter: fingerprinter, outlet: outlet, time: time, log: log)
  }

  /// What became of a configured namespace.
  enum Loaded {
    case session(NamespaceSession)
    case unusable(UnusableNamespace)
  }

  /// Makes the session of a configured namespace, or says why it has none.
  func load(_ setup: NamespaceSession.Setup) throws(HostStartError) -> Loaded {
    do {
      return .session(try session(for: setup))
    } catch {
      if case .store(.memory) = error { throw error }
      log(.error, "\(setup.namespace): the stored session cannot be used: \(error)")
      setup.onError?(error.description)
      return .unusable(UnusableNamespace(setup, error))
    }
  }

  /// Settles the snapshots that no session owns any more.
  func settleOrphans(configured setups: [NamespaceSession.Setup]) throws(HostStartError) {
    let others: [Namespace]
    do {
      let configured = Set(setups.map(\.namespace))
      others = try state.store.namespaces(.session).filter { !configured.contains($0) }
    } catch {
      throw .store(error)
    }
    orphans.run(configured: setups, signedIn: namespacesWithASession(among: others))
  }

  /// The namespaces of a list behind whose record there is somebody who is signed in.
  ///
  /// One whose record cannot be read counts: nobody may say that it is signed out.
  private func namespacesWithASession(among stored: [Namespace]) -> [Namespace] {
    stored.filter { namespace in
      guard let record = state.store.readableRecord(of: namespace) else { return true }
      return record.grant != nil
    }
  }

  private func storedRecord(
    of namespace: Namespace
  ) throws(HostStartError) -> (CanonicalRecord, isStored: Bool) {
    do {
      guard let bytes = try state.store.get(.session, namespace)?.copiedBytes() else {
        // What holds nothing need not be stored.
        return (CanonicalRecord(life: .random()), true)
      }
      return (try CanonicalRecord(decoding: bytes), true)
    } catch let error as RecordFormatError {
      // It says nothing of the record, which must not be set aside for it.
      guard !error.isOutOfMemory else { throw .store(.memory) }
      // An older host must not drop what a newer one wrote.
      if error.isOfNewerHost {
        throw .newerState(path: state.store.path(.session, namespace), member: error.member)
      }
      return try setAside(namespace, because: "\(error.member) is missing or wrong")
    } catch let error as SecureStoreError {
      if case .corrupt = error { return try setAside(namespace, because: "it is damaged") }
      throw .store(error)
    } catch {
      throw .store(.memory)
    }
  }

  private func setAside(
    _ namespace: Namespace, because reason: String
  ) throws(HostStartError) -> (CanonicalRecord, isStored: Bool) {
    do {
      let path = try state.store.setAside(.session, namespace)
      log(
        .error,
        "\(namespace): the stored session cannot be read (\(reason)); it is kept as \(path);"
          + " sign in again")
    } catch {
      throw .store(error)
    }
    var record = CanonicalRecord(life: .random())
    record.phase = .reauthenticationRequired(.lostState)
    return (record, false)
  }

  /// Learns from the last snapshots: goes on counting generations, as a running reader never goes
  /// back within a life, or begins a new life where that is not known; and notices a record that is
  /// gone or was put back from an older copy.
  ///
  /// - Returns: whether the record now says something that is not stored.
  private func heedSnapshots(
    _ record: inout CanonicalRecord, _ setup: NamespaceSession.Setup
  ) -> Bool {
    var last: UInt64?
    var hasChanged = false
    for group in setup.accessGroups {
      let place = SnapshotPlace(accessGroup: group, namespace: setup.namespace)
      guard let snapshot = try? runtime.publisher.readBack(place) else { continue }
      if snapshot.header.life == record.life {
        last = max(last ?? 0, snapshot.header.generation)
      }
      if !record.isRollbackSuspected, record.isOlder(than: snapshot) {
        record.isRollbackSuspected = true
        hasChanged = true
        let text =
          "the stored session is older than the published one, as after restoring a backup; its"
          + " refresh token is not used: sign in again"
        log(.error, "\(setup.namespace): \(text)")
        setup.onError?(text)
      }
      guard case .empty = record.phase else { continue }
      hasChanged = true
      record.accountName = snapshot.header.accountName
      switch snapshot.content {
      case .signedOut: (record.phase, record.accountName) = (.signedOut, nil)
      case .reauthenticationRequired(let reason): record.phase = .reauthenticationRequired(reason)
      case .session, .unknown: record.phase = .reauthenticationRequired(.lostState)
      }
    }
    if let last {
      record.generation = max(record.generation, last)
    } else {
      record.life = .random()
    }
    return hasChanged
  }
}
