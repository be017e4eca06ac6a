extension CompletionScript {
  /// The script for bash 4.4 and later, which needs no bash-completion package.
  var bash: String {
    kinds + "\n" + """
      \(function)() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
        local command= valued= index first=1 operand=0
        COMPREPLY=()
        # To bash "=" is a word of its own.
        if [[ $word == = ]]; then
          word=
        elif [[ $before == = ]]; then
          before=${COMP_WORDS[COMP_CWORD - 2]}
        fi
        if ((COMP_CWORD > 1)); then
          case ${COMP_WORDS[1]} in
            \(table.commands.map(\.name).joined(separator: " | "))) command=${COMP_WORDS[1]} first=2 ;;
          esac
        fi
      \(cases(of: "$command", otherPrograms))
      \(cases(of: "\"$command $before\"", values))
      \(cases(of: "$command", valued))
        for ((index = first; index < COMP_CWORD; index++)); do
          case ${COMP_WORDS[index]} in
            --) ;;
            -*)
              [[ $valued != *" ${COMP_WORDS[index]} "* ]] || ((index += 1))
              [[ ${COMP_WORDS[index + 1]} != = ]] || ((index += 1)) ;;
            =) ;;
            *)
      \(indented(cases(of: "\"$command $operand\"", rests), by: 8))
              ((operand += 1)) ;;
          esac
        done
        if [[ $word == -* ]]; then
      \(indented(cases(of: "$command", options), by: 2))
          return
        fi
      \(cases(of: "\"$command $operand\"", operands))
      }

      complete -F \(function) \(program)

      """
  }

  private var kinds: String {
    """
    \(function)_propose() {
      local kind=$1 word=$2
      shift 2
      case $kind in
        namespace)
          mapfile -t COMPREPLY < <(compgen -W "$(\(Self.namespaces))" -- "$word") ;;
        words) mapfile -t COMPREPLY < <(compgen -W "$*" -- "$word") ;;
        command) mapfile -t COMPREPLY < <(compgen -c -- "$word") ;;
        file | directory)
          compopt -o filenames 2>/dev/null
          mapfile -t COMPREPLY < <(compgen -A "$kind" -- "$word") ;;
      esac
    }

    # Words that are another command line, from the one of a number on.
    \(function)_rest() {
      if declare -F _command_offset >/dev/null; then
        _command_offset "$1"
      else
        \(function)_propose file "${COMP_WORDS[COMP_CWORD]}"
      fi
    }

    # The words behind a command that is another program.
    \(function)_other() {
      local completion=_${1//-/_}
      COMP_WORDS=("$1" "${COMP_WORDS[@]:2}")
      ((COMP_CWORD -= 1))
      declare -F "$completion" >/dev/null || source <("$1" completions bash 2>/dev/null)
      ! declare -F "$completion" >/dev/null || "$completion"
    }

    """
  }

  /// One branch of a `case`: patterns, and what is done.
  private typealias Branch = (patterns: [String], action: String)

  private var otherPrograms: [Branch] {
    table.commands.compactMap { command in
      command.otherProgram.map { ([command.name], "\(function)_other \($0)\n      return") }
    }
  }

  private var values: [Branch] {
    all.flatMap { command in
      options(of: command).filter { $0.value != .flag }.map { option in
        let patterns = option.spellings.map { "'\(command.name) \($0)'" }
        return (patterns, proposal(option.value).map { $0 + "\n      return" } ?? "return")
      }
    }
  }

  private var valued: [Branch] {
    all.compactMap { command in
      let spellings = options(of: command).filter { $0.value != .flag }.flatMap(\.spellings)
      guard !spellings.isEmpty else { return nil }
      return ([pattern(command)], "valued=' \(spellings.joined(separator: " ")) '")
    }
  }

  private var options: [Branch] {
    all.map { command in
      let spellings = options(of: command).map { "--" + $0.name }.joined(separator: " ")
      return ([pattern(command)], "\(function)_propose words \"$word\" \(spellings)")
    }
  }

  private var rests: [Branch] {
    all.flatMap { command in
      command.operands.enumerated().filter { $0.element.count == .rest }.map { index, _ in
        (["'\(command.name) \(index)'"], "\(function)_rest \"$index\"\n      return")
      }
    }
  }

  private var operands: [Branch] {
    let commands = table.commands.map(\.name).joined(separator: " ")
    let first: Branch = (["' 0'"], "\(function)_propose words \"$word\" \(commands)")
    return (table.commands.isEmpty ? [] : [first])
      + all.flatMap { command in
        command.operands.enumerated().compactMap { index, operand in
          proposal(operand.value).map { (["'\(command.name) \(index)'"], $0) }
        }
      }
  }

  private func pattern(_ command: Command) -> String {
    command.name.isEmpty ? "''" : command.name
  }

  private func proposal(_ value: CommandOption.Value) -> String? {
    let kind: String
    switch value {
    case .flag, .text, .assignment, .duration, .number, .words: return nil
    case .namespace: kind = "namespace"
    case .file: kind = "file"
    case .directory: kind = "directory"
    case .command: kind = "command"
    case .choice(let words):
      return "\(function)_propose words \"$word\" \(words.joined(separator: " "))"
    }
    return "\(function)_propose \(kind) \"$word\""
  }

  private func cases(of subject: String, _ branches: [Branch]) -> String {
    guard !branches.isEmpty else { return "  :" }
    let lines = branches.map { patterns, action in
      "    \(patterns.joined(separator: " | ")))\n      \(action) ;;\n"
    }
    return "  case \(subject) in\n" + lines.joined() + "  esac"
  }

  private func indented(_ text: String, by count: Int) -> String {
    let margin = String(repeating: " ", count: count)
    return text.split(separator: "\n").map { margin + $0 }.joined(separator: "\n")
  }
}
