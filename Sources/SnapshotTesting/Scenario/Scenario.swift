/// What happens to a snapshot over time, as a text says it.
///
/// ```
/// title The host is offline until after the token has ended
/// at 0s  valid for 20s        # a state, as `tokenvault simulate list` names them
/// at 5s  offline
/// at 20s expire               # nothing is published: the token ends by itself
/// at 30s renew for 60s
/// at 40s end
/// expect 21s..29s no text "simulated-token"
/// ```
///
/// Besides the states there are `renew` and `sign-in`, which are `valid`, `sign-out`, which is
/// `signed-out`, `expire`, `stop-host`, `start-host` and `end`. Durations are written as everywhere:
/// `500ms`, `2m30s`. What stands behind `#` is a comment.
public struct Scenario: Sendable, Hashable {
  /// What it is about, one sentence; empty when the text has no `title`.
  public let title: String
  /// What happens, in the order of time.
  public let steps: [Step]
  /// When it is over: at `end`, or ten seconds after the last step.
  public let length: Duration
  /// What a widget's output has to hold, and must not hold, over and above the rules.
  package let expectations: [Expectation]

  /// One thing that happens.
  public struct Step: Sendable, Hashable {
    /// When it happens, from the beginning.
    public let time: Duration
    /// What happens, in the words of the text.
    public let text: String
    /// The line of the text.
    public let line: Int
    /// What is done.
    package let action: Action
  }

  /// What is done at a step.
  package enum Action: Sendable, Hashable {
    /// A namespace is put into a state.
    case show(SimulatedState)
    /// Nothing: the token that was published ends just now.
    case expire
    /// The host ends, and publishes nothing.
    case stopHost
    /// A host starts, and publishes nothing.
    case startHost
  }

  /// A text that an output has to hold, or must not hold, for a while.
  package struct Expectation: Sendable, Hashable {
    /// From when.
    package let from: Duration
    /// Until when.
    package let until: Duration
    /// The text; upper and lower case are one.
    package let text: String
    /// Whether it must not be there.
    package let isForbidden: Bool
    /// The line of the scenario, or nil for one of the command line.
    package let line: Int?
  }

  /// Reads a scenario.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - name: how errors call it, the path of its file as a rule.
  /// - Throws: `ScenarioError` with the line and with what is allowed there.
  public init(parsing text: String, named name: String = "scenario") throws(ScenarioError) {
    var parser = ScenarioParser(name: name)
    try parser.read(text)
    self = try parser.finish()
  }

  init(title: String, steps: [Step], length: Duration, expectations: [Expectation]) {
    self.title = title
    self.steps = steps
    self.length = length
    self.expectations = expectations
  }
}

/// Why a text is no scenario.
public struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What the text is called.
  public let name: String
  /// The line, from 1; 0 for the text as a whole.
  public let line: Int
  /// What is wrong and what is allowed.
  public let problem: String

  /// `name:line: what is wrong and what is allowed`.
  public var description: String {
    line > 0 ? "\(name):\(line): \(problem)" : "\(name): \(problem)"
  }
}
