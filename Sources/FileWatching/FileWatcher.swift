package import FileSupport
import Glibc
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
    let inbox = try sharedInbox()
    let (ticket, needsThread) = inbox.add(request, handler: handler)
    if needsThread { try startThread(serving: inbox) }
    return WatchToken(ticket: ticket, inbox: inbox)
  }

  private static func sharedInbox() throws(Errno) -> WatchInbox {
    try inbox.withLock { (inbox) throws(Errno) -> WatchInbox in
      if let inbox { return inbox }
      let made = try WatchInbox()
      inbox = made
      return made
    }
  }

  private static func startThread(serving inbox: WatchInbox) throws(Errno) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // Signals are for the program's own threads; a new thread inherits the mask of this one.
    var (all, old) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &old)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &old, nil) }
    let retained = unsafe Unmanaged.passRetained(inbox)
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        var loop = WatchLoop(
          inbox: unsafe Unmanaged<WatchInbox>.fromOpaque(argument).takeRetainedValue())
        loop.run()
        return nil
      }, retained.toOpaque())
    guard failure == 0 else {
      unsafe retained.release()
      inbox.abandon()
      throw Errno(rawValue: failure)
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
