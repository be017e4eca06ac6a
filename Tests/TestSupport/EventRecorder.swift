import Synchronization

/// Why an event that a test waits for doesn't come.
package enum EventWaitError: Error, Sendable {
  /// The task was cancelled.
  case cancelled
  /// The recorder was finished: nothing more will be recorded.
  case finished
}

/// A list of what happened, in order, that a test can wait on without polling.
package final class EventRecorder<Event: Sendable>: Sendable {
  private struct Waiter {
    let identifier: Int
    let isSatisfied: @Sendable ([Event]) -> Bool
    let gate: Gate
  }

  private struct State {
    var events: [Event] = []
    var cursor = 0
    var isFinished = false
    var nextIdentifier = 0
    var waiters: [Waiter] = []
  }

  private let state = Mutex(State())

  /// Creates an empty recorder.
  package init() {}

  /// Everything recorded so far, oldest first.
  package var events: [Event] { state.withLock { $0.events } }

  /// Appends an event and wakes those who waited for it.
  package func record(_ event: Event) {
    let satisfied = state.withLock { state in
      state.events.append(event)
      let events = state.events
      let satisfied = state.waiters.filter { $0.isSatisfied(events) }
      let identifiers = Set(satisfied.map(\.identifier))
      state.waiters.removeAll { identifiers.contains($0.identifier) }
      return satisfied
    }
    for waiter in satisfied { waiter.gate.open() }
  }

  /// Tells every present and later waiter that no more events will come.
  package func finish() {
    let waiters = state.withLock { state in
      state.isFinished = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.gate.open() }
  }

  /// Suspends until at least `count` events are recorded, and returns all of them.
  ///
  /// - Throws: when the task is cancelled or the recorder finished first.
  @discardableResult
  package func wait(count: Int) async throws(EventWaitError) -> [Event] {
    try await wait { $0.count >= count }
  }

  /// Returns the first event since the last call that matches, waiting for it when needed.
  ///
  /// Each call goes on behind the event that the call before it returned.
  ///
  /// - Parameter matches: tells whether an event is the one looked for.
  /// - Returns: that event.
  /// - Throws: when the task is cancelled or the recorder finished first.
  @discardableResult
  package func next(
    where matches: @escaping @Sendable (Event) -> Bool = { _ in true }
  ) async throws(EventWaitError) -> Event {
    while true {
      let (found, start): (Event?, Int) = state.withLock { state in
        let start = state.cursor
        guard let index = state.events[start...].firstIndex(where: matches) else {
          return (nil, start)
        }
        state.cursor = index + 1
        return (state.events[index], start)
      }
      if let found { return found }
      try await wait { $0.dropFirst(start).contains(where: matches) }
    }
  }

  /// Suspends until everything recorded so far satisfies a condition, and returns it.
  ///
  /// - Throws: when the task is cancelled or the recorder finished first.
  @discardableResult
  package func wait(
    until isSatisfied: @escaping @Sendable ([Event]) -> Bool
  ) async throws(EventWaitError) -> [Event] {
    let gate = Gate()
    let (already, isFinished, identifier): ([Event]?, Bool, Int) = state.withLock { state in
      if isSatisfied(state.events) { return (state.events, false, 0) }
      if state.isFinished { return (nil, true, 0) }
      state.nextIdentifier += 1
      state.waiters.append(
        Waiter(identifier: state.nextIdentifier, isSatisfied: isSatisfied, gate: gate))
      return (nil, false, state.nextIdentifier)
    }
    if let already { return already }
    if isFinished { throw .finished }
    do {
      try await gate.wait()
    } catch {
      state.withLock { state in state.waiters.removeAll { $0.identifier == identifier } }
      throw .cancelled
    }
    let events = events
    guard isSatisfied(events) else { throw .finished }
    return events
  }
}
