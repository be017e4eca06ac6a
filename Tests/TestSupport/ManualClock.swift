import Synchronization

/// A clock that stands still until a test moves it, and that knows who sleeps on it.
package final class ManualClock: Clock {
  /// A point in the clock's time, measured from its creation.
  package struct Instant: InstantProtocol {
    /// The time since the clock was made.
    package let offset: Duration

    /// Creates the instant that lies `offset` after the clock's creation.
    package init(offset: Duration) { self.offset = offset }

    /// Returns the instant `duration` later.
    package func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// Returns the time from this instant to `other`.
    package func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Orders instants by time.
    package static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    let identifier: Int
    let deadline: Instant
    let gate: Gate
  }

  private struct Watcher {
    let isSatisfied: @Sendable ([Duration]) -> Bool
    let gate: Gate
  }

  private struct State {
    var now = Instant(offset: .zero)
    var nextIdentifier = 0
    var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []
  }

  private let state = Mutex(State())

  /// Creates a clock at zero.
  package init() {}

  /// The time that the test has set.
  package var now: Instant { state.withLock { $0.now } }

  /// The smallest step that the clock tells apart.
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// How long each sleeper still has to sleep, soonest first.
  package var sleepers: [Duration] { state.withLock { Self.remaining($0) } }

  /// Suspends until the test has moved the clock to `deadline`.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let gate = Gate()
    guard let identifier = lieDown(until: deadline, behind: gate) else { return }
    defer { remove(identifier) }
    try await withTaskCancellationHandler {
      try await gate.wait()
    } onCancel: {
      remove(identifier)
    }
  }

  /// Moves the clock and wakes everyone whose deadline has come.
  package func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return due
    }
    for sleeper in woken { sleeper.gate.open() }
  }

  /// Moves the clock and wakes nobody, as a suspend of the machine does.
  package func jump(by duration: Duration) {
    state.withLock { state in state.now = state.now.advanced(by: duration) }
  }

  /// Suspends until at least `count` tasks sleep, and returns how long each still has to.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  @discardableResult
  package func waitForSleepers(_ count: Int = 1) async throws(CancellationError) -> [Duration] {
    try await waitForSleepers { $0.count >= count }
  }

  /// Suspends until those who sleep are as wanted.
  ///
  /// - Parameter isSatisfied: judges how long each still has to sleep, soonest first.
  /// - Returns: how long each still has to sleep.
  /// - Throws: `CancellationError` when the task is cancelled first.
  @discardableResult
  package func waitForSleepers(
    where isSatisfied: @escaping @Sendable ([Duration]) -> Bool
  ) async throws(CancellationError) -> [Duration] {
    let gate = Gate()
    let already: [Duration]? = state.withLock { state in
      let remaining = Self.remaining(state)
      if isSatisfied(remaining) { return remaining }
      state.watchers.append(Watcher(isSatisfied: isSatisfied, gate: gate))
      return nil
    }
    if let already { return already }
    try await gate.wait()
    return sleepers
  }

  /// Waits for a sleeper and moves the clock exactly to the soonest deadline.
  ///
  /// - Returns: how far the clock moved.
  /// - Throws: `CancellationError` when the task is cancelled first.
  @discardableResult
  package func advanceToNextSleeper() async throws(CancellationError) -> Duration {
    let step = try await waitForSleepers().first ?? .zero
    advance(by: step)
    return step
  }

  private func lieDown(until deadline: Instant, behind gate: Gate) -> Int? {
    let (identifier, watchers): (Int?, [Watcher]) = state.withLock { state in
      guard deadline > state.now else { return (nil, []) }
      state.nextIdentifier += 1
      state.sleepers.append(
        Sleeper(identifier: state.nextIdentifier, deadline: deadline, gate: gate))
      return (state.nextIdentifier, Self.takeSatisfied(&state))
    }
    for watcher in watchers { watcher.gate.open() }
    return identifier
  }

  private func remove(_ identifier: Int) {
    state.withLock { state in state.sleepers.removeAll { $0.identifier == identifier } }
  }

  private static func takeSatisfied(_ state: inout State) -> [Watcher] {
    guard !state.watchers.isEmpty else { return [] }
    let remaining = remaining(state)
    let satisfied = state.watchers.filter { $0.isSatisfied(remaining) }
    state.watchers.removeAll { $0.isSatisfied(remaining) }
    return satisfied
  }

  private static func remaining(_ state: State) -> [Duration] {
    state.sleepers.map { state.now.duration(to: $0.deadline) }.sorted()
  }
}
