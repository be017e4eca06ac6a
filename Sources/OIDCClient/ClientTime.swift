package import SessionModel

/// The clocks that the client reads: wall time for claims, another for waits and cool-downs.
package struct ClientTime: Sendable {
  /// Tells the wall-clock time.
  package let now: @Sendable () -> UnixTime
  /// Tells the time since the client was made.
  package let elapsed: @Sendable () -> Duration
  /// Waits; throws when the task is cancelled.
  package let sleep: @Sendable (Duration) async throws -> Void
  /// Waits for the response in a browser; generic over the clock that was given.
  let clock: any Clock<Duration>

  /// Makes the pair of a clock and a wall time.
  package init<Timekeeper: Clock>(
    clock: Timekeeper, wall: @escaping @Sendable () -> UnixTime
  ) where Timekeeper.Duration == Duration {
    let start = clock.now
    now = wall
    elapsed = { start.duration(to: clock.now) }
    sleep = { try await clock.sleep(for: $0) }
    self.clock = clock
  }
}
