package import FileSupport
package import HostControl
import SecretMemory
import SecureStore
package import SessionModel

/// The host: all sessions of one state directory, their snapshots and the control socket.
package actor HostService {
  /// The name of the lock by which readers see that the host is alive.
  package static let lockName = "host.lock"
  /// The name of the control socket.
  package static let socketName = "host.sock"
  /// How long the end of the host waits for requests that are under way.
  package static let stopLimit: Duration = .seconds(4)

  var sessions: [Namespace: NamespaceSession] = [:]
  var unusable: [Namespace: UnusableNamespace] = [:]
  let drawQRCode: @Sendable (String) -> [String]?
  let state: StateDirectory
  let runtime: RuntimePresence
  let loader: SessionLoader
  let log: HostLog
  let examine: @Sendable () -> [Finding]
  let time: HostTime
  var allowance = RequestAllowance()
  var isStopping = false

  /// Takes the locks and loads every session; nothing is sent yet.
  ///
  /// A namespace whose stored session cannot be used is reported and left alone, and costs the
  /// others nothing.
  /// - Parameters:
  ///   - setups: the configured namespaces.
  ///   - directories: where state, keys and runtime files are.
  ///   - machine: the machine's identifier (`machine-id(5)`), empty where there is none.
  ///   - time: the clocks.
  ///   - log: where the host reports.
  ///   - drawQRCode: draws a URL for a terminal, a row of text an element; nil where it can't.
  ///   - examine: finds out for `doctor` what only the program knows, such as its configuration.
  /// - Throws: `HostStartError`.
  package init(
    setups: [NamespaceSession.Setup], directories: VaultDirectories, machine: [UInt8],
    time: HostTime, log: HostLog, drawQRCode: @escaping @Sendable (String) -> [String]?,
    examine: @escaping @Sendable () -> [Finding] = { [] }
  ) throws(HostStartError) {
    state = try StateDirectory(directories: directories, machine: machine)
    runtime = try RuntimePresence(directories: directories, log: log)
    self.drawQRCode = drawQRCode
    self.examine = examine
    self.time = time
    self.log = log
    for parent in state.groupWritableParents {
      log(.warning, "\(parent): a group may write here and so replace what is below it")
    }
    if let path = state.setAside {
      log(
        .error,
        "the master key is gone: what it had sealed was put aside as \(path); put the key back"
          + " together with it, or sign in again")
    }
    loader = try SessionLoader(state: state, runtime: runtime, time: time, log: log)
    for setup in setups {
      switch try loader.load(setup) {
      case .session(let session): sessions[setup.namespace] = session
      case .unusable(let reason): unusable[setup.namespace] = reason
      }
    }
    try loader.settleOrphans(configured: setups)
  }

  /// Publishes what is known, opens the control socket and begins to renew.
  ///
  /// Nothing here waits for a provider.
  /// - Parameter socket: a control socket that the service manager listens on already.
  /// - Throws: `HostStartError`.
  package func start(on socket: ActivatedSocket? = nil) async throws(HostStartError) {
    for session in sessions.values { await session.publishSnapshot() }
    try runtime.serve(on: socket) { [weak self] request, send in
      guard let self else {
        send(.failed(.stopping, message: "the host is stopping"))
        return
      }
      await self.handle(request, send: send)
    }
    for session in sessions.values { await session.start() }
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
    await runtime.stop()
    let isOver = OneTimeGate()
    let (time, runtime, state) = (time, runtime, state)
    let limit = Task {
      try? await time.sleep(HostService.stopLimit)
      isOver.open()
    }
    let sessions = Array(sessions.values)
    Task {
      await withTaskGroup(of: Void.self) { group in
        for session in sessions { group.addTask { await session.stop() } }
      }
      runtime.release()
      state.release()
      isOver.open()
    }
    await isOver.wait()
    limit.cancel()
  }

  /// Renews what is due and publishes, without a control socket.
  ///
  /// - Returns: how the worst session came out of it.
  package func runOnce() async -> RunOutcome {
    var worst = unusable.isEmpty ? RunOutcome.done : .storage
    for session in sessions.values { worst = max(worst, await session.runOnce()) }
    return worst
  }

  /// Signs a namespace out while no host is running.
  ///
  /// - Returns: how it ended; nil when the namespace is not configured.
  package func signOutOnce(_ namespace: Namespace) async -> SignOutReport? {
    if let unusable = unusable[namespace] { return .failed(.storage, unusable.reason) }
    return await sessions[namespace]?.signOut()
  }
}
