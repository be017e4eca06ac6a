import SessionModel

/// Turns the text behind an option into a value of the right kind, or says why it is none.
struct OptionValueCheck {
  /// The command whose help an error names.
  let title: String

  /// Checks one text.
  ///
  /// - Parameters:
  ///   - text: The text behind the option.
  ///   - kind: What the option takes.
  ///   - subject: How an error calls the option.
  /// - Returns: The value.
  /// - Throws: `UsageError` when the text is none of that kind.
  func value(
    _ text: String, of kind: CommandOption.Value, subject: String
  ) throws(UsageError) -> CommandInvocation.Value {
    switch kind {
    case .flag: return .set
    case .text, .command, .words: return .text(text)
    case .file, .directory, .namespace:
      guard !text.isEmpty else { throw error("\(subject) cannot be empty") }
      return .text(text)
    case .choice(let words):
      guard words.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else {
        throw UsageError(
          "\(subject) takes \(Self.list(words)), not \(PrintableText.quoted(text))",
          meant: NearestName.of(text, in: words), title: title)
      }
      return .text(text)
    case .assignment(let name):
      guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
        throw error("\(subject) takes \(name)")
      }
      return .text(text)
    case .duration:
      do {
        return .duration(try DurationText.parse(text))
      } catch {
        throw self.error("\(subject): \(error)")
      }
    case .number(let name):
      guard let number = Int(text), number >= 0, text.utf8.first != 0x2B else {
        throw error(
          "\(subject) takes a whole number (\(name)), not \(PrintableText.quoted(text))")
      }
      return .number(number)
    }
  }

  private func error(_ problem: String) -> UsageError { UsageError(problem, title: title) }

  private static func list(_ words: [String]) -> String {
    words.count < 2
      ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
  }
}
