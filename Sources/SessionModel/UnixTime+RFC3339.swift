extension UnixTime {
  /// The time in UTC as RFC 3339 5.6 writes it, `2026-11-30T21:00:00Z`.
  ///
  /// Nil outside the years 0 to 9999, which have no such form.
  package var rfc3339: String? {
    let days = Self.floor(rawValue, 86_400)
    guard let (year, month, day) = Self.date(days) else { return nil }
    let secondOfDay = rawValue - days * 86_400
    let (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
    return Self.digits(year, 4) + "-" + Self.digits(month) + "-" + Self.digits(day) + "T"
      + Self.digits(hour) + ":" + Self.digits(minute) + ":" + Self.digits(second) + "Z"
  }

  /// The date in the Gregorian calendar of a day, counted from 1970-01-01.
  private static func date(_ day: Int64) -> (year: Int64, month: Int64, day: Int64)? {
    guard (-719_528...2_932_896).contains(day) else { return nil }
    // Counted from 0000-03-01: the leap day ends a year, and 400 years are as long as any other 400.
    let days = day + 719_468
    let era = floor(days, 146_097)
    let ofEra = days - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    // 153 days are five months from March on, and again from August on.
    let month = (5 * ofYear + 2) / 153
    let isNextYear = month >= 10
    return (
      era * 400 + yearOfEra + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
      ofYear - (153 * month + 2) / 5 + 1
    )
  }

  private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
    number / divisor - (number % divisor < 0 ? 1 : 0)
  }

  private static func digits(_ number: Int64, _ count: Int = 2) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
  }
}
