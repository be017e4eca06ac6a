/// One command of a program, as data.
package struct Command: Sendable, Equatable {
  /// A word that stands without an option's name.
  package struct Operand: Sendable, Equatable {
    /// How many words an operand takes.
    package enum Count: Sendable, Equatable {
      /// Exactly one.
      case one
      /// None or one.
      case optional
      /// Everything from the first word that is no option to the end, options included.
      case rest
    }

    /// The name in help, in capitals.
    package let name: String
    /// What the word is, for checks: never `flag`.
    package let value: CommandOption.Value
    /// How many words it takes.
    package let count: Count

    /// Makes an operand.
    ///
    /// - Parameters:
    ///   - name: The name in help, in capitals.
    ///   - value: What the word is, for checks.
    ///   - count: How many words it takes; `rest` stands last.
    package init(_ name: String, value: CommandOption.Value, count: Count = .one) {
      self.name = name
      self.value = value
      self.count = count
    }

    /// The operand as a usage line shows it.
    package var synopsis: String {
      switch count {
      case .one: name
      case .optional: "[\(name)]"
      case .rest: "[--] \(name)..."
      }
    }
  }

  /// The name on the command line; empty for what a program does without a command.
  package let name: String
  /// What it does: one sentence without a full stop.
  package let summary: String
  /// What else help says, in paragraphs.
  package let details: [String]
  /// Its operands, in order.
  package let operands: [Operand]
  /// Its options, in the order of help; `--help` is added by itself.
  package let options: [CommandOption]

  /// Makes a command.
  ///
  /// - Parameters:
  ///   - name: The name on the command line; empty for what a program does without a command.
  ///   - summary: What it does: one sentence without a full stop.
  ///   - details: What else help says, in paragraphs.
  ///   - operands: Its operands, in order.
  ///   - options: Its options, in the order of help.
  package init(
    _ name: String, summary: String, details: [String] = [], operands: [Operand] = [],
    options: [CommandOption] = []
  ) {
    self.name = name
    self.summary = summary
    self.details = details
    self.operands = operands
    self.options = options
  }
}

/// Everything that a program understands on its command line.
package struct CommandTable: Sendable, Equatable {
  /// The version of the project, which all its programs share.
  package static let projectVersion = "0.1.0"

  /// The program's name.
  package let program: String
  /// What the program is: one sentence without a full stop.
  package let summary: String
  /// What `--version` prints behind the name.
  package let version: String
  /// What the program does without a command, or nil when it needs one.
  package let base: Command?
  /// The commands, in the order of help.
  package let commands: [Command]
  /// The last paragraphs of the program's help.
  package let closing: [String]

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - program: The program's name.
  ///   - summary: What the program is: one sentence without a full stop.
  ///   - version: What `--version` prints behind the name.
  ///   - base: What the program does without a command, or nil when it needs one.
  ///   - commands: The commands, in the order of help.
  ///   - closing: The last paragraphs of the program's help.
  package init(
    program: String, summary: String, version: String, base: Command? = nil,
    commands: [Command] = [], closing: [String] = []
  ) {
    self.program = program
    self.summary = summary
    self.version = version
    self.base = base
    self.commands = commands
    self.closing = closing
  }

  /// How help and errors call a command: `tokenvault token`.
  ///
  /// - Parameter command: One of the table's commands, or `base`.
  /// - Returns: The program's name and the command's.
  package func title(of command: Command) -> String {
    command.name.isEmpty ? program : program + " " + command.name
  }
}
