import Glibc

/// A part of the terminal that is drawn again and again in the same place.
final class Screen {
  /// What a piece of text means, as a colour.
  enum Tone: String {
    case plain = ""
    case good = "32"
    case warning = "33"
    case bad = "31"
    case dim = "2"
    case caption = "1;36"
  }

  private let isColored: Bool
  private var height = 0
  /// Whether nobody sees what is written any more.
  private(set) var isGone = false

  /// Creates a screen.
  init(isColored: Bool) { self.isColored = isColored }

  /// Puts a colour around a text.
  func paint(_ text: String, _ tone: Tone) -> String {
    isColored && tone != .plain ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Hides the cursor.
  func open() { write("\u{1B}[?25l") }

  /// Shows the cursor again, below what was drawn.
  func close() { write("\u{1B}[?25h") }

  /// Draws the lines in the place of those drawn before.
  func draw(_ lines: [String]) {
    let back = height > 0 ? "\r\u{1B}[\(height)A" : ""
    write(back + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J")
    height = lines.count
  }

  /// Writes a text to standard output.
  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
      }
      if count < 0 && errno != EINTR {
        isGone = true
        return
      }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
