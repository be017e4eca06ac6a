import FileSupport
import Synchronization

/// What reaches the watcher's thread from others.
final class WatchInbox: Sendable {
  /// What came since the last time.
  struct Content: Sendable {
    /// New watches.
    var added: [Watch] = []
    /// The numbers of watches that were cancelled.
    var removed: [Int] = []
    /// When the owner of a watch wants to be told, by the watch's number.
    var alarms: [Int: UInt64] = [:]
  }

  private struct State {
    var content = Content()
    var isServed = false
    var lastNumber = 0
  }

  /// Rung when there is something in the inbox.
  let doorbell: Doorbell
  private let state = Mutex(State())

  /// Creates an empty inbox.
  ///
  /// - Throws: the error number of the doorbell.
  init() throws(Errno) { doorbell = try Doorbell() }

  /// Hands a new watch to the thread.
  ///
  /// - Returns: the watch's ticket, and whether a thread has to be started for it.
  func add(
    _ request: WatchRequest, handler: @escaping @Sendable (WatchNotice) -> Void
  ) -> (ticket: WatchTicket, needsThread: Bool) {
    defer { doorbell.ring() }
    return state.withLock { state in
      state.lastNumber += 1
      let ticket = WatchTicket(number: state.lastNumber)
      state.content.added.append(Watch(ticket: ticket, request: request, handler: handler))
      defer { state.isServed = true }
      return (ticket, !state.isServed)
    }
  }

  /// Tells the thread that a watch was cancelled.
  func remove(_ ticket: WatchTicket) {
    state.withLock { $0.content.removed.append(ticket.number) }
    doorbell.ring()
  }

  /// Tells the thread when the owner of a watch wants to be told.
  func setAlarm(_ time: UInt64, of ticket: WatchTicket) {
    state.withLock { $0.content.alarms[ticket.number] = time }
    doorbell.ring()
  }

  /// Takes what is there.
  func take() -> Content {
    doorbell.silence()
    return state.withLock { state in
      defer { state.content = Content() }
      return state.content
    }
  }

  /// Lets the thread end unless a new watch has come.
  ///
  /// - Returns: whether it may end; the next watch needs another thread then.
  func close() -> Bool {
    state.withLock { state in
      guard state.content.added.isEmpty else { return false }
      state.content = Content()
      state.isServed = false
      return true
    }
  }

  /// Takes back that a thread serves the inbox: it could not be started.
  ///
  /// The watch that needed it must be the only one that is there: whoever adds watches keeps others
  /// from doing so until the thread is started.
  func abandon() {
    state.withLock { state in
      state.content = Content()
      state.isServed = false
    }
  }
}
