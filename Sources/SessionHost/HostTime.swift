package import SessionModel

/// The host's clocks, handed in so that its rules can be tested without waiting.
package struct HostTime: Sendable {
  /// Reads the wall clock and the boot clock.
  package let now: @Sendable () -> Instant
  /// Waits until a point of the boot clock; throws when the task is cancelled.
  ///
  /// Not for a duration: between its reckoning and the wait, time may pass.
  package let sleep: @Sendable (BootTime) async throws -> Void
  /// Returns a random number from 0 up to, not including, 1, for jitter.
  package let random: @Sendable () -> Double

  /// Creates a set of clocks.
  package init(
    now: @escaping @Sendable () -> Instant,
    sleep: @escaping @Sendable (BootTime) async throws -> Void,
    random: @escaping @Sendable () -> Double
  ) {
    self.now = now
    self.sleep = sleep
    self.random = random
  }
}

/// Where the host reports what happens to it.
///
/// The texts never hold a secret.
package struct HostLog: Sendable {
  /// How much a report matters.
  package enum Level: Sendable, Hashable {
    /// Something a person has to look at.
    case error
    /// Something that is not as it should be, but is taken care of.
    case warning
    /// What the host does.
    case info
    /// Details for whoever looks for a fault.
    case debug
  }

  private let write: @Sendable (Level, String) -> Void

  /// Creates a log that hands each report to a closure.
  package init(_ write: @escaping @Sendable (Level, String) -> Void) {
    self.write = write
  }

  /// Reports one line.
  package func callAsFunction(_ level: Level, _ text: String) {
    write(level, text)
  }
}
