public import SessionModel
public import VaultReader

/// A scenario that is played on manual clocks, one step after the other.
///
/// ```swift
/// var playback = simulation.play(try Scenario(parsing: text))
/// while let played = try playback.next() {
///   #expect(widget.isUsable == played.state.session.isUsable, "\(played.step.text)")
/// }
/// ```
public struct ScenarioPlayback: Sendable {
  /// A step that was played, and what there is to be read after it.
  public struct PlayedStep: Sendable {
    /// The step.
    public let step: Scenario.Step
    /// What a reader that has read from the beginning makes of it.
    public let state: VaultState
  }

  private let simulation: SimulatedVault
  private let namespace: Namespace
  private let reader: TokenVault
  private var steps: ArraySlice<Scenario.Step>
  private var time = Duration.zero

  /// Takes a scenario that is at its beginning.
  init(_ scenario: Scenario, on simulation: SimulatedVault, namespace: Namespace) {
    self.simulation = simulation
    self.namespace = namespace
    reader = simulation.reader()
    steps = scenario.steps[...]
  }

  /// Moves the clocks to the next step and takes it.
  ///
  /// - Returns: what was played; nil after the last step.
  /// - Throws: `SimulationError`.
  public mutating func next() throws(SimulationError) -> PlayedStep? {
    guard let step = steps.popFirst() else { return nil }
    if step.time > time { try simulation.advance(by: step.time - time) }
    time = step.time
    try simulation.perform(step.action, namespace: namespace)
    return PlayedStep(step: step, state: reader.state(namespace: namespace.name))
  }
}

extension SimulatedVault {
  /// Plays a scenario on the manual clocks, at the pace of whoever takes its steps.
  ///
  /// - Parameters:
  ///   - scenario: the scenario.
  ///   - namespace: the namespace that it happens to.
  /// - Returns: the playback, before its first step.
  public func play(_ scenario: Scenario, namespace: Namespace = .primary) -> ScenarioPlayback {
    ScenarioPlayback(scenario, on: self, namespace: namespace)
  }

  /// Does what a step of a scenario says.
  ///
  /// - Parameters:
  ///   - action: what is done.
  ///   - speed: how much faster than written its durations pass.
  ///   - namespace: the namespace.
  /// - Throws: `SimulationError`.
  package func perform(
    _ action: Scenario.Action, speed: Int = 1, namespace: Namespace
  ) throws(SimulationError) {
    switch action {
    case .show(let state): try show(state.faster(speed), namespace: namespace)
    case .expire: break
    case .stopHost: try setHost(isRunning: false)
    case .startHost: try setHost(isRunning: true)
    }
  }
}

extension SimulatedState {
  /// The same state in a life that passes faster.
  func faster(_ speed: Int) -> SimulatedState {
    switch self {
    case .valid(let validity): .valid(for: validity / speed)
    case .expiring(let validity): .expiring(for: validity / speed)
    case .expired(let since): .expired(since: since / speed)
    case .accountChanged(let validity): .accountChanged(for: validity / speed)
    case .waiting(let patience): .waiting(for: patience / speed)
    // How far a clock was set is no time that passes.
    default: self
    }
  }
}
