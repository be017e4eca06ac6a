/// One option of a command, as data: parsing and help are made from it.
package struct CommandOption: Sendable, Equatable {
  /// What stands behind an option, or that nothing does.
  package enum Value: Sendable, Equatable {
    /// Nothing: the option is a flag.
    case flag
    /// Any text; the name is what help shows.
    case text(name: String)
    /// One of these words.
    case choice([String])
    /// A name and a value, `K=V`; the name is what help shows.
    case assignment(name: String)
    /// A duration such as `2m30s`.
    case duration
    /// A whole number, zero or more.
    case number(name: String)
    /// The path of a file.
    case file
    /// The path of a directory.
    case directory
    /// A namespace of the vault.
    case namespace
    /// A command line.
    case command
    /// What another program understands behind its name.
    case words(of: String)
  }

  /// The long name without its dashes.
  package let name: String
  /// The letter of the short form, if there is one.
  package let letter: Character?
  /// What stands behind the option.
  package let value: Value
  /// What the option does: one sentence without a full stop.
  package let help: String
  /// Whether the option may be given more than once.
  package let isRepeatable: Bool
  private let shownValue: String?

  /// Makes an option.
  ///
  /// - Parameters:
  ///   - name: The long name without its dashes.
  ///   - letter: The letter of the short form.
  ///   - value: What stands behind the option.
  ///   - shownValue: What help prints for the value, where a choice has too many words.
  ///   - isRepeatable: Whether the option may be given more than once.
  ///   - help: What the option does: one sentence without a full stop.
  package init(
    _ name: String, letter: Character? = nil, value: Value = .flag, shownValue: String? = nil,
    isRepeatable: Bool = false, help: String
  ) {
    self.name = name
    self.letter = letter
    self.value = value
    self.shownValue = shownValue
    self.isRepeatable = isRepeatable
    self.help = help
  }

  /// The option that every command has.
  package static let help = CommandOption("help", letter: "h", help: "Shows this help")
  /// The option that every program has.
  package static let version = CommandOption("version", help: "Shows the version")

  /// What help prints for the value, nil for a flag.
  package var valueName: String? {
    if let shownValue { return shownValue }
    return switch value {
    case .flag: nil
    case .text(let name), .assignment(let name), .number(let name): name
    case .choice(let words): words.joined(separator: "|")
    case .duration: "DURATION"
    case .file: "FILE"
    case .directory: "DIRECTORY"
    case .namespace: "NS"
    case .command: "CMD"
    case .words: "WORD"
    }
  }

  /// The option as help lists it: `-n, --namespace NS`.
  package var synopsis: String {
    let short = letter.map { "-\($0), " } ?? "    "
    return short + "--" + name + (valueName.map { " " + $0 } ?? "")
  }
}
