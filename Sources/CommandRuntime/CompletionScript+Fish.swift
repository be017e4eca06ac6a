extension CompletionScript {
  /// The script for fish 3 and later.
  var fish: String {
    functions + line("-f")
      + table.commands.map {
        line("-n '\(isAlone)' -a \($0.name) -d \($0.summary.singleQuoted)")
      }.joined()
      + all.map { command in
        let names = command.name.isEmpty ? table.commands.map(\.name) : [command.name]
        let condition =
          (command.name.isEmpty ? "not " : "")
          + "\(function)_command \(names.joined(separator: " "))"
        return lines(of: command, condition)
      }.joined()
  }

  private var isAlone: String { "test (count (commandline -opc)) -eq 1" }

  private var functions: String {
    """
    function \(function)_namespaces
      \(Self.namespaces)
    end

    function \(function)_command
      set -l words (commandline -opc)
      test (count $words) -gt 1; and contains -- $words[2] $argv
    end

    # Words that are another command line, behind the options of this one that take a value.
    function \(function)_rest
      set -l words (commandline -opc)[3..-1]
      while string match -q -- '-*' $words[1]
        if contains -- $words[1] $argv
          set -e words[1]
        end
        set -e words[1]
      end
      complete -C "$words "(commandline -ct)
    end

    # The words behind a command that is another program.
    function \(function)_other
      set -l words (commandline -opc)[3..-1]
      complete -C "$argv $words "(commandline -ct)
    end


    """
  }

  private func lines(of command: Command, _ condition: String) -> String {
    if let other = command.otherProgram {
      return line("-n '\(condition)' -x -a '(\(function)_other \(other))'")
    }
    let options = options(of: command)
    let named = options.map { option in
      let letter = option.letter.map { "-s \($0) " } ?? ""
      return line(
        "-n '\(condition)' \(letter)-l \(option.name)\(proposal(option.value))"
          + " -d \(option.help.singleQuoted)")
    }
    let valued = options.filter { $0.value != .flag }.flatMap(\.spellings)
    let operands = command.operands.compactMap { operand -> String? in
      if operand.count == .rest {
        let rest = "\(function)_rest \(valued.joined(separator: " "))"
        return line("-n '\(condition)' -x -a '(\(rest))'")
      }
      let proposal = proposal(operand.value)
      return proposal.contains(" -a ") || proposal.contains("-F")
        ? line("-n '\(condition)'\(proposal)") : nil
    }
    return named.joined() + operands.joined()
  }

  private func proposal(_ value: CommandOption.Value) -> String {
    switch value {
    case .flag: ""
    case .text, .assignment, .duration, .number, .words: " -x"
    case .choice(let words): " -x -a '\(words.joined(separator: " "))'"
    case .file: " -r -F"
    case .directory: " -x -a '(__fish_complete_directories)'"
    case .namespace: " -x -a '(\(function)_namespaces)'"
    case .command: " -x -a '(__fish_complete_command)'"
    }
  }

  private func line(_ words: String) -> String { "complete -c \(program) \(words)\n" }
}
