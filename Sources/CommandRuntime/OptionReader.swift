import SessionModel

/// Goes through the words of one command: the state that `OptionParser` needs while it reads.
struct OptionReader {
  /// What the words ask for.
  enum Outcome {
    /// The command itself.
    case invocation(CommandInvocation)
    /// The command's help.
    case help
    /// The program's version.
    case version
  }

  private let command: Command
  private let title: String
  private let options: [CommandOption]
  private var words: ArraySlice<String>
  private var values: [(option: String, value: CommandInvocation.Value)] = []
  private var operands: [String] = []

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - command: The command whose words are read.
  ///   - title: How errors call it.
  ///   - words: The words behind its name.
  ///   - isBase: Whether it is what the program does without a command, which knows `--version`.
  init(command: Command, title: String, words: ArraySlice<String>, isBase: Bool) {
    self.command = command
    self.title = title
    self.words = words
    options = command.options + (isBase ? [.help, .version] : [.help])
  }

  /// Reads all words.
  ///
  /// - Returns: What they ask for; `--help` wins over whatever is wrong behind it.
  /// - Throws: `UsageError` at the first word that is wrong.
  mutating func read() throws(UsageError) -> Outcome {
    let takesRest = command.operands.last?.count == .rest
    while let word = words.popFirst() {
      if word == "--" {
        operands += words
        break
      }
      if word.hasPrefix("--") {
        try readLong(word.dropFirst(2))
      } else if word.hasPrefix("-"), word != "-" {
        try readShort(word.dropFirst())
      } else {
        operands.append(word)
        if takesRest, operands.count >= command.operands.count {
          operands += words
          break
        }
      }
      if let last = values.last?.option {
        if last == CommandOption.help.name { return .help }
        if last == CommandOption.version.name, isVersion(last) { return .version }
      }
    }
    try checkOperands()
    return .invocation(
      CommandInvocation(command: command.name, values: values, operands: operands))
  }

  private func isVersion(_ name: String) -> Bool {
    options.last { $0.name == name } == .version
  }

  private mutating func readLong(_ text: Substring) throws(UsageError) {
    let name = String(text.prefix { $0 != "=" })
    guard let option = options.first(where: { $0.name == name }) else {
      let meant = NearestName.of(name, in: options.map(\.name)).map { "--" + $0 }
      throw UsageError(
        "unknown option \(PrintableText.quoted("--" + name)) of \"\(title)\"", meant: meant,
        title: title)
    }
    let value = text.count > name.count ? String(text.dropFirst(name.count + 1)) : nil
    try add(option, written: "--" + name, value: value)
  }

  private mutating func readShort(_ letters: Substring) throws(UsageError) {
    var rest = letters
    while let letter = rest.popFirst() {
      guard let option = options.first(where: { $0.letter == letter }) else {
        let known = letters.count > 1 && options.contains { $0.name == letters }
        throw UsageError(
          "unknown option \(PrintableText.quoted("-" + String(letter))) of \"\(title)\"",
          meant: known ? "--" + letters : nil, title: title)
      }
      guard option.value == .flag else {
        try add(option, written: "-\(letter)", value: rest.isEmpty ? nil : String(rest))
        return
      }
      try add(option, written: "-\(letter)", value: nil)
    }
  }

  private mutating func add(
    _ option: CommandOption, written: String, value: String?
  ) throws(UsageError) {
    if !option.isRepeatable, values.contains(where: { $0.option == option.name }) {
      throw UsageError("the option \"\(written)\" may be given once only", title: title)
    }
    if option.value == .flag {
      guard value == nil else {
        throw UsageError("the option \"\(written)\" takes no value", title: title)
      }
      values.append((option.name, .set))
      return
    }
    guard let text = value ?? words.popFirst() else {
      throw UsageError(
        "the option \"\(written)\" needs a value: \(option.valueName ?? "")", title: title)
    }
    let checked = try OptionValueCheck(title: title).value(
      text, of: option.value, subject: "the option \"\(written)\"")
    values.append((option.name, checked))
  }

  // Commands that change a namespace take its name as a word, those that read it as an option.
  private var namespaceHint: String {
    guard command.operands.isEmpty, operands.count == 1, Namespace(operands[0]) != nil,
      let option = options.first(where: { $0.value == .namespace }), let letter = option.letter
    else { return "" }
    return "; a namespace stands behind -\(letter)"
  }

  private func checkOperands() throws(UsageError) {
    let check = OptionValueCheck(title: title)
    for (operand, word) in zip(command.operands, operands) {
      _ = try check.value(word, of: operand.value, subject: operand.name)
    }
    // An optional operand may be absent; `rest` needs one word.
    let required = command.operands.filter { $0.count != .optional }
    guard operands.count >= required.count else {
      throw UsageError(
        "\(required[operands.count].name) is missing behind \"\(title)\"", title: title)
    }
    guard command.operands.last?.count != .rest, operands.count > command.operands.count else {
      return
    }
    // The words are not repeated: one of them may be a pasted secret.
    let names = command.operands.map(\.name).joined(separator: " ")
    let given = operands.count == 1 ? "a word was given" : "\(operands.count) words were given"
    throw UsageError(
      "\"\(title)\" takes \(names.isEmpty ? "options only" : names), but \(given)\(namespaceHint)",
      title: title)
  }
}
