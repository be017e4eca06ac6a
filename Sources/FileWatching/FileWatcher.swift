package import FileSupport
import Synchronization

/// Watches files for the whole process: one thread, one inotify instance, any number of watches.
package enum FileWatcher {
  private static let inbox = Mutex<WatchInbox?>(nil)

  // The loop and its handlers need some 20 KiB; a thread's usual 8 MiB count in every listing.
  private static let stackSize = 256 << 10

  /// Watches a file by its name in a directory, whichever file that is and whether it exists.
  ///
  /// The handler is called on the watcher's thread, first with `began` once the watch is in place:
  /// what is read from then on is never outdated without another call. It must be quick, and must
  /// not block: all watches share the thread.
  ///
  /// - Parameters:
  ///   - request: which file, and how.
  ///   - handler: told of every change.
  /// - Returns: what keeps the watch alive.
  /// - Throws: the error number, when there is no descriptor or thread to be had.
  package static func watch(
    _ request: WatchRequest, handler: @escaping @Sendable (WatchNotice) -> Void
  ) throws(Errno) -> WatchToken {
    // Whoever adds a watch while a thread is being started for another would rely on that thread.
    try inbox.withLock { (shared) throws(Errno) -> WatchToken in
      let inbox: WatchInbox
      if let shared { inbox = shared } else { inbox = try WatchInbox() }
      shared = inbox
      let (ticket, needsThread) = inbox.add(request, handler: handler)
      if needsThread { try startThread(serving: inbox) }
      return WatchToken(ticket: ticket, inbox: inbox)
    }
  }

  private static func startThread(serving inbox: WatchInbox) throws(Errno) {
    do {
      try DedicatedThread.start("file-watcher", stackSize: stackSize) {
        var loop = WatchLoop(inbox: inbox)
        loop.run()
      }
    } catch {
      inbox.abandon()
      throw error
    }
  }
}

/// Keeps a watch alive; the watch ends with it.
package final class WatchToken: Sendable {
  private let ticket: WatchTicket
  private let inbox: WatchInbox

  init(ticket: WatchTicket, inbox: WatchInbox) {
    self.ticket = ticket
    self.inbox = inbox
  }

  deinit { cancel() }

  /// Sets the one alarm of the watch: its handler is called with `alarm` at that time.
  ///
  /// It goes off earlier when the wall clock is set meanwhile, and an alarm in the past at once.
  /// - Parameter time: nanoseconds on the boot clock; `UInt64.max` for never.
  package func setAlarm(at time: UInt64) {
    inbox.setAlarm(time, of: ticket)
  }

  /// Ends the watch: no call of its handler begins any more, and the handler is let go.
  ///
  /// A call that has begun on the watcher's thread may still be running.
  package func cancel() {
    guard !ticket.isCancelled else { return }
    ticket.cancel()
    inbox.remove(ticket)
  }
}
