import FileSupport
import FileWatching
import Glibc
import SessionModel
import Synchronization
import VaultReader

/// Where the updates of one namespace come from, for one reader of them.
///
/// What the watcher tells is a hint. The state is read by whoever takes the updates, so that a
/// slow one gets the newest state and no backlog.
final class UpdateSource: Sendable {
  private struct SiteWatch {
    let snapshot: WatchToken
    let lock: WatchToken
  }

  private struct State {
    var judge = UpdateJudge()
    var watches: [SiteWatch] = []
    var alarm: UInt64?
    var secondLook: UInt64 = 0
    var retryPause: Duration?
    var site = 0
    var siteRead: Int?
    var failure: Errno?
    var hasStarted = false
  }

  // A reader asks for the host's lock and walks the path at most once a second.
  private static let secondThoughts: UInt64 = 1_100_000_000
  // The host's lock is only a help: where it cannot be watched it is not worth a look a second.
  private static let lockIntervals = WatchRequest.Intervals(
    degraded: .seconds(30), healthy: .seconds(30))

  private let vault: TokenVault
  private let namespace: String
  private let sites: [SnapshotSite]
  private let server: WatchServer
  private let signal: UpdateSignal
  private let state = Mutex(State())

  /// Creates a source that watches nothing yet.
  ///
  /// - Parameters:
  ///   - vault: the vault.
  ///   - namespace: the namespace's name.
  ///   - server: who serves the watches.
  ///   - wake: called by whoever serves them, when it is worth calling `take`.
  init(
    vault: TokenVault, namespace: String, servedBy server: WatchServer,
    wake: @escaping @Sendable () -> Void
  ) {
    self.vault = vault
    self.namespace = namespace
    self.server = server
    sites = Namespace(namespace).map { vault.candidateSites(of: $0) } ?? []
    signal = UpdateSignal(siteCount: sites.count, wake: wake)
  }

  /// Whether nobody will call `wake`, so that whoever waits has to look every second.
  var mustPoll: Bool { state.withLock { $0.failure != nil } }

  /// Takes the next update, if there is one.
  func take() -> VaultUpdate? {
    state.withLock { state in
      if !state.hasStarted {
        state.hasStarted = true
        signal.demand()
        adjustWatches(&state)
      }
      if state.failure != nil { signal.demand() }
      guard let content = signal.takeContent() else { return nil }
      // There may be a thread to be had by now.
      state.failure = nil
      adjustWatches(&state)
      let read = vault.state(namespace: namespace)
      // What happened at a place before its watch began is read once more when it begins.
      let siteRead = siteRead()
      if siteRead != state.siteRead {
        state.siteRead = siteRead
        adjustWatches(&state)
      }
      let update = state.judge.judge(read, mode: mode(content, state))
      let isUncertain = content.isUncertain && (update == nil || read.silence == .notRunning)
      setAlarm(after: read, isUncertain: isUncertain || content.isHostDoubtful, &state)
      return update
    }
  }

  /// Sets the alarm for the next change that time alone will bring.
  func setAlarm() {
    state.withLock { state in
      guard let alarm = state.alarm, let watch = state.watches.first else { return }
      state.alarm = nil
      watch.snapshot.setAlarm(at: alarm)
    }
  }

  /// Lets go of all watches.
  func stop() {
    state.withLock { state in
      state.watches = []
      state.hasStarted = true
    }
  }

  private func setAlarm(after read: VaultState, isUncertain: Bool, _ state: inout State) {
    let now = bootClockNanoseconds()
    var alarm = UInt64.max
    if let change = read.changesAfter { alarm = now + nanoseconds(change) }
    // A second look that is due already is not put off by a notice that says nothing of the doubt.
    if isUncertain { state.secondLook = now + UpdateSource.secondThoughts }
    if state.secondLook > now { alarm = min(alarm, state.secondLook) }
    // Many an error ends without an event, as by chmod(1) or when there are descriptors again.
    state.retryPause =
      read.session.isError ? min((state.retryPause ?? .milliseconds(500)) * 2, .seconds(30)) : nil
    if let pause = state.retryPause { alarm = min(alarm, now + nanoseconds(pause)) }
    state.alarm = alarm
  }

  private func mode(_ content: UpdateSignal.Content, _ state: State) -> VaultWatchMode {
    if let failure = state.failure {
      return .polling(reason: "the watcher's thread cannot be started: \(failure)")
    }
    let mode = content.modes.isEmpty ? nil : content.modes[state.site]
    switch mode {
    case .inotify, nil: return .inotify
    case .polling(let reason): return .polling(reason: reason.description)
    }
  }

  private func siteRead() -> Int? {
    guard let runtime = vault.runtimeRead(of: namespace) else { return nil }
    return sites.firstIndex { $0.runtime == runtime }
  }

  /// Watches every site down to the first that exists, since a better one than that may still come,
  /// and to the one that was read, since what exists need not be trusted.
  private func adjustWatches(_ state: inout State) {
    // There is no better one than the first, and that it is gone would have shown in the reading.
    if state.siteRead == 0, state.watches.count == 1 { return state.site = 0 }
    let first = sites.firstIndex { unsafe access($0.directory, F_OK) == 0 }
    state.site = state.siteRead ?? first ?? 0
    let count = [first, state.siteRead].compactMap(\.self).max().map { $0 + 1 } ?? sites.count
    // One that has not begun is awaited, so it stays until it has.
    if state.watches.count > count, signal.isComplete {
      state.watches.removeLast(state.watches.count - count)
    }
    while state.watches.count < count, state.failure == nil {
      do {
        state.watches.append(try watch(state.watches.count))
      } catch {
        state.failure = error
      }
    }
  }

  private func watch(_ number: Int) throws(Errno) -> SiteWatch {
    let site = sites[number]
    let snapshot = try watch(
      WatchRequest(file: site.snapshotName, in: site.directory, root: site.runtime), site: number)
    let lock = try watch(
      WatchRequest(
        file: site.hostLockName, in: site.runtime, root: site.runtime, tellsWriters: true,
        intervals: UpdateSource.lockIntervals), site: nil)
    return SiteWatch(snapshot: snapshot, lock: lock)
  }

  private func watch(_ request: WatchRequest, site: Int?) throws(Errno) -> WatchToken {
    signal.expectWatch()
    do {
      return try FileWatcher.watch(request, servedBy: server) { [signal] in
        signal.take($0, site: site)
      }
    } catch {
      signal.giveUpWatch()
      throw error
    }
  }
}
