import Glibc

/// Returns the wall clock's reading in whole seconds (`CLOCK_REALTIME`).
package func wallClockSeconds() -> Int64 {
  var time = timespec()
  unsafe _ = clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec)
}

/// Returns the boot clock's reading in nanoseconds, suspended time included (`CLOCK_BOOTTIME`).
package func bootClockNanoseconds() -> UInt64 {
  var time = timespec()
  unsafe _ = clock_gettime(CLOCK_BOOTTIME, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Reads the kernel's random name of this boot: 36 characters of a UUID and a line feed.
///
/// - Throws: `FileError`.
package func bootIdentifierText() throws(FileError) -> String {
  String(
    decoding: try readSystemFile("/proc/sys/kernel/random/boot_id", limit: 64), as: UTF8.self)
}

/// Returns the wall clock's reading since the epoch, fractions of a second kept (`CLOCK_REALTIME`).
package func wallClockReading() -> Duration {
  var time = timespec()
  unsafe _ = clock_gettime(CLOCK_REALTIME, &time)
  return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}

/// Returns a duration in nanoseconds, as the boot clock counts them.
///
/// - Parameter duration: the duration.
/// - Returns: zero for a negative one, and 292 years at most, which any reading can be added to.
package func nanoseconds(_ duration: Duration) -> UInt64 {
  guard duration > .zero else { return 0 }
  let (seconds, attoseconds) = duration.components
  guard seconds < Int64.max / 1_000_000_000 else { return UInt64(Int64.max) }
  return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
}

/// A moment on the boot clock until which something may take; several waits can share it.
package struct Deadline: Sendable {
  private let moment: UInt64

  /// Makes a deadline that much time from now.
  package init(after wait: Duration) {
    self.init(after: wait, from: bootClockNanoseconds())
  }

  /// Makes a deadline that much time from a reading of the boot clock, in nanoseconds.
  package init(after wait: Duration, from now: UInt64) {
    moment = now + nanoseconds(wait)
  }

  /// The time that is left, none once the moment has passed.
  package var rest: Duration { rest(at: bootClockNanoseconds()) }

  /// The time that is left at a reading of the boot clock, in nanoseconds.
  package func rest(at now: UInt64) -> Duration {
    moment > now ? .nanoseconds(Int64(clamping: moment - now)) : .zero
  }
}
