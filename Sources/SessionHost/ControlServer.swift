package import FileSupport
import Glibc
package import HostControl
import Synchronization

/// Answers the control socket: one thread reads requests, a task carries each of them out.
///
/// Only this user may connect (`SO_PEERCRED`). The listener's descriptor is the caller's to make.
package final class ControlServer: Sendable {
  /// Carries out one request and sends its events; cancelled when the caller hangs up.
  package typealias Handler =
    @Sendable (ControlRequest, _ send: @escaping @Sendable (ControlEvent) -> Void) async -> Void

  /// How many connections are served at once; more wait in the backlog.
  package static let connectionLimit = 16
  /// How long a connection may take to send its request.
  package static let requestDeadline: Duration = .seconds(5)

  private let listener: FileDescriptor
  private let doorbell: Doorbell
  private let handler: Handler
  private let log: HostLog
  private let isStopping = Mutex(false)
  private let ended: OneTimeGate

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - listener: a listening socket, which the server closes when it stops.
  ///   - log: where refused connections are reported.
  ///   - handler: carries out the requests.
  /// - Throws: the error number of `eventfd(2)` or of making the thread.
  package init(
    listener: consuming FileDescriptor, log: HostLog, handler: @escaping Handler
  ) throws(Errno) {
    self.listener = listener
    self.log = log
    self.handler = handler
    doorbell = try Doorbell()
    ended = OneTimeGate()
    try DedicatedThread.start("control") { [self] in
      serve()
      ended.open()
    }
  }

  /// Stops to listen, hangs up on everybody and waits for the thread to end.
  package func stop() async {
    isStopping.withLock { $0 = true }
    doorbell.ring()
    await ended.wait()
  }

  private func serve() {
    var connections: [ControlConnection] = []
    let user = geteuid()
    while !isStopping.withLock({ $0 }) {
      let isFull = connections.count >= ControlServer.connectionLimit
      let descriptors =
        [doorbell.rawDescriptor, isFull ? -1 : listener.rawValue]
        + connections.map(\.rawDescriptor)
      guard
        let ready = try? waitForInput(descriptors, timeout: nextDeadline(of: connections))
      else { return }
      if !ready[0].isEmpty { doorbell.silence() }
      let known = connections
      for (connection, readiness) in zip(known, ready.dropFirst(2)) where !readiness.isEmpty {
        receive(on: connection)
      }
      connections.removeAll { $0.endIfDone(now: bootClockNanoseconds()) }
      if !ready[1].isEmpty, let connection = accept(from: user) { connections.append(connection) }
    }
    for connection in connections { connection.hangUp() }
  }

  private func nextDeadline(of connections: [ControlConnection]) -> Duration? {
    let now = bootClockNanoseconds()
    return connections.compactMap { $0.timeUntilDeadline(now: now) }.min()
  }

  private func accept(from user: UInt32) -> ControlConnection? {
    guard let descriptor = try? UnixSocket.accept(on: listener.rawValue) else { return nil }
    guard let peer = try? UnixSocket.peer(of: descriptor.rawValue), peer.user == user else {
      log(.warning, "refused a connection from another user")
      return nil
    }
    let deadline = bootClockNanoseconds() + 5_000_000_000
    let bell = doorbell
    return ControlConnection(descriptor, deadline: deadline) { bell.ring() }
  }

  private func receive(on connection: ControlConnection) {
    switch connection.receive() {
    case .nothing: break
    case .hungUp: connection.hangUp()
    case .refused(let error): connection.finish(with: .failed(.badRequest, message: error))
    case .request(let request): connection.perform(request, by: handler)
    }
  }
}
