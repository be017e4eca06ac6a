import SessionModel

/// The words of one line.
enum ScenarioWords {
  /// Splits a line at white space, up to a `#`; `"..."` is one word, with `\"` and `\\` in it.
  ///
  /// - Throws: `StateTextError` for a quotation that does not end.
  static func split(_ line: Substring) throws(StateTextError) -> [String] {
    var words: [String] = []
    var word: String?
    var rest = line[...]
    while let character = rest.popFirst() {
      switch character {
      case "#" where word == nil: return words
      case "\"" where word == nil: words.append(try quoted(&rest))
      case " ", "\t", "\r":
        if let word { words.append(word) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let word { words.append(word) }
    return words
  }

  private static func quoted(_ rest: inout Substring) throws(StateTextError) -> String {
    var text = ""
    while let character = rest.popFirst() {
      if character == "\"" { return text }
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard let escaped = rest.popFirst(), escaped == "\"" || escaped == "\\" else {
        throw StateTextError("behind a backslash stands a quotation mark or a backslash")
      }
      text.append(escaped)
    }
    throw StateTextError("the quotation mark at the end is missing")
  }
}

extension Scenario.Expectation {
  /// Reads `8s..9s text "offline"` or `8s..9s no text "token"`.
  ///
  /// - Parameters:
  ///   - words: the words of it.
  ///   - line: the line of the scenario, nil for one of the command line.
  /// - Throws: `StateTextError` with what is allowed.
  init(words: [String], line: Int? = nil) throws(StateTextError) {
    let form = StateTextError(
      "write it like: expect 8s..9s text \"offline\", or: expect 8s..9s no text \"ada\"")
    var words = words[...]
    guard let span = words.popFirst() else { throw form }
    let isForbidden = words.first == "no"
    if isForbidden { words.removeFirst() }
    guard words.count == 2, words.popFirst() == "text", let text = words.first, !text.isEmpty
    else { throw form }
    guard let dots = span.firstRange(of: "..") else { throw form }
    let (from, until): (Duration, Duration)
    do {
      from = try DurationText.parse(String(span[..<dots.lowerBound]))
      until = try DurationText.parse(String(span[dots.upperBound...]))
    } catch {
      throw StateTextError(error.description)
    }
    guard from < until else { throw StateTextError("\(span): the end is not behind the beginning") }
    self.init(from: from, until: until, text: text, isForbidden: isForbidden, line: line)
  }

  /// Reads an expectation of the command line.
  ///
  /// - Throws: `StateTextError` with what is allowed.
  package init(parsing text: String) throws(StateTextError) {
    try self.init(words: ScenarioWords.split(text[...]))
  }
}
