import FileSupport

/// Notices that the wall clock was set: it no longer runs beside the boot clock.
struct WallClockCheck {
  private var offset: Int64

  /// Remembers how far the clocks are apart now.
  init() { offset = WallClockCheck.offset(at: bootClockNanoseconds()) }

  /// Looks whether the clock was set since the last time.
  ///
  /// - Parameter now: the boot clock's reading.
  /// - Returns: whether it was set by two seconds or more.
  mutating func wasSet(at now: UInt64) -> Bool {
    let old = offset
    offset = WallClockCheck.offset(at: now)
    // Both are whole seconds, so one of them is no difference.
    return abs(offset - old) > 1
  }

  private static func offset(at now: UInt64) -> Int64 {
    wallClockSeconds() - Int64(now / 1_000_000_000)
  }
}
