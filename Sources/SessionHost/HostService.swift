package import FileSupport
package import HostControl
import SecretMemory
import SecureStore
package import SessionModel
import SnapshotFormat

/// The host: all sessions of one state directory, their snapshots and the control socket.
package actor HostService {
  /// The name of the lock by which readers see that the host is alive.
  package static let lockName = SnapshotLayout.hostLock
  /// The name of the control socket.
  package static let socketName = ControlClient.socketName
  /// How long the end of the host waits for requests that are under way.
  package static let stopLimit: Duration = .seconds(4)

  var setups: [Namespace: NamespaceSession.Setup]
  var sessions: [Namespace: NamespaceSession]
  var unusable: [Namespace: UnusableNamespace]
  let drawQRCode: @Sendable (String) -> [String]?
  let home: StateHome
  let runtime: RuntimePresence
  let keys: KeyAccess
  /// What there is only with the key; nil while the host is locked.
  var opened: OpenedState?
  let log: HostLog
  let examine: @Sendable () -> [Finding]
  let warn: @Sendable () -> [Finding]
  let time: HostTime
  var allowance = RequestAllowance()
  var isStopping = false
  var revival: Task<Void, Never>?
  var locking: Task<Void, Never>?
  var unlocking: Task<UnlockReport, Never>?
  var vigil: Task<Void, Never>?
  /// Rises with each wish to lock; an unlocking that was begun before it brings nothing back.
  var lockings: UInt64 = 0
  /// Whether somebody has asked for the lock that is on, and not only a session that was locked.
  var isLockedByHand = false

  /// Takes the locks and loads every session; nothing is sent yet.
  ///
  /// Where the key has to be got from somewhere, the host begins locked.
  /// A namespace whose stored session cannot be used is reported and left alone, and costs the
  /// others nothing.
  /// - Parameters:
  ///   - setups: the configured namespaces.
  ///   - directories: where state, keys and runtime files are.
  ///   - machine: the machine's identifier (`machine-id(5)`), empty where there is none.
  ///   - keys: how the host gets at its master key.
  ///   - unixGroups: whose members read an access group, where the host is a system service.
  ///   - time: the clocks.
  ///   - log: where the host reports.
  ///   - drawQRCode: draws a URL for a terminal, a row of text an element; nil where it can't.
  ///   - examine: finds out for `doctor` what only the program knows, such as its configuration.
  ///   - warn: what of that nobody should have to run `doctor` for: `status` tells it too.
  /// - Throws: `HostStartError`.
  package init(
    setups: [NamespaceSession.Setup], directories: VaultDirectories, machine: [UInt8],
    keys: KeyAccess = .file, unixGroups: [AccessGroup: UInt32] = [:], time: HostTime,
    log: HostLog,
    drawQRCode: @escaping @Sendable (String) -> [String]?,
    examine: @escaping @Sendable () -> [Finding] = { [] },
    warn: @escaping @Sendable () -> [Finding] = { [] }
  ) throws(HostStartError) {
    home = try StateHome(directories: directories, machine: machine)
    runtime = try RuntimePresence(directories: directories, log: log)
    try runtime.share(unixGroups)
    self.drawQRCode = drawQRCode
    self.examine = examine
    self.warn = warn
    self.time = time
    self.log = log
    self.keys = keys
    self.setups = Dictionary(setups.map { ($0.namespace, $0) }, uniquingKeysWith: { $1 })
    for parent in home.groupWritableParents {
      log(.warning, "\(parent): a group may write here and so replace what is below it")
    }
    sessions = [:]
    unusable = [:]
    if let kept = try home.keyStorage(), kept != keys.storage {
      throw .otherKeyStorage(path: home.keyPath, kept: kept, configured: keys.storage)
    }
    guard keys.storage == .file else { return }
    let state = try StateDirectory(in: home, protection: .file)
    let loaded = try SessionLoader.load(
      setups, of: state, runtime: runtime, time: time, log: log)
    (opened, sessions, unusable) = (loaded.opened, loaded.sessions, loaded.unusable)
  }

  /// Takes up the sessions of a state that was opened later.
  func take(_ state: StateDirectory) throws(HostStartError) {
    let loaded = try SessionLoader.load(
      Array(setups.values), of: state, runtime: runtime, time: time, log: log)
    (opened, sessions, unusable) = (loaded.opened, loaded.sessions, loaded.unusable)
  }

  /// Publishes what is known, opens the control socket and begins to renew.
  ///
  /// Nothing here waits for a provider.
  /// - Parameter socket: a control socket that the service manager listens on already.
  /// - Throws: `HostStartError`.
  package func start(on socket: ActivatedSocket? = nil) async throws(HostStartError) {
    if opened == nil { beginVigil() }
    for session in sessions.values { await session.publishSnapshot() }
    try runtime.serve(on: socket) { [weak self] request, send in
      guard let self else {
        send(.failed(.stopping, message: "the host is stopping"))
        return
      }
      await self.handle(request, send: send)
    }
    if opened != nil {
      await startSessions()
    } else if keys.obtain != nil {
      Task { _ = await self.unlock() }
    } else {
      log(.warning, HostService.lockedMessage)
    }
  }

  /// Lets every session begin to renew what is due.
  func startSessions() async {
    for session in sessions.values { await session.start() }
    beginRevival()
    if SecretBytes.isAnyUnlocked {
      log(
        .warning,
        "not every secret could be locked in memory, so some may be swapped out: raise the limit"
          + " (ulimit -l, LimitMEMLOCK= of systemd), or encrypt the swap")
    }
  }

  /// Hangs up on everybody, calls sign-ins off and waits for renewals, but not for long.
  ///
  /// After an end in time another host may have the directories.
  /// What a provider has not answered by then is settled at the next start: its intent is stored.
  package func stop() async {
    isStopping = true
    revival?.cancel()
    vigil?.cancel()
    await runtime.stop()
    let (runtime, home, locking) = (runtime, home, locking)
    let sessions = Array(sessions.values)
    let end = Task {
      await withTaskGroup(of: Void.self) { group in
        for session in sessions { group.addTask { await session.stop() } }
        group.addTask { _ = await locking?.value }
      }
      runtime.release()
      home.release()
    }
    _ = await end.value(within: HostService.stopLimit, by: time)
  }

  /// Renews what is due and publishes, without a control socket.
  ///
  /// - Returns: how the worst session came out of it.
  package func runOnce() async -> RunOutcome {
    guard case .unlocked = await unlock() else { return .locked }
    var worst = unusable.isEmpty ? RunOutcome.done : .storage
    for session in sessions.values { worst = max(worst, await session.runOnce()) }
    return worst
  }

  /// Signs a namespace out while no host is running.
  ///
  /// - Returns: how it ended; nil when the namespace is not configured.
  package func signOutOnce(_ namespace: Namespace) async -> SignOutReport? {
    switch await unlock() {
    case .unlocked: break
    case .failed(let reason, let message): return .failed(reason, message)
    case .passphraseNeeded: return .failed(.locked, HostService.lockedMessage)
    }
    if let unusable = unusable[namespace] { return .failed(.storage, unusable.reason) }
    return await sessions[namespace]?.signOut()
  }
}
