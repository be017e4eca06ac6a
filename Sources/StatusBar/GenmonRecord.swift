/// Xfce's generic monitor: elements that it looks for in the output, with Pango markup in them.
enum GenmonRecord {
  /// Writes the record; no escaped text can hold the end of its element.
  static func text(_ content: BarContent, _ actions: BarActions?) -> String {
    var record = "<txt>\(PangoText.colored(content.text, content.color))</txt>\n"
    let tooltip = content.lines.map(PangoText.escaped).joined(separator: "\n")
    record += "<tool>\(tooltip)</tool>\n"
    if let actions, let action = BarAction.of(button: 1, in: content.condition) {
      record += "<txtclick>\(actions.line(for: action))</txtclick>\n"
    }
    return record
  }
}
