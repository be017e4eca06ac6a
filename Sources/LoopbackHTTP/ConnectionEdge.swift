internal import Glibc
internal import Synchronization

/// What the callbacks of one daemon share: the handler, the gate, and the book of connections.
final class ConnectionEdge: Sendable {
  /// Connections accepted beyond the limit while the evicted ones are being closed.
  static let reserve = 16

  /// Opened when the server stops; delayed answers wait on it.
  let latch: StopLatch

  /// libmicrohttpd's inactivity limit.
  let timeoutSeconds: UInt32

  private let gate: RequestGate
  private let handler: LoopbackServer.Handler
  private let book: Mutex<ConnectionBook>
  private let doorbell: Doorbell

  /// Prepares the edge of a server, or returns nil when the process is out of descriptors.
  init?(
    socket: ListeningSocket, options: LoopbackServer.Options,
    handler: @escaping LoopbackServer.Handler
  ) {
    guard let latch = StopLatch(), let doorbell = Doorbell() else { return nil }
    self.latch = latch
    self.doorbell = doorbell
    self.handler = handler
    timeoutSeconds = UInt32(clamping: options.requestDeadline.components.seconds)
    gate = RequestGate(rule: options.hosts, address: socket.address, port: socket.port)
    book = Mutex(
      ConnectionBook(capacity: options.connectionLimit, allowance: options.requestDeadline))
  }

  /// Runs the handler for one request and waits out its delay.
  func answer(
    method: String, target: [UInt8], headers: [LoopbackRequest.Field]?, body: [UInt8]?
  ) -> LoopbackResponse {
    switch gate.admit(method: method, target: target, headers: headers, body: body) {
    case .refused(let response):
      return response
    case .accepted(let request):
      let response = handler(request)
      guard let delay = response.delay else { return response }
      if let late = response.late { return late.wait(for: delay, orLatch: latch) ?? response }
      _ = latch.wait(for: delay)
      return response
    }
  }

  /// Notes an accepted connection and makes room for it.
  func opened(_ socket: Int32) {
    book.withLock { book in
      // Under the lock: the socket of an entry stays open until `closed` takes the same lock.
      if let evicted = book.opened(socket, at: .now) { shutdown(evicted, Int32(SHUT_RDWR)) }
    }
    doorbell.ring()
  }

  /// Notes that a connection sent a whole request.
  func received(_ socket: Int32) {
    book.withLock { $0.received(socket) }
  }

  /// Notes that a request is over.
  func answered(_ socket: Int32) {
    book.withLock { $0.answered(socket, at: .now) }
    doorbell.ring()
  }

  /// Notes that a connection is about to be closed.
  func closed(_ socket: Int32) {
    book.withLock { $0.closed(socket) }
  }

  /// Shuts overdue connections down until the latch opens; asleep while none owes a request.
  func watchDeadlines() {
    while true {
      let timeout = book.withLock { book -> Int32 in
        for socket in book.overdue(at: .now) { shutdown(socket, Int32(SHUT_RDWR)) }
        return book.firstDeadline.map { ContinuousClock.now.duration(to: $0).pollTimeout } ?? -1
      }
      if doorbell.wait(orLatch: latch, timeout: timeout) { return }
    }
  }
}
