/// Argos: a title, and a menu with what there is to say and to do.
enum ArgosRecord {
  /// Writes the record.
  static func text(_ content: BarContent, _ actions: BarActions?) -> String {
    // An empty title would be the file's name.
    let title = content.text.isEmpty ? content.namespace : content.text
    var lines = [line(title, content.color.map { ["color=\($0)"] } ?? []), "---"]
    lines += content.lines.map { line($0, []) }
    if let actions {
      lines += ["---", entry("Renew", actions.line(for: .renew))]
      lines += [entry("Sign in", actions.line(for: .signIn))]
      lines += [entry("Show the status", actions.line(for: .status))]
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func line(_ text: String, _ attributes: [String]) -> String {
    let all = attributes + ["emojize=false", "unescape=false"]
    return "\(escaped(text)) | \(all.joined(separator: " "))"
  }

  private static func entry(_ text: String, _ command: String) -> String {
    "\(text) | bash=\"\(command)\" terminal=false"
  }

  /// The text as Pango markup in which nothing parts it from its attributes, and which begins no
  /// submenu.
  ///
  /// Colons and backslashes are escaped besides switching off what they begin.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in PangoText.escaped(text).unicodeScalars {
      switch scalar {
      case "|": result += "&#124;"
      case "\\": result += "&#92;"
      case ":": result += "&#58;"
      case "-" where result.isEmpty: result += "&#45;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
