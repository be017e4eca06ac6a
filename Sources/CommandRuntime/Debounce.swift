import FileSupport

/// Makes one event of many that come close together: when they have stopped, or at a limit.
package struct Debounce: Sendable {
  private let quiet: Duration
  private let limit: Duration
  private var first: UInt64?
  private var last: UInt64 = 0

  /// Makes one that has heard nothing.
  ///
  /// - Parameters:
  ///   - quiet: How long nothing has to come before the event is told.
  ///   - limit: How long after the first it is told in any case.
  package init(quiet: Duration, limit: Duration) {
    self.quiet = quiet
    self.limit = limit
  }

  /// Notes that something came.
  ///
  /// - Parameter now: The boot clock, in nanoseconds.
  package mutating func note(now: UInt64) {
    first = first ?? now
    last = now
  }

  /// How long it is until there is something to tell.
  ///
  /// - Parameter now: The boot clock, in nanoseconds.
  /// - Returns: The time, nil while nothing came.
  package func rest(now: UInt64) -> Duration? {
    first.map { first in
      min(
        Deadline(after: quiet, from: last).rest(at: now),
        Deadline(after: limit, from: first).rest(at: now))
    }
  }

  /// Takes what there is to tell.
  ///
  /// - Parameter now: The boot clock, in nanoseconds.
  /// - Returns: Whether there was something.
  package mutating func take(now: UInt64) -> Bool {
    guard rest(now: now) == .zero else { return false }
    first = nil
    return true
  }
}
