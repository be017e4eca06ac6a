/// Durations as people write them in options and in the configuration: `30s`, `2m30s`, `500ms`.
package enum DurationText {
  /// Why a text is not a duration.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    /// What is wrong with a text.
    package enum Reason: Sendable, Equatable {
      /// A number stands without a unit.
      case missingUnit
      /// A unit is none of `d`, `h`, `m`, `s` and `ms`.
      case unknownUnit(String)
      /// The text is empty, or something else than a number stands where one has to.
      case missingNumber
      /// Units repeat or stand in another order than from the largest to the smallest.
      case unitOrder
      /// The duration is longer than 100 years.
      case tooLong
    }

    /// The text as it was given.
    package let text: String
    /// What is wrong with it.
    package let reason: Reason

    /// What is wrong and how a duration is written, one sentence.
    package var description: String {
      let what =
        switch reason {
        case .missingUnit: "its unit is missing"
        case .unknownUnit(let unit): "\(PrintableText.quoted(unit)) is not a unit"
        case .missingNumber: "a number is missing"
        case .unitOrder: "its units do not go from the largest to the smallest"
        case .tooLong: "it is longer than 100 years"
        }
      return "\(PrintableText.quoted(text)) is not a duration: \(what);"
        + " write it like 30s, 2m30s, 500ms or 1h"
    }
  }

  private static let units: [(name: String, milliseconds: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]

  private static let longest: Int64 = 36_525 * 86_400_000

  /// Reads a duration: whole numbers with the units `d`, `h`, `m`, `s` and `ms`, largest first.
  ///
  /// - Parameter text: The text, for example `2m30s`. It holds no spaces and no sign.
  /// - Returns: The duration, 100 years at most.
  /// - Throws: `Failure` with what is wrong and how to write it.
  package static func parse(_ text: String) throws(Failure) -> Duration {
    var rest = text.utf8[...]
    var total: Int64 = 0
    var smallest = -1
    repeat {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { throw Failure(text: text, reason: .missingNumber) }
      rest = rest[digits.endIndex...]
      let letters = rest.prefix { !(0x30...0x39).contains($0) }
      rest = rest[letters.endIndex...]
      let unit = String(Substring(letters))
      guard !unit.isEmpty else { throw Failure(text: text, reason: .missingUnit) }
      guard let index = units.firstIndex(where: { $0.name == unit }) else {
        throw Failure(text: text, reason: .unknownUnit(unit))
      }
      guard index > smallest else { throw Failure(text: text, reason: .unitOrder) }
      smallest = index
      guard let number = Int64(Substring(digits)), number <= longest,
        case let part = number.multipliedReportingOverflow(by: units[index].milliseconds),
        !part.overflow, part.partialValue <= longest - total
      else { throw Failure(text: text, reason: .tooLong) }
      total += part.partialValue
    } while !rest.isEmpty
    return .milliseconds(total)
  }

  /// Writes a duration so that `parse` reads it back, rounded down to milliseconds.
  ///
  /// - Parameters:
  ///   - duration: The duration; a negative one gets a leading `-`, which `parse` does not take.
  ///   - parts: How many units at most, counted from the largest; the rest is cut off.
  /// - Returns: The text, `0s` for less than the smallest unit shown.
  package static func format(_ duration: Duration, parts: Int = 5) -> String {
    let (seconds, attoseconds) = (duration < .zero ? .zero - duration : duration).components
    var text = ""
    var shown = 0
    var rest = seconds
    for (name, milliseconds) in units where shown < parts {
      let count: Int64
      if milliseconds >= 1000 {
        (count, rest) = rest.quotientAndRemainder(dividingBy: milliseconds / 1000)
      } else {
        count = attoseconds / 1_000_000_000_000_000
      }
      // Units are counted from the first one shown, so that "1h" with two parts hides "5s".
      guard count > 0 || shown > 0 else { continue }
      shown += 1
      if count > 0 { text += "\(count)\(name)" }
    }
    return text.isEmpty ? "0s" : duration < .zero ? "-" + text : text
  }

  /// Writes how long somebody has to wait: whole seconds, rounded up, so that nobody comes early.
  ///
  /// - Parameter duration: How long it takes.
  /// - Returns: The text, `1s` at least.
  package static func wait(_ duration: Duration) -> String {
    format(.seconds(max(1, duration.secondsRoundedUp)))
  }
}
