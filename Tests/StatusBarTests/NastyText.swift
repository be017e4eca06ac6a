import TestSupport

/// Names of accounts that mean something to some bar, or to none and all the same do harm.
enum NastyText {
  /// Each alone.
  static let pieces: [[UInt8]] =
    [
      "&", "<", ">", "'", "\"", "&amp;", "&#60;", "</txt>", "</tool>", "<span>", "<b>x</b>", "%",
      "%%", "%{", "%{F#f00}", "%{A1:touch /tmp/x:}x%{A}", "%{A}", "}", "{", "{}", "{icon}", "|",
      "||", "| bash=touch", "eval=x", "#", "##", "#[fg=red]", "#{host}", "#(date)", "#,", "$", "$$",
      "${exec touch x}", "${color red}", "$(date)", "`date`", "\\", "\\n", "\\#", "\\u0041", ":",
      ":smile:", "-", "--", "---", "\n", "\r\n", "\t", "\0", "\u{1B}[31m", "\u{7F}", "\u{85}",
      "\u{2028}", "\u{202E}", "\u{2066}", "\u{200B}", "\u{200D}", "\u{FEFF}", "\u{FFFE}",
      "\u{FFFF}", "\u{1FFFF}", "\u{E0041}", "👩‍👩‍👧‍👦", "🏴", "é", "שלום", "مرحبا", "名前", "𝒳", " ",
      "  ", "a", "ada@example.org", "[", "]", "],", "[{\"full_text\":\"x\"}]", "=", ";", "~", "^",
      "null", "…",
    ].map { Array($0.utf8) } + [
      [0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xF0, 0x9F], [0x80], [0xC0, 0xAF],
      Array(repeating: 0x41, count: 10_000), Array(repeating: 0x22, count: 10_000),
      Array("a".utf8) + (0..<5000).flatMap { _ in [0xCC, 0x81] as [UInt8] },
      Array(String(repeating: "👩‍👩‍👧‍👦", count: 400).utf8),
    ]

  /// A name of several pieces, as whoever reads bytes from elsewhere makes text of them.
  static func random(_ generator: inout SeededGenerator) -> String {
    let count = Int.random(in: 1...8, using: &generator)
    let bytes = (0..<count).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
