package import FileSupport
import SnapshotStore
import Synchronization

/// The host's place in the runtime directory: its lock, its socket and the snapshots beside them.
///
/// Somebody may remove the directory while the host runs; then everything is made anew there.
package final class RuntimePresence: Sendable {
  private struct State {
    var lock: FileLock?
    var server: ControlServer?
    var handler: ControlServer.Handler?
  }

  /// Writes the snapshots.
  let publisher: SnapshotPublisher
  private let directory: Directory
  private let state: Shared
  private let log: HostLog

  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  /// Takes the runtime directory's lock.
  ///
  /// - Parameters:
  ///   - directories: where it may be.
  ///   - log: where the host reports.
  /// - Throws: `HostStartError`.
  package init(directories: VaultDirectories, log: HostLog) throws(HostStartError) {
    let directory = try startCall { () throws(FileError) in
      try directories.createRuntimeDirectory()
    }
    for parent in try startCall({ () throws(FileError) in
      try ParentDirectories.check(above: directory.path)
    }) {
      log(.warning, "\(parent): a group may write here and so replace the snapshots below it")
    }
    let lock = try takeHostLock(HostService.lockName, in: directory)
    let shared = Shared()
    shared.state.withLock { $0.lock = lock }
    state = shared
    self.directory = directory
    self.log = log
    do {
      publisher = try SnapshotPublisher(runtime: directory) { directory throws(FileError) in
        log(.warning, "\(directory.path): the runtime directory was gone and is made anew")
        let lock = try FileLock(HostService.lockName, in: directory)
        try RuntimePresence.serve(in: directory, shared, log)
        shared.state.withLock { $0.lock = lock }
      }
    } catch {
      switch error {
      case .file(let cause): throw .file(cause)
      default: throw .file(.noDirectory(purpose: "runtime", reasons: [error.description]))
      }
    }
  }

  /// Opens the control socket.
  ///
  /// - Parameter handler: carries out the requests.
  /// - Throws: `HostStartError`.
  package func serve(_ handler: @escaping ControlServer.Handler) throws(HostStartError) {
    state.state.withLock { $0.handler = handler }
    try startCall { () throws(FileError) in
      try RuntimePresence.serve(in: directory, state, log)
    }
  }

  /// Closes the control socket and hangs up on everybody.
  package func stop() async {
    let server = state.state.withLock { state in
      state.handler = nil
      defer { state.server = nil }
      return state.server
    }
    await server?.stop()
    try? directory.removeFile(HostService.socketName)
  }

  private static func serve(
    in directory: Directory, _ shared: Shared, _ log: HostLog
  ) throws(FileError) {
    guard let handler = shared.state.withLock({ $0.handler }) else { return }
    let listener = try UnixSocket.listen(HostService.socketName, in: directory)
    let server: ControlServer
    do {
      server = try ControlServer(listener: listener, log: log, handler: handler)
    } catch {
      throw .system(call: "pthread_create", path: directory.path, error)
    }
    let old = shared.state.withLock { state in
      defer { state.server = server }
      return state.server
    }
    if let old { Task { await old.stop() } }
  }
}
