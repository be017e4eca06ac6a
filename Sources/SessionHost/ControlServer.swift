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

  /// How many callers are served at once; more wait in the backlog.
  ///
  /// Widgets that wait for a slow renewal must leave room for a person who wants to know why.
  package static let connectionLimit = 64
  /// How long a connection may take to send its request, and to read on when it has stopped.
  package static let deadline: Duration = .seconds(5)

  private let listener: FileDescriptor
  private let doorbell: Doorbell
  private let handler: Handler
  private let log: HostLog
  private let isStopping = Atomic(false)
  private let ended: OneTimeGate

  /// Starts to serve.
  ///
  /// - Parameters:
  ///   - listener: a listening socket, which the server closes when it ends.
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
    isStopping.store(true, ordering: .releasing)
    doorbell.ring()
    await ended.wait()
  }

  private func serve() {
    var connections: [ControlConnection] = []
    // Until when no connection is taken, because one could not be.
    var pauseEnd: UInt64?
    let user = geteuid()
    while !isStopping.load(ordering: .acquiring) {
      let now = bootClockNanoseconds()
      if let end = pauseEnd, now >= end { pauseEnd = nil }
      let isPaused = pauseEnd != nil || connections.count >= ControlServer.connectionLimit
      let sources =
        [
          PollSource(doorbell.rawDescriptor), PollSource(isPaused ? -1 : listener.rawValue),
        ] + connections.map { PollSource($0.polledDescriptor, for: $0.interest) }
      let waits =
        connections.map { $0.timeUntilDeadline(now: now) } + [pauseEnd.map { $0.after(now) }]
      let ready: [Readiness]
      do {
        ready = try waitUntilReady(sources, timeout: waits.compactMap(\.self).min())
      } catch {
        log(.error, "the control socket is not served any more: poll: \(error)")
        break
      }
      if !ready[0].isEmpty { doorbell.silence() }
      for (connection, readiness) in zip(connections, ready.dropFirst(2)) {
        if readiness.contains(.writable) { connection.flush() }
        if !readiness.isDisjoint(with: [.readable, .hungUp]) { receive(on: connection) }
      }
      connections.removeAll { $0.isOver(now: bootClockNanoseconds()) }
      guard !ready[1].isEmpty else { continue }
      do {
        if let connection = try accept(from: user) { connections.append(connection) }
      } catch {
        // Out of descriptors: the caller goes on waiting, and poll(2) would report it without end.
        log(.warning, "no connection can be taken for a second: accept: \(error)")
        pauseEnd = bootClockNanoseconds() + 1_000_000_000
      }
    }
    for connection in connections { connection.dismiss() }
  }

  /// The point on the boot clock by which a caller has to have gone on, in nanoseconds.
  static func newDeadline() -> UInt64 {
    bootClockNanoseconds() + UInt64(deadline / .nanoseconds(1))
  }

  private func accept(from user: UInt32) throws(Errno) -> ControlConnection? {
    let descriptor = try UnixSocket.accept(on: listener.rawValue)
    guard let peer = try? UnixSocket.peer(of: descriptor.rawValue), peer.user == user else {
      log(.warning, "refused a connection from another user")
      return nil
    }
    return ControlConnection(descriptor) { [doorbell] in doorbell.ring() }
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

extension UInt64 {
  /// Returns how long this point of the boot clock, in nanoseconds, lies after another.
  func after(_ now: UInt64) -> Duration {
    .nanoseconds(self > now ? Int64(clamping: self - now) : 0)
  }
}
