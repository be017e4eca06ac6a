/// Text for Pango's markup.
enum PangoText {
  /// The text with everything that means something to the markup escaped, as
  /// `g_markup_escape_text` does.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "'": result += "&#39;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text, escaped, in a colour.
  static func colored(_ text: String, _ color: BarColor?) -> String {
    guard let color else { return escaped(text) }
    return "<span foreground=\"\(color)\">\(escaped(text))</span>"
  }
}
