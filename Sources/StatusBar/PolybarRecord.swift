/// polybar: text with formatting tags, `%{...}`.
enum PolybarRecord {
  /// Writes the record: the text in its colour, in the actions of three buttons.
  static func text(_ content: BarContent, _ actions: BarActions?) -> String {
    BarTags.text(escaped(content.text), content, actions)
  }

  /// The text without a tag in it.
  ///
  /// There is no escape for a tag's beginning, so that a space without width comes between; at the
  /// end too, since a tag of ours follows.
  private static func escaped(_ text: String) -> String {
    BarTags.broken(text, percent: "%")
  }
}

/// lemonbar: text with formatting tags much like polybar's.
enum LemonbarRecord {
  /// Writes the record; lemonbar prints a click's command line, and whoever reads it runs it.
  static func text(_ content: BarContent, _ actions: BarActions?) -> String {
    BarTags.text(escaped(content.text), content, actions)
  }

  /// The text with each percent sign doubled; broken too, for builds that know no doubled one.
  private static func escaped(_ text: String) -> String {
    BarTags.broken(text, percent: "%%")
  }
}

/// The tags that polybar and lemonbar share.
private enum BarTags {
  static func text(_ text: String, _ content: BarContent, _ actions: BarActions?) -> String {
    var record = content.color.map { "%{F\($0)}\(text)%{F-}" } ?? text
    if let actions {
      for button in [3, 2, 1] {
        guard let action = BarAction.of(button: button, in: content.condition) else { continue }
        record = "%{A\(button):\(actions.line(for: action)):}\(record)%{A}"
      }
    }
    return record + "\n"
  }

  static func broken(_ text: String, percent: String) -> String {
    var result = ""
    var isBehindPercent = false
    for scalar in text.unicodeScalars {
      if isBehindPercent, scalar == "{" { result += "\u{200B}" }
      isBehindPercent = scalar == "%"
      if isBehindPercent { result += percent } else { result.unicodeScalars.append(scalar) }
    }
    return isBehindPercent ? result + "\u{200B}" : result
  }
}
