package import FileSupport
import SessionModel
import SnapshotStore
import Synchronization

/// The host's place in the runtime directory: its lock, its socket and the snapshots beside them.
///
/// Somebody may remove the directory while the host runs; then everything is made anew there.
package final class RuntimePresence: Sendable {
  private struct State: Sendable {
    var directory: Directory
    var lock: FileLock?
    var server: ControlServer?
    var handler: ControlServer.Handler?
    // The service manager's socket stays when the host goes: the next caller starts it again.
    var isActivated = false
  }

  // Apart from the object itself, because the publisher has to reach it while that is being made.
  private final class Shared: Sendable {
    let state: Mutex<State>

    init(_ state: State) {
      self.state = Mutex(state)
    }
  }

  /// Writes the snapshots.
  let publisher: SnapshotPublisher
  private let shared: Shared
  private let log: HostLog

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
    let shared = Shared(State(directory: directory, lock: lock))
    self.shared = shared
    self.log = log
    do {
      publisher = try SnapshotPublisher(runtime: directory) { directory throws(FileError) in
        try RuntimePresence.move(to: directory, shared, log)
      }
    } catch {
      throw RuntimePresence.failure(error, in: directory)
    }
  }

  /// Says whose members may read which access group; a system service's alone.
  ///
  /// - Throws: `HostStartError`.
  func share(_ unixGroups: [AccessGroup: UInt32]) throws(HostStartError) {
    do {
      try publisher.share(unixGroups)
    } catch {
      throw RuntimePresence.failure(error, in: shared.state.withLock { $0.directory })
    }
  }

  private static func failure(
    _ error: SnapshotStoreError, in directory: Directory
  ) -> HostStartError {
    if case .file(let cause) = error { return .file(cause) }
    return .snapshots(path: directory.path, error.description)
  }

  /// Whether the runtime directory's path still leads to the directory that the host works in.
  package var isInPlace: Bool {
    shared.state.withLock { $0.directory }.isStillInPlace
  }

  /// Removes every snapshot of a namespace.
  ///
  /// - Returns: whether there was any.
  /// - Throws: `HostStartError`.
  func removeSnapshots(of namespace: Namespace) throws(HostStartError) -> Bool {
    do {
      let places = try publisher.existingPlaces().filter { $0.namespace == namespace }
      for place in places { try publisher.remove(place) }
      return !places.isEmpty
    } catch {
      throw RuntimePresence.failure(error, in: shared.state.withLock { $0.directory })
    }
  }

  /// Opens the control socket.
  ///
  /// - Parameters:
  ///   - socket: one that the service manager listens on already; else the host makes its own.
  ///   - handler: carries out the requests.
  /// - Throws: `HostStartError`.
  package func serve(
    on socket: ActivatedSocket? = nil, _ handler: @escaping ControlServer.Handler
  ) throws(HostStartError) {
    let directory = shared.state.withLock { $0.directory }
    let isActivated = socket?.isReached(by: HostService.socketName, in: directory) ?? false
    if let socket, !isActivated {
      log(
        .warning,
        "\(socket.path): the service manager listens here, where no caller looks; they look for"
          + " \(directory.path)/\(HostService.socketName)")
    }
    let server = try startCall { () throws(FileError) in
      guard let socket, isActivated else {
        return try RuntimePresence.server(in: directory, handler, log)
      }
      return try RuntimePresence.server(on: socket.take(), in: directory, handler, log)
    }
    shared.state.withLock { state in
      state.handler = handler
      state.server = server
      state.isActivated = isActivated
    }
  }

  /// Returns once the thread that serves the control socket has answered.
  func beat() async {
    await shared.state.withLock { $0.server }?.beat()
  }

  /// Closes the control socket and hangs up on everybody.
  package func stop() async {
    let (server, directory, isActivated) = shared.state.withLock { state in
      state.handler = nil
      defer { state.server = nil }
      return (state.server, state.directory, state.isActivated)
    }
    guard let server else { return }
    await server.stop()
    if !isActivated { try? directory.removeFile(HostService.socketName) }
  }

  /// Lets another host have the runtime directory; readers see that this one is gone.
  func release() {
    shared.state.withLock { $0.lock = nil }
  }

  private static func move(
    to directory: Directory, _ shared: Shared, _ log: HostLog
  ) throws(FileError) {
    let lock = try FileLock(HostService.lockName, in: directory)
    var server: ControlServer?
    if let handler = shared.state.withLock({ $0.handler }) {
      server = try RuntimePresence.server(in: directory, handler, log)
    }
    let former = shared.state.withLock { state in
      defer {
        state.server = server
        state.isActivated = false
        state.lock = lock
        state.directory = directory
      }
      return state.server
    }
    log(.warning, "\(directory.path): the runtime directory was gone and has been made anew")
    if let former { Task { await former.stop() } }
  }

  private static func server(
    in directory: Directory, _ handler: @escaping ControlServer.Handler, _ log: HostLog
  ) throws(FileError) -> ControlServer {
    try server(
      on: UnixSocket.listen(HostService.socketName, in: directory), in: directory, handler, log)
  }

  private static func server(
    on listener: consuming FileDescriptor, in directory: Directory,
    _ handler: @escaping ControlServer.Handler, _ log: HostLog
  ) throws(FileError) -> ControlServer {
    do {
      return try ControlServer(listener: listener, log: log, handler: handler)
    } catch {
      throw .system(call: "pthread_create", path: directory.path, error)
    }
  }
}
