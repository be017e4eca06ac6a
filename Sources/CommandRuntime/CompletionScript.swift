/// Writes what a shell needs to complete a program's command lines, from the command table.
package struct CompletionScript: Sendable {
  /// A shell that completions are written for.
  package enum Shell: String, Sendable, CaseIterable {
    case bash
    case zsh
    case fish
  }

  /// The namespaces that a shell proposes, one a line; their names need no quotes.
  static let namespaces =
    "tokenvault status --all --json 2>/dev/null | grep -o '\"namespace\":\"[^\"]*\"' | cut -d'\"' -f4"

  let table: CommandTable

  /// Makes the writer.
  ///
  /// - Parameter table: What the program understands.
  package init(_ table: CommandTable) {
    self.table = table
  }

  /// The whole script.
  ///
  /// - Parameter shell: Whose script it is.
  /// - Returns: Lines, each with its end.
  package func text(for shell: Shell) -> String {
    let maker = "# Made by: \(program) \(Command.completions.name) \(shell.rawValue)\n\n"
    return switch shell {
    case .bash: maker + bash
    case .zsh: "#compdef \(program)\n" + maker + zsh
    case .fish: maker + fish
    }
  }

  /// The program's file name: what is `tokenvault simulate` in help is a program by itself.
  var program: String { String(table.program.map { $0 == " " ? "-" : $0 }) }

  /// What the script's functions are called.
  var function: String { "_" + String(program.map { $0 == "-" ? "_" : $0 }) }

  /// The options of a command that may be written.
  func options(of command: Command) -> [CommandOption] {
    command.options + (command.name.isEmpty ? [.help, .version] : [.help])
  }

  /// What is done without a command, and then the commands.
  var all: [Command] {
    [table.base ?? Command("", summary: "")] + table.commands
  }
}

extension CommandOption {
  /// The option as it is written: `--namespace`, and `-n`.
  var spellings: [String] {
    ["--" + name] + (letter.map { ["-\($0)"] } ?? [])
  }
}

extension Command {
  /// The command that prints completions; `OptionParser` itself carries it out.
  package static let completions = Command(
    "completions", summary: "Prints what a shell needs to complete command lines",
    details: [
      "For one session: source <(tokenvault completions bash), source <(tokenvault completions zsh),"
        + " or tokenvault completions fish | source. Installed packages bring them along."
    ],
    operands: [.init("SHELL", value: .choice(CompletionScript.Shell.allCases.map(\.rawValue)))])

  /// Whose command line stands behind this command's name.
  var otherProgram: String? {
    if case .words(let program)? = operands.first?.value { program } else { nil }
  }
}

extension String {
  /// The text as one word of a shell, in single quotes.
  var singleQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
