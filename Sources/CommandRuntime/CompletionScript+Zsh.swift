extension CompletionScript {
  /// The script for zsh 5, to be found in `$fpath` or sourced behind compinit.
  var zsh: String {
    let commands = table.commands.map { command in
      "        \("\(escaped(command.name)):\(command.summary)".singleQuoted)\n"
    }
    let branches = table.commands.map { "        \($0.name))\n\(arguments(of: $0)) ;;\n" }
    return """
      \(function)_namespaces() {
        local -a names=(${(f)"$(\(Self.namespaces))"})
        compadd -a names
      }

      \(function)() {
        local context state state_descr line
        typeset -A opt_args
        _arguments -s -S -C \\
      \(options(all[0]))    '1:command:->command' '*::word:->words'
        case $state in
          command)
            local -a commands=(
      \(commands.joined())      )
            _describe command commands ;;
          words)
            case $words[1] in
      \(branches.joined())      esac ;;
        esac
      }

      if [ "$funcstack[1]" = \(function) ]; then
        \(function) "$@"
      else
        compdef \(function) \(program)
      fi

      """
  }

  private func arguments(of command: Command) -> String {
    if let other = command.otherProgram {
      return "          words[1]=\(other)\n          _normal"
    }
    let operands = command.operands.enumerated().map { index, operand in
      if operand.count == .rest { return "'(-)*::\(operand.name):_normal'" }
      let colon = operand.count == .optional ? "::" : ":"
      return "'\(index + 1)\(colon)\(operand.name):\(action(operand.value))'"
    }
    return "          _arguments -s -S \\\n"
      + (options(command) + "    " + operands.joined(separator: " "))
      .split(separator: "\n").map { "        " + $0 }.joined(separator: "\n")
      .trimmedEnd
  }

  private func options(_ command: Command) -> String {
    options(of: command).map { option in
      let repeats = option.isRepeatable ? "*" : "(\(option.spellings.joined(separator: " ")))"
      let isFlag = option.value == .flag
      var spellings = ["--" + option.name + (isFlag ? "" : "=")]
      if let letter = option.letter { spellings.append("-\(letter)" + (isFlag ? "" : "+")) }
      let names =
        spellings.count == 1 ? spellings[0] : "'{\(spellings.joined(separator: ","))}'"
      let value = option.valueName.map { ":\(escaped($0)):\(action(option.value))" } ?? ""
      return "    '\(repeats)\(names)[\(escaped(option.help))]\(value)' \\\n"
    }.joined()
  }

  private func action(_ value: CommandOption.Value) -> String {
    switch value {
    case .flag, .text, .assignment, .duration, .number, .words: " "
    case .choice(let words): "(\(words.joined(separator: " ")))"
    case .file: "_files"
    case .directory: "_files -/"
    case .namespace: "\(function)_namespaces"
    case .command: "_command_names -e"
    }
  }

  /// A text inside of an argument's specification, in single quotes.
  private func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "[", "]", ":", "\\": result += "\\\(character)"
      case "'": result += "'\\''"
      default: result.append(character)
      }
    }
    return result
  }
}

extension String {
  fileprivate var trimmedEnd: String {
    var text = self
    while let last = text.last, last == " " || last == "\\" || last == "\n" { text.removeLast() }
    return text
  }
}
