import StrictJSON

/// waybar: one object a line, its text and tooltip Pango markup (waybar-custom(5)).
///
/// `"escape": true` has to stay out of the module's configuration, or everything is escaped twice.
enum WaybarRecord {
  /// Writes the record; every member is always there.
  static func text(_ content: BarContent) -> String {
    let object: JSONObject = [
      "text": .string(PangoText.escaped(content.text)),
      "alt": .string(content.condition.rawValue),
      "tooltip": .string(content.lines.map(PangoText.escaped).joined(separator: "\n")),
      "class": .array([
        .string(content.condition.rawValue), .string(content.condition.severity.rawValue),
      ]),
      "percentage": .integer(content.percentage),
    ]
    return object.asciiLine + "\n"
  }
}

/// eww: one object a line, for `deflisten`; its members are read as `name.text` and so on.
enum EwwRecord {
  /// Writes the record; every member is always there.
  ///
  /// A label takes escapes out of its text, so that a backslash is written twice there.
  static func text(_ content: BarContent) -> String {
    let object: JSONObject = [
      "text": .string(content.text.map { $0 == "\\" ? "\\\\" : String($0) }.joined()),
      "tooltip": .string(content.lines.joined(separator: "\n")),
      "state": .string(content.condition.rawValue),
      "severity": .string(content.condition.severity.rawValue),
      "icon": .string(content.icon),
      "remaining": .string(content.remaining),
      "percentage": .integer(content.percentage),
    ]
    return object.asciiLine + "\n"
  }
}
