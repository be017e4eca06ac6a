import SessionModel

/// Gives each token of a scenario the end that the scenario says, be it by `expire` later on.
struct TokenLifetimes {
  /// How errors call the scenario.
  let name: String

  /// Settles when tokens end.
  ///
  /// - Parameters:
  ///   - steps: the steps as they were written.
  ///   - length: when the scenario is over.
  /// - Returns: the steps, each new token with a lifetime that ends at its `expire`.
  /// - Throws: `ScenarioError` for an `expire` that no token fits.
  func settle(
    _ steps: [Scenario.Step], length: Duration
  ) throws(ScenarioError) -> [Scenario.Step] {
    var settled = steps
    var issue: Int?
    for (index, step) in steps.enumerated() {
      switch step.action {
      case .show(let state):
        switch state {
        case .valid, .accountChanged, .expiring: issue = index
        case .expired, .expiryUnknown, .signedOut, .reauthenticationRequired, .absent: issue = nil
        default: break
        }
      case .expire:
        guard let beginning = issue else {
          throw ScenarioError(
            name: name, line: step.line,
            problem: "no token ends here; one begins with: valid, renew, sign-in or account-changed"
          )
        }
        settled[beginning] = try ending(settled[beginning], at: step)
        issue = nil
      case .stopHost, .startHost: break
      }
    }
    return settled
  }

  private func ending(
    _ step: Scenario.Step, at end: Scenario.Step
  ) throws(ScenarioError) -> Scenario.Step {
    let lifetime = end.time - step.time
    guard lifetime > .zero else {
      throw ScenarioError(
        name: name, line: end.line, problem: "the token has only begun in line \(step.line)")
    }
    let state: SimulatedState
    var named: Duration?
    switch step.action {
    case .show(.accountChanged(let validity)):
      (state, named) = (.accountChanged(for: lifetime), validity)
    case .show(.expiring(let validity)): (state, named) = (.expiring(for: lifetime), validity)
    case .show(.valid(let validity)): (state, named) = (.valid(for: lifetime), validity)
    default: return step
    }
    if step.text.contains(" for "), let named, named != lifetime {
      throw ScenarioError(
        name: name, line: end.line,
        problem: "the token of line \(step.line) ends at \(DurationText.format(step.time + named));"
          + " leave \"for\" out there, or expire it then")
    }
    return Scenario.Step(
      time: step.time, text: step.text, line: step.line, action: .show(state))
  }
}
