/// A command line that was understood: the command, its options' values and its operands.
package struct CommandInvocation: Sendable, Equatable {
  /// The value of one option.
  package enum Value: Sendable, Equatable {
    /// The option is a flag.
    case set
    /// A text, a word of a choice, a path or a namespace.
    case text(String)
    /// A duration.
    case duration(Duration)
    /// A whole number.
    case number(Int)
  }

  /// The command's name, empty for what the program does without a command.
  package let command: String
  /// The operands, in the order of the command line.
  package let operands: [String]
  private let values: [(option: String, value: Value)]

  /// Makes an invocation.
  ///
  /// - Parameters:
  ///   - command: The command's name.
  ///   - values: The options that were given, in the order of the command line.
  ///   - operands: The operands.
  package init(command: String, values: [(option: String, value: Value)], operands: [String]) {
    self.command = command
    self.values = values
    self.operands = operands
  }

  /// Whether two command lines say the same in the same order.
  package static func == (left: Self, right: Self) -> Bool {
    left.command == right.command && left.operands == right.operands
      && left.values.elementsEqual(right.values) { $0.option == $1.option && $0.value == $1.value }
  }

  /// Whether an option was given.
  ///
  /// - Parameter option: An option of the command.
  /// - Returns: Whether it stands on the command line at least once.
  package func has(_ option: CommandOption) -> Bool {
    values.contains { $0.option == option.name }
  }

  /// The text of an option; the last one wins.
  ///
  /// - Parameter option: An option with a text, a choice, a path or a namespace.
  /// - Returns: The text, or nil when the option was not given.
  package func text(_ option: CommandOption) -> String? {
    texts(option).last
  }

  /// All texts of an option that may be repeated.
  ///
  /// - Parameter option: An option with a text, a choice, a path or a namespace.
  /// - Returns: The texts, in the order of the command line.
  package func texts(_ option: CommandOption) -> [String] {
    values.compactMap {
      guard $0.option == option.name, case .text(let text) = $0.value else { return nil }
      return text
    }
  }

  /// The names and values of an option that takes `K=V`.
  ///
  /// - Parameter option: An option with an assignment.
  /// - Returns: What stands before and behind the first `=`, in the order of the command line.
  package func assignments(_ option: CommandOption) -> [(name: String, value: String)] {
    texts(option).map { text in
      let name = text.prefix { $0 != "=" }
      return (String(name), String(text.dropFirst(name.count + 1)))
    }
  }

  /// The duration of an option; the last one wins.
  ///
  /// - Parameter option: An option with a duration.
  /// - Returns: The duration, or nil when the option was not given.
  package func duration(_ option: CommandOption) -> Duration? {
    for case (option.name, .duration(let duration)) in values.reversed() { return duration }
    return nil
  }

  /// The number of an option; the last one wins.
  ///
  /// - Parameter option: An option with a number.
  /// - Returns: The number, or nil when the option was not given.
  package func number(_ option: CommandOption) -> Int? {
    for case (option.name, .number(let number)) in values.reversed() { return number }
    return nil
  }
}
