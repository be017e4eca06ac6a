package import FileSupport
import Synchronization

/// Watches files for the whole process: one inotify instance, any number of watches, and one thread
/// at most.
package enum FileWatcher {
  private static let shared = Mutex<WatchService?>(nil)

  /// Watches a file by its name in a directory, whichever file that is and whether it exists.
  ///
  /// The handler is called by whoever serves the watch, first with `began` once the watch is in
  /// place: what is read from then on is never outdated without another call. It must be quick,
  /// must not block, and must not end a watch: all watches are served together.
  ///
  /// - Parameters:
  ///   - request: which file, and how.
  ///   - server: who serves it; a watch for `.waiter` begins when `serve` is called.
  ///   - handler: told of every change.
  /// - Returns: what keeps the watch alive.
  /// - Throws: the error number, when there is no descriptor or thread to be had.
  package static func watch(
    _ request: WatchRequest, servedBy server: WatchServer = .thread,
    handler: @escaping @Sendable (WatchNotice) -> Void
  ) throws(Errno) -> WatchToken {
    // Whoever adds a watch while a thread is being started for another would rely on that thread.
    try withService { (service) throws(Errno) in
      try service.watch(request, servedBy: server, handler: handler)
    }
  }

  /// The descriptor that is readable when `serve` is worth a call; the same for the whole process.
  ///
  /// It is to be polled, never read and never closed, and is never readable while a thread serves
  /// the watches.
  /// - Throws: the error number, when there is no descriptor to be had.
  package static func readiness() throws(Errno) -> Int32 {
    try withService { (service) throws(Errno) in try service.readinessDescriptor() }
  }

  /// Serves all watches, unless a thread does: handles what has happened, and does not wait.
  package static func serve() {
    shared.withLock { $0 }?.serve(looks: true)
  }

  /// Has new watches begin and alarms set, unless a thread sees to it.
  ///
  /// To be called after a change of a watch for `.waiter`, before the next wait.
  package static func settle() {
    shared.withLock { $0 }?.serve(looks: false)
  }

  private static func withService<Result: Sendable>(
    _ body: (WatchService) throws(Errno) -> Result
  ) throws(Errno) -> Result {
    try shared.withLock { (shared) throws(Errno) -> Result in
      let service: WatchService
      if let shared { service = shared } else { service = try WatchService() }
      shared = service
      return try body(service)
    }
  }
}

/// Keeps a watch alive; the watch ends with it.
package final class WatchToken: Sendable {
  private let ticket: WatchTicket
  private let service: WatchService

  init(ticket: WatchTicket, service: WatchService) {
    self.ticket = ticket
    self.service = service
  }

  deinit { cancel() }

  /// Sets the one alarm of the watch: its handler is called with `alarm` at that time.
  ///
  /// It goes off earlier when the wall clock is set meanwhile, and an alarm in the past at once.
  /// - Parameter time: nanoseconds on the boot clock; `UInt64.max` for never.
  package func setAlarm(at time: UInt64) {
    service.setAlarm(time, of: ticket)
  }

  /// Ends the watch: no call of its handler begins any more, and the handler is let go.
  ///
  /// A call that has begun on another thread may still be running.
  package func cancel() {
    guard !ticket.isCancelled else { return }
    ticket.cancel()
    service.cancel(ticket)
  }
}
