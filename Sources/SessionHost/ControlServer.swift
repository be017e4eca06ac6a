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

  /// How many callers are served at once; one more is told at once that it is `rate-limited`.
  package static let connectionLimit = 16
  /// How many of them may wait for a renewal: a person must still get to know why it is slow.
  package static let waiterLimit = 12
  /// How long a connection may take to send its request, and to read on when it has stopped.
  package static let deadline: Duration = .seconds(5)

  private let listener: FileDescriptor
  private let doorbell: Doorbell
  private let handler: Handler
  private let log: HostLog
  private let isStopping = Atomic(false)
  private let beats = Mutex<[OneTimeGate]>([])
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
      if serve() { answerBeats() }
      ended.open()
    }
  }

  /// Stops to listen, hangs up on everybody and waits for the thread to end.
  package func stop() async {
    isStopping.store(true, ordering: .releasing)
    doorbell.ring()
    await ended.wait()
  }

  /// Returns once the thread has gone round; never when it serves no more and was not told to stop.
  func beat() async {
    let gate = OneTimeGate()
    beats.withLock { $0.append(gate) }
    doorbell.ring()
    // The thread may have ended before it could see this one.
    if isStopping.load(ordering: .acquiring) { gate.open() }
    await gate.wait()
  }

  private func answerBeats() {
    let gates = beats.withLock { gates in
      defer { gates = [] }
      return gates
    }
    for gate in gates { gate.open() }
  }

  // Returns whether it ends because it was told to.
  private func serve() -> Bool {
    var connections: [ControlConnection] = []
    // Until when no connection is taken, because one could not be.
    var pauseEnd: UInt64?
    var isTurningAway = false
    var refused: Set<UInt32> = []
    let user = geteuid()
    while !isStopping.load(ordering: .acquiring) {
      let now = bootClockNanoseconds()
      if let end = pauseEnd, now >= end { pauseEnd = nil }
      let isPaused = pauseEnd != nil
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
        for connection in connections { connection.dismiss() }
        return false
      }
      if !ready[0].isEmpty { doorbell.silence() }
      answerBeats()
      for (connection, readiness) in zip(connections, ready.dropFirst(2)) {
        if readiness.contains(.writable) { connection.flush() }
        if !readiness.isDisjoint(with: [.readable, .hungUp]) {
          receive(on: connection, of: connections)
        }
      }
      connections.removeAll { $0.isOver(now: bootClockNanoseconds()) }
      guard !ready[1].isEmpty else { continue }
      do {
        guard let connection = try accept(from: user, &refused) else { continue }
        let isFull = connections.count >= ControlServer.connectionLimit
        if isFull {
          turnAway(connection, isFirst: !isTurningAway)
        } else {
          connections.append(connection)
        }
        isTurningAway = isFull
      } catch {
        // Out of descriptors: the caller goes on waiting, and poll(2) would report it without end.
        log(.warning, "no connection can be taken for a second: accept: \(error)")
        pauseEnd = bootClockNanoseconds() + 1_000_000_000
      }
    }
    for connection in connections { connection.dismiss() }
    return true
  }

  /// The point on the boot clock by which a caller has to have gone on, in nanoseconds.
  static func newDeadline() -> UInt64 {
    bootClockNanoseconds() + UInt64(deadline / .nanoseconds(1))
  }

  // Whose connections were refused is told once each, as they may come without end.
  private func accept(
    from user: UInt32, _ refused: inout Set<UInt32>
  ) throws(Errno) -> ControlConnection? {
    let descriptor = try UnixSocket.accept(on: listener.rawValue)
    guard let peer = try? UnixSocket.peer(of: descriptor.rawValue) else { return nil }
    guard peer.user == user else {
      if refused.insert(peer.user).inserted {
        log(.warning, "refused connections from user \(peer.user)")
      }
      return nil
    }
    return ControlConnection(descriptor) { [doorbell] in doorbell.ring() }
  }

  private func turnAway(_ connection: ControlConnection, isFirst: Bool) {
    let limit = ControlServer.connectionLimit
    // Callers that come by the thousand would fill the journal.
    if isFirst { log(.warning, "more than \(limit) callers at once: some are turned away") }
    connection.finish(
      with: .failed(
        .rateLimited, message: "\(limit) callers are being served already; try again in a moment"))
  }

  private func receive(on connection: ControlConnection, of connections: [ControlConnection]) {
    switch connection.receive() {
    case .nothing: break
    case .hungUp: connection.hangUp()
    case .refused(let error): connection.finish(with: .failed(.badRequest, message: error))
    case .request(let request)
    where request.sharesRenewal
      && connections.count(where: \.sharesRenewal) >= ControlServer.waiterLimit:
      connection.finish(
        with: .failed(
          .rateLimited,
          message: "\(ControlServer.waiterLimit) callers wait for a renewal already; try again in a"
            + " moment"))
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
