/// Breaks text into lines of a terminal.
package struct TextLayout: Sendable {
  private let width: Int

  /// Makes a layout.
  ///
  /// - Parameter width: The columns of a line; less than 40 is taken as 40, more than 100 as 100.
  package init(width: Int) {
    self.width = min(max(width, 40), 100)
  }

  /// One paragraph.
  ///
  /// - Parameters:
  ///   - text: The text; a line that starts with a space is kept as it is.
  ///   - indent: How many spaces stand before each line.
  /// - Returns: Lines, each with its end.
  package func paragraph(_ text: String, indent: Int = 0) -> String {
    let margin = String(repeating: " ", count: indent)
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.hasPrefix(" ")
        ? margin + line + "\n"
        : wrapped(line, width: width - indent).map { margin + $0 + "\n" }.joined()
    }.joined()
  }

  /// Usage lines below one another, the first behind `Usage:`.
  ///
  /// - Parameter lines: The ways to call a program.
  /// - Returns: Lines, each with its end.
  package func usage(_ lines: [String]) -> String {
    lines.enumerated().map { index, line in
      (index == 0 ? "Usage: " : "       ") + line + "\n"
    }.joined()
  }

  /// Two columns: names, and what they mean, wrapped beside them.
  ///
  /// - Parameter rows: The names and their texts.
  /// - Returns: Lines, each with its end.
  package func columns(_ rows: [(name: String, text: String)]) -> String {
    let widest = rows.map(\.name.count).filter { $0 <= 26 }.max() ?? 0
    let indent = widest + 4
    let margin = String(repeating: " ", count: indent)
    var result = ""
    for (name, text) in rows {
      var lines = wrapped(text[...], width: width - indent)[...]
      result += "  " + name
      // A name that is wider than its column stands on a line of its own.
      if name.count <= widest {
        result += String(repeating: " ", count: widest - name.count + 2) + (lines.popFirst() ?? "")
      }
      result += "\n" + lines.map { margin + $0 + "\n" }.joined()
    }
    return result
  }

  private func wrapped(_ text: Substring, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + [line]
  }
}
