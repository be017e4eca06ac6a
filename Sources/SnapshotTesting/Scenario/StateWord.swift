import SessionModel

/// How a state is written, in scenarios and on the command line: `valid for 30s`, `corrupt at 40`.
package struct StateWord: Sendable {
  /// What may stand behind the word.
  enum Parameter: Sendable {
    /// A duration behind a word: `for 30s`.
    case duration(String)
    /// A number of bytes behind a word: `at 40`.
    case bytes(String)
    /// Permission bits behind a word: `to 0644`.
    case mode(String)
    /// One of these behind a word: `by overdue`.
    case choice(String, [String])
    /// A duration behind one of two words: `back 1h`, `forward 1h`.
    case direction
  }

  /// A value that stood behind the word.
  enum Argument: Sendable {
    /// A duration.
    case duration(Duration)
    /// A number.
    case number(Int)
    /// A word.
    case word(String)
  }

  /// The word.
  package let name: String
  /// What it is and what a correct widget shows, one line.
  package let meaning: String
  // It has a default in any case.
  private let parameter: Parameter?
  private let make: @Sendable (Argument?) -> SimulatedState

  /// Makes a word.
  init(
    _ name: String, _ parameter: Parameter? = nil, means meaning: String,
    make: @escaping @Sendable (Argument?) -> SimulatedState
  ) {
    self.name = name
    self.parameter = parameter
    self.meaning = meaning
    self.make = make
  }

  /// The word with what may stand behind it: `valid [for DURATION]`.
  package var synopsis: String {
    switch parameter {
    case nil: name
    case .duration(let word): "\(name) [\(word) DURATION]"
    case .bytes(let word): "\(name) [\(word) BYTES]"
    case .mode(let word): "\(name) [\(word) MODE]"
    case .choice(let word, let choices): "\(name) [\(word) \(choices.joined(separator: "|"))]"
    case .direction: "\(name) [back|forward DURATION]"
    }
  }

  /// The word with what may stand behind it, as far as there is room in a list.
  package var summary: String {
    switch parameter {
    case nil: name
    case .duration(let word): "\(name) [\(word) D]"
    case .bytes(let word): "\(name) [\(word) N]"
    case .mode(let word): "\(name) [\(word) MODE]"
    case .choice(let word, _) where name.count < 16: "\(name) [\(word) CAUSE]"
    case .choice: name
    case .direction: "\(name) [back D]"
    }
  }

  /// Reads a state.
  ///
  /// - Parameter words: the words of the state.
  /// - Returns: the state.
  /// - Throws: `StateTextError` with what is allowed.
  package static func state(_ words: [String]) throws(StateTextError) -> SimulatedState {
    guard let first = words.first else { throw StateTextError("a state is missing") }
    guard let word = all.first(where: { $0.name == first }) else {
      throw StateTextError(unknown: first, among: all.map(\.name))
    }
    guard words.count > 1 else { return word.make(nil) }
    return word.make(try word.argument(Array(words.dropFirst())))
  }

  private func argument(_ words: [String]) throws(StateTextError) -> Argument {
    let allowed = StateTextError("\(name): write it like: \(synopsis)")
    guard let parameter, words.count == 2 else { throw allowed }
    let (word, value) = (words[0], words[1])
    switch parameter {
    case .duration(let expected):
      guard word == expected else { throw allowed }
      return .duration(try Self.duration(value))
    case .direction:
      guard word == "back" || word == "forward" else { throw allowed }
      let duration = try Self.duration(value)
      return .duration(word == "back" ? .zero - duration : duration)
    case .bytes(let expected):
      guard word == expected, let number = Int(value), number >= 0 else { throw allowed }
      return .number(number)
    case .mode(let expected):
      guard word == expected, let number = Int(value, radix: 8), number >= 0 else { throw allowed }
      return .number(number)
    case .choice(let expected, let choices):
      guard word == expected else { throw allowed }
      guard choices.contains(value) else { throw StateTextError(unknown: value, among: choices) }
      return .word(value)
    }
  }

  private static func duration(_ text: String) throws(StateTextError) -> Duration {
    do {
      return try DurationText.parse(text)
    } catch {
      throw StateTextError(error.description)
    }
  }
}

/// Why words are no state: what is wrong and what is allowed, without a full stop.
package struct StateTextError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong and what is allowed.
  package let description: String

  /// Makes an error of a sentence.
  init(_ description: String) {
    self.description = description
  }

  /// A word that is none of a list.
  init(unknown word: String, among names: [String]) {
    let meant = NearestName.of(word, in: names).map { "; did you mean \"\($0)\"?" } ?? ""
    let list = names.joined(separator: ", ")
    self.init("unknown word \(PrintableText.quoted(word))\(meant) Allowed are: \(list)")
  }
}
