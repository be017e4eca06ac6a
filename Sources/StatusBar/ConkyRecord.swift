/// conky: text that `execp` and `execpi` read as they read conky's own.
enum ConkyRecord {
  /// Writes the record: the text in its colour.
  static func text(_ content: BarContent) -> String {
    let text = escaped(content.text)
    return (content.color.map { "${color \($0)}\(text)${color}" } ?? text) + "\n"
  }

  /// The text with a dollar doubled, which else begins a variable, and a comment's sign escaped.
  ///
  /// Where `exec` shows it as it is, the signs are seen and nothing else happens.
  private static func escaped(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "$": "$$"
      case "#": "\\#"
      default: nil
      }
    }
  }
}
