import FileSupport
package import SessionModel

/// The clocks that a reader decides by, as closures, so that a test can set them.
package struct ReaderClock: Sendable {
  /// The wall clock's reading since the epoch, fractions of a second kept.
  package let wall: @Sendable () -> Duration
  /// The boot clock's reading.
  package let boot: @Sendable () -> BootTime
  /// The present boot; nil where the system does not say, as without `/proc`.
  package let bootIdentifier: @Sendable () -> BootIdentifier?
  /// How long a look that costs more than one call counts: at the path, and at the host's lock.
  package let lookInterval: Duration

  /// Makes clocks of closures.
  ///
  /// - Parameters:
  ///   - wall: the wall clock's reading.
  ///   - boot: the boot clock's reading.
  ///   - bootIdentifier: the present boot.
  ///   - lookInterval: how long a look at the path or at the host's lock counts; zero where time
  ///     stands still between two looks.
  package init(
    wall: @escaping @Sendable () -> Duration, boot: @escaping @Sendable () -> BootTime,
    bootIdentifier: @escaping @Sendable () -> BootIdentifier?,
    lookInterval: Duration = .seconds(1)
  ) {
    self.wall = wall
    self.boot = boot
    self.bootIdentifier = bootIdentifier
    self.lookInterval = lookInterval
  }

  /// The system's clocks (`clock_gettime(2)`, `/proc/sys/kernel/random/boot_id`).
  package static let system = ReaderClock(
    wall: { wallClockReading() },
    boot: { BootTime(rawValue: bootClockNanoseconds()) },
    bootIdentifier: { (try? bootIdentifierText()).flatMap { BootIdentifier(text: $0) } })

  /// Reads both clocks.
  func now() -> ClockReading {
    ClockReading(wall: wall(), boot: boot().sinceBoot)
  }
}

/// Both clocks at one moment.
struct ClockReading: Sendable, Hashable {
  /// Since the epoch.
  let wall: Duration
  /// Since the machine booted.
  let boot: Duration
}

extension BootTime {
  /// The time since the machine booted.
  var sinceBoot: Duration { .nanoseconds(Int64(clamping: rawValue)) }
}
