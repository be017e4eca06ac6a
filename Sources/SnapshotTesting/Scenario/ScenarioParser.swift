import SessionModel

/// Reads the lines of a scenario one after the other.
struct ScenarioParser {
  private let name: String
  private var line = 0
  private var title = ""
  private var steps: [Scenario.Step] = []
  private var end: Duration?
  private var expectations: [Scenario.Expectation] = []

  private static let actions = [
    "renew", "sign-in", "sign-out", "expire", "stop-host", "start-host", "end",
  ]
  private static let tail = Duration.seconds(10)

  /// Takes the name that errors bear.
  init(name: String) { self.name = name }

  /// Reads all lines.
  ///
  /// - Throws: `ScenarioError` at the first line that is wrong.
  mutating func read(_ text: String) throws(ScenarioError) {
    // A carriage return and a line feed are one character.
    for raw in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      line += 1
      let words = try words(of: raw)
      guard let first = words.first else { continue }
      switch first {
      case "title":
        guard words.count > 1 else { throw error("behind \"title\" stands one sentence") }
        title = words.dropFirst().joined(separator: " ")
      case "at": try readStep(Array(words.dropFirst()))
      case "expect":
        do {
          expectations.append(
            try Scenario.Expectation(words: Array(words.dropFirst()), line: line))
        } catch {
          throw self.error(error.description)
        }
      default:
        throw error(
          "a line begins with \"title\", \"at\", \"expect\" or \"#\", not with"
            + " \(PrintableText.quoted(first))")
      }
    }
  }

  /// Looks at the whole.
  ///
  /// - Returns: the scenario.
  /// - Throws: `ScenarioError`.
  func finish() throws(ScenarioError) -> Scenario {
    guard let last = steps.last else {
      throw ScenarioError(
        name: name, line: 0, problem: "nothing happens in it; write lines like: at 3s offline")
    }
    let length = end ?? last.time + Self.tail
    for expectation in expectations where expectation.until > length {
      throw ScenarioError(
        name: name, line: expectation.line ?? 0,
        problem: "the scenario is over at \(DurationText.format(length))")
    }
    return Scenario(
      title: title, steps: try TokenLifetimes(name: name).settle(steps, length: length),
      length: length, expectations: expectations)
  }

  private mutating func readStep(_ words: [String]) throws(ScenarioError) {
    guard words.count > 1 else { throw error("write a step like: at 3s offline") }
    let time: Duration
    do {
      time = try DurationText.parse(words[0])
    } catch {
      throw self.error(error.description)
    }
    if let last = steps.last, time < last.time {
      throw error(
        "steps stand in the order of time, and the one before is at"
          + " \(DurationText.format(last.time))")
    }
    if let end { throw error("the scenario is over at \(DurationText.format(end))") }
    let text = words.dropFirst().joined(separator: " ")
    guard let action = try action(Array(words.dropFirst())) else {
      end = time
      return
    }
    steps.append(Scenario.Step(time: time, text: text, line: line, action: action))
  }

  /// What words say to do; nil for the end.
  private func action(_ words: [String]) throws(ScenarioError) -> Scenario.Action? {
    let isAlone = words.count == 1
    switch words[0] {
    case "end" where isAlone: return nil
    case "expire" where isAlone: return .expire
    case "stop-host" where isAlone: return .stopHost
    case "start-host" where isAlone: return .startHost
    case "sign-out" where isAlone: return .show(.signedOut)
    case "end", "expire", "stop-host", "start-host", "sign-out":
      throw error("\(words[0]): nothing stands behind it")
    case "renew", "sign-in": return .show(try state(["valid"] + words.dropFirst()))
    default: return .show(try state(words))
    }
  }

  private func state(_ words: [String]) throws(ScenarioError) -> SimulatedState {
    do {
      return try StateWord.state(words)
    } catch {
      guard !StateWord.all.contains(where: { $0.name == words[0] }) else {
        throw self.error(error.description)
      }
      throw self.error(
        StateTextError(unknown: words[0], among: StateWord.all.map(\.name) + Self.actions)
          .description)
    }
  }

  /// The words of a line up to a comment; one in quotation marks is one word.
  private func words(of line: Substring) throws(ScenarioError) -> [String] {
    do {
      return try ScenarioWords.split(line)
    } catch {
      throw self.error(error.description)
    }
  }

  private func error(_ problem: String) -> ScenarioError {
    ScenarioError(name: name, line: line, problem: problem)
  }
}
