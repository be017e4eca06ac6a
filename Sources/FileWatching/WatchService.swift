import FileSupport
import Synchronization

/// The process's one loop of watches, and who runs it: a thread, or whoever waits for a watch.
final class WatchService: Sendable {
  // The loop and its handlers need some 20 KiB; a thread's usual 8 MiB count in every listing.
  private static let stackSize = 256 << 10

  private let inbox: WatchInbox
  // Held by the thread as long as it runs.
  private let loop: Mutex<WatchLoop>
  private let readiness = Mutex<WatchReadiness?>(nil)

  /// Creates the service, which nobody runs yet.
  ///
  /// - Throws: the error number, when there is no descriptor to be had.
  init() throws(Errno) {
    let inbox = try WatchInbox()
    self.inbox = inbox
    loop = Mutex(WatchLoop(inbox: inbox))
  }

  /// Adds a watch; starts the thread if it needs one and there is none.
  ///
  /// - Returns: what keeps the watch alive.
  /// - Throws: the error number, when there is no thread to be had.
  func watch(
    _ request: WatchRequest, servedBy server: WatchServer,
    handler: @escaping @Sendable (WatchNotice) -> Void
  ) throws(Errno) -> WatchToken {
    let (ticket, needsThread) = inbox.add(request, for: server, handler: handler)
    if needsThread {
      do {
        try DedicatedThread.start("file-watcher", stackSize: WatchService.stackSize) { self.run() }
      } catch {
        inbox.abandon(ticket)
        throw error
      }
    }
    return WatchToken(ticket: ticket, service: self)
  }

  /// The descriptor that tells when `serve` has something to do.
  ///
  /// - Throws: the error number, when there is no descriptor to be had.
  func readinessDescriptor() throws(Errno) -> Int32 {
    try readiness.withLock { (readiness) throws(Errno) -> Int32 in
      if let made = readiness?.rawDescriptor { return made }
      let made = try WatchReadiness()
      let descriptor = made.rawDescriptor
      readiness = consume made
      return descriptor
    }
  }

  /// Does what there is to do, unless a thread or somebody else is about it.
  ///
  /// - Parameter looks: whether to look for events too, and not only into the inbox.
  func serve(looks: Bool) {
    guard !inbox.hasThread else { return }
    let served: Void? = loop.withLockIfAvailable { loop in
      if looks { loop.turn(waits: false) } else { loop.takeInbox() }
      loop.rest()
      follow(loop)
    }
    // Whoever is about it may be past what made this one call.
    if served == nil { inbox.ring() }
  }

  /// Ends a watch.
  func cancel(_ ticket: WatchTicket) {
    inbox.remove(ticket)
    serve(looks: false)
  }

  /// Sets the alarm of a watch.
  func setAlarm(_ time: UInt64, of ticket: WatchTicket) {
    inbox.setAlarm(time, of: ticket)
  }

  /// What the thread does until no watch is left.
  private func run() {
    loop.withLock { loop in
      clear()
      while true {
        loop.turn(waits: !loop.isEmpty)
        guard loop.isEmpty else { continue }
        loop.rest()
        // Before others are free to serve: they have to be told of what comes from then on.
        follow(loop)
        if inbox.close() { return }
        clear()
      }
    }
  }

  private func follow(_ loop: borrowing WatchLoop) {
    readiness.withLock { $0?.follow(loop, doorbell: inbox.doorbell.rawDescriptor) }
  }

  private func clear() {
    readiness.withLock { $0?.clear() }
  }
}
