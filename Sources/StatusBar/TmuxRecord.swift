/// tmux: text with styles, as `#(...)` in a status line shows it.
enum TmuxRecord {
  /// Writes the record: the text in its colour.
  static func text(_ content: BarContent) -> String {
    let text = escaped(content.text)
    return (content.color.map { "#[fg=\($0)]\(text)#[default]" } ?? text) + "\n"
  }

  /// The text with its number signs doubled, two of them kept apart by a space without width.
  ///
  /// tmux halves their number once where it expands a format and, unless a style follows, once
  /// more where it draws: one at a time comes out right either way.
  private static func escaped(_ text: String) -> String {
    var result = ""
    var isBehindSign = false
    for scalar in text.unicodeScalars {
      if scalar == "#" {
        result += isBehindSign ? "\u{200B}##" : "##"
      } else {
        result.unicodeScalars.append(scalar)
      }
      isBehindSign = scalar == "#"
    }
    // A style of ours may follow.
    return isBehindSign ? result + "\u{200B}" : result
  }
}
