/// Text for Pango's markup.
enum PangoText {
  /// The text with everything that means something to the markup escaped, as
  /// `g_markup_escape_text` does.
  static func escaped(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "'": "&#39;"
      case "\"": "&quot;"
      default: nil
      }
    }
  }

  /// The text, escaped, in a colour.
  static func colored(_ text: String, _ color: BarColor?) -> String {
    guard let color else { return escaped(text) }
    return "<span foreground=\"\(color)\">\(escaped(text))</span>"
  }
}
