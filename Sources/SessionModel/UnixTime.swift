/// A point in wall-clock time, in whole seconds since 1970-01-01T00:00:00Z.
public struct UnixTime: RawRepresentable, Sendable, Hashable, Comparable {
  /// Seconds since the epoch, as in `time_t` and RFC 7519 `NumericDate`.
  public let rawValue: Int64

  /// Creates a time from seconds since the epoch.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// Orders two times, the earlier first.
  public static func < (left: UnixTime, right: UnixTime) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Returns the time that lies a duration after another, fractions of a second dropped.
  public static func + (time: UnixTime, duration: Duration) -> UnixTime {
    let seconds = duration.components.seconds
    let (sum, overflow) = time.rawValue.addingReportingOverflow(seconds)
    return UnixTime(rawValue: overflow ? (seconds < 0 ? .min : .max) : sum)
  }

  /// Returns the time that lies a duration before another, fractions of a second dropped.
  public static func - (time: UnixTime, duration: Duration) -> UnixTime {
    let seconds = duration.components.seconds
    let (difference, overflow) = time.rawValue.subtractingReportingOverflow(seconds)
    return UnixTime(rawValue: overflow ? (seconds < 0 ? .max : .min) : difference)
  }

  /// Returns the duration from another time until this one; negative when this one is earlier.
  public func since(_ earlier: UnixTime) -> Duration {
    let (difference, overflow) = rawValue.subtractingReportingOverflow(earlier.rawValue)
    guard !overflow else { return .seconds(rawValue < 0 ? Int64.min / 2 : Int64.max / 2) }
    return .seconds(difference)
  }
}
