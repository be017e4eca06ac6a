import Synchronization

/// A wall clock that a test moves.
final class TestTime: Sendable {
  private let time = Mutex(Duration.seconds(1_700_000_000))

  /// The time since 1970.
  var now: Duration { time.withLock { $0 } }

  /// Moves the clock.
  func advance(by duration: Duration) {
    time.withLock { $0 += duration }
  }
}
