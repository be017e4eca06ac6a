/// What is done to a text before any bar's own escaping: made harmless, then shortened.
enum BarText {
  // Enough for every limit below, so that a long text costs no more than a short one.
  private static let mostScalars = 2048

  /// The text on one line, without anything that acts on the text around it.
  ///
  /// Control characters and line ends become spaces, marks of direction and the like are left
  /// out, what is no character becomes U+FFFD. A joiner stays: emoji and scripts need it.
  static func harmless(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(mostScalars) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: result.append(" ")
      case .format where !isJoiner(scalar): break
      case .unassigned where scalar.properties.isNoncharacterCodePoint: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// The text with one space where there are several, and none at its ends.
  static func collapsed(_ text: String) -> String {
    text.split(separator: " ").joined(separator: " ")
  }

  /// The text cut to whole characters, with an ellipsis in the place of what was cut.
  ///
  /// - Parameters:
  ///   - text: a harmless text.
  ///   - characters: the most characters, the ellipsis among them.
  ///   - bytes: the most bytes of UTF-8, the ellipsis among them.
  /// - Returns: the text as it is, or what fits of it.
  static func shortened(_ text: String, to characters: Int, bytes: Int) -> String {
    let ellipsis = "…"
    guard text.utf8.count > bytes || text.count > characters else { return text }
    var result = ""
    var left = bytes - ellipsis.utf8.count
    for character in text.prefix(max(characters - 1, 0)) {
      left -= character.utf8.count
      guard left >= 0 else { break }
      result.append(character)
    }
    while result.last == " " { result.removeLast() }
    return result + ellipsis
  }

  /// The text in an isolate where it runs from right to left, so that it does not turn its
  /// neighbours around (UAX 9, 2.4).
  static func isolated(_ text: String) -> String {
    text.unicodeScalars.contains(where: isRightToLeft) ? "\u{2068}\(text)\u{2069}" : text
  }

  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{200C}" || scalar == "\u{200D}"
  }

  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
    default: false
    }
  }
}

extension String {
  /// The text with some of its scalars written otherwise: what every bar's escaping is.
  ///
  /// - Parameter replacement: what stands for a scalar; nil where that stands for itself.
  /// - Returns: the text.
  func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    for scalar in unicodeScalars {
      if let replaced = replacement(scalar) {
        result += replaced
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
