import FileSupport
import Synchronization

/// What the owners of watches leave for whoever serves them.
final class WatchInbox: Sendable {
  /// What came since the last time.
  struct Content: Sendable {
    /// New watches.
    var added: [Watch] = []
    /// The numbers of watches that were cancelled.
    var removed: [Int] = []
    /// When the owner of a watch wants to be told, and the watch's number; the last one counts.
    var alarms: [(number: Int, time: UInt64)] = []

    fileprivate var isEmpty: Bool { added.isEmpty && removed.isEmpty && alarms.isEmpty }
  }

  private struct State {
    var content = Content()
    var isRung = false
    var hasThread = false
    var lastNumber = 0
  }

  /// Rung when there is something in the inbox for a thread.
  let doorbell: Doorbell
  private let state = Mutex(State())

  /// Creates an empty inbox.
  ///
  /// - Throws: the error number of the doorbell.
  init() throws(Errno) { doorbell = try Doorbell() }

  /// Whether a thread serves the watches, or is about to.
  var hasThread: Bool { state.withLock { $0.hasThread } }

  /// Hands over a new watch.
  ///
  /// - Parameters:
  ///   - request: what is watched.
  ///   - server: who serves it at least.
  ///   - handler: told of every change.
  /// - Returns: the watch's ticket, and whether a thread has to be started for it.
  func add(
    _ request: WatchRequest, for server: WatchServer,
    handler: @escaping @Sendable (WatchNotice) -> Void
  ) -> (ticket: WatchTicket, needsThread: Bool) {
    state.withLock { state in
      state.lastNumber += 1
      let ticket = WatchTicket(number: state.lastNumber)
      state.content.added.append(Watch(ticket: ticket, request: request, handler: handler))
      let needsThread = server == .thread && !state.hasThread
      if needsThread { state.hasThread = true }
      tellThread(&state)
      return (ticket, needsThread)
    }
  }

  /// Says that a watch was cancelled.
  func remove(_ ticket: WatchTicket) {
    state.withLock { state in
      state.content.removed.append(ticket.number)
      tellThread(&state)
    }
  }

  /// Says when the owner of a watch wants to be told.
  func setAlarm(_ time: UInt64, of ticket: WatchTicket) {
    state.withLock { state in
      state.content.alarms.append((ticket.number, time))
      tellThread(&state)
    }
  }

  /// Rings for whoever serves the watches next.
  func ring() {
    state.withLock { state in
      state.isRung = true
      doorbell.ring()
    }
  }

  /// Takes what is there; nil where nothing is.
  func take() -> Content? {
    state.withLock { state in
      if state.isRung { doorbell.silence() }
      state.isRung = false
      guard !state.content.isEmpty else { return nil }
      defer { state.content = Content() }
      return state.content
    }
  }

  /// Lets the thread end unless a new watch has come.
  ///
  /// - Returns: whether it may end; the next watch that needs one needs another thread then.
  func close() -> Bool {
    state.withLock { state in
      guard state.content.added.isEmpty else { return false }
      state.content = Content()
      state.hasThread = false
      return true
    }
  }

  /// Takes back a watch and that a thread serves it: the thread could not be started.
  ///
  /// Whoever adds watches keeps others from doing so until the thread is started.
  func abandon(_ ticket: WatchTicket) {
    state.withLock { state in
      state.content.added.removeAll { $0.ticket === ticket }
      state.hasThread = false
    }
  }

  // Whoever serves his own watches looks into the inbox before he waits.
  private func tellThread(_ state: inout State) {
    guard state.hasThread else { return }
    state.isRung = true
    doorbell.ring()
  }
}
