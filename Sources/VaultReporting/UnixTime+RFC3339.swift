import Glibc
package import SessionModel

extension UnixTime {
  /// The time in UTC as RFC 3339 5.6 writes it, `2026-11-30T21:00:00Z` (`gmtime_r(3)`).
  ///
  /// Nil outside the years 0 to 9999, which have no such form.
  package var rfc3339: String? {
    var (time, parts) = unsafe (time_t(rawValue), tm())
    guard unsafe gmtime_r(&time, &parts) != nil else { return nil }
    // The year is counted from 1900, the month from 0.
    let day = unsafe [Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday)]
    let second = unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
    guard (0...9999).contains(day[0]) else { return nil }
    let date = [Self.digits(day[0], 4), Self.digits(day[1]), Self.digits(day[2])]
    return date.joined(separator: "-") + "T"
      + second.map { Self.digits($0) }.joined(separator: ":") + "Z"
  }

  private static func digits(_ number: some BinaryInteger, _ count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
  }
}
