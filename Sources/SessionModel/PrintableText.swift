/// Text from elsewhere, made fit for one line of a log or an error.
package enum PrintableText {
  /// The text on one line: control characters are shown by number, never sent to a terminal.
  ///
  /// - Parameter text: Any text.
  /// - Returns: The text with `\u{1b}` and the like in the place of control and layout characters.
  package static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isUnfit) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isUnfit(scalar) {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text on one line between double quotes, cut where it is long.
  ///
  /// - Parameters:
  ///   - text: Any text that is no secret.
  ///   - limit: How many characters are shown at most.
  /// - Returns: The quoted text; `...` stands for what was cut.
  package static func quoted(_ text: String, limit: Int = 80) -> String {
    let shown = text.prefix(limit)
    return "\"" + oneLine(String(shown)) + (shown.endIndex == text.endIndex ? "\"" : "...\"")
  }

  // Besides C0 and C1, what changes the order or the lines of the text around it.
  private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
