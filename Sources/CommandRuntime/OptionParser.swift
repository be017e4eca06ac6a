import SessionModel

/// Reads a command line as GNU programs do: `--name=value`, `-n value`, `-nvalue`, `-ab`, `--`.
package struct OptionParser: Sendable {
  /// What a command line asks for.
  package enum Outcome: Sendable, Equatable {
    /// A command to carry out.
    case run(CommandInvocation)
    /// A text for standard output, nothing else: help, the version, or a shell's completions.
    case show(String)
  }

  /// What the program understands.
  package let table: CommandTable
  private let width: Int

  /// Makes a parser.
  ///
  /// - Parameters:
  ///   - table: What the program understands.
  ///   - width: The columns that help may use.
  package init(_ table: CommandTable, width: Int = 80) {
    self.table = table
    self.width = width
  }

  /// Reads the words behind the program's name.
  ///
  /// - Parameter words: `CommandLine.arguments` without the first.
  /// - Returns: What is asked for; a value of the wrong kind never gets this far.
  /// - Throws: `UsageError` with what is wrong and the nearest right name.
  package func parse(_ words: [String]) throws(UsageError) -> Outcome {
    guard let first = words.first else {
      guard let base = table.base else {
        throw UsageError("a command is missing", title: table.program)
      }
      return try read([], for: base)
    }
    if let command = table.commands.first(where: { $0.name == first }) {
      return try read(words.dropFirst(), for: command)
    }
    if first == "help" { return try help(for: words.dropFirst()) }
    if let base = table.base, first.hasPrefix("-") || !base.operands.isEmpty {
      return try read(words[...], for: base)
    }
    switch first {
    case "-h", "--help": return .show(HelpText(table, width: width).overview)
    case "--version": return .show(versionLine)
    default: break
    }
    if first.hasPrefix("-") {
      let name = String(first.prefix { $0 != "=" })
      throw UsageError(
        "a command has to stand before the option \(PrintableText.quoted(name))",
        title: table.program)
    }
    throw unknownCommand(first)
  }

  private var versionLine: String { table.program + " " + table.version + "\n" }

  private func unknownCommand(_ word: String) -> UsageError {
    UsageError(
      "unknown command \(PrintableText.quoted(word))",
      meant: NearestName.of(word, in: table.commands.map(\.name)), title: table.program)
  }

  private func help(for words: ArraySlice<String>) throws(UsageError) -> Outcome {
    let text = HelpText(table, width: width)
    guard let name = words.first, !name.hasPrefix("-") else { return .show(text.overview) }
    guard let command = table.commands.first(where: { $0.name == name }) else {
      throw unknownCommand(name)
    }
    return .show(text.page(of: command))
  }

  private func read(
    _ words: ArraySlice<String>, for command: Command
  ) throws(UsageError) -> Outcome {
    var reader = OptionReader(
      command: command, title: table.title(of: command), words: words, isBase: command.name.isEmpty)
    switch try reader.read() {
    case .invocation(let invocation) where command == .completions:
      let shell = invocation.operands.first.flatMap { CompletionScript.Shell(rawValue: $0) }
      return .show(CompletionScript(table).text(for: shell ?? .bash))
    case .invocation(let invocation): return .run(invocation)
    case .version: return .show(versionLine)
    case .help:
      let text = HelpText(table, width: width)
      return .show(command.name.isEmpty ? text.overview : text.page(of: command))
    }
  }
}
