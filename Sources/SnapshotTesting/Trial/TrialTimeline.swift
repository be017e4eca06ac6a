import SessionModel
import VaultReader

/// The steps of a run and what a correct reader makes of them.
struct TrialTimeline {
  /// The time of the run.
  let clock = TrialClock()
  /// When the scenario is over.
  let length: Duration
  /// What was recorded so far.
  var record: TrialRecord
  private let trial: WidgetTrial
  private let simulation: SimulatedVault
  private let reader: TokenVault
  private var steps: ArraySlice<Scenario.Step>
  private var seen: VaultState?
  private var alarm: Duration?

  /// Takes a scenario at its beginning, and what was recorded before.
  init(_ trial: WidgetTrial, _ simulation: SimulatedVault, _ record: TrialRecord) {
    self.record = record
    self.trial = trial
    self.simulation = simulation
    reader = simulation.reader()
    steps = trial.scenario.steps[...]
    length = trial.scenario.length / trial.speed
  }

  /// Takes the steps whose time has come, and looks at what time alone has changed.
  ///
  /// - Throws: `WidgetTrial.Failure`.
  mutating func takeDueSteps(_ onEvent: WidgetTrial.Listener) throws(WidgetTrial.Failure) {
    while let step = steps.first, step.time / trial.speed <= clock.elapsed {
      steps.removeFirst()
      do throws(SimulationError) {
        try simulation.perform(step.action, speed: trial.speed, namespace: trial.namespace)
      } catch {
        throw .simulation(error)
      }
      let taken = TrialRecord.TakenStep(at: clock.elapsed, step: step)
      record.steps.append(taken)
      try onEvent(.step(taken))
      try look(onEvent)
    }
    if let alarm, alarm <= clock.elapsed { try look(onEvent) }
  }

  /// How long until there is something to do.
  var timeToNext: Duration {
    let step = steps.first.map { $0.time / trial.speed } ?? length
    return max(min(step, alarm ?? length, length) - clock.elapsed, .zero)
  }

  private mutating func look(_ onEvent: WidgetTrial.Listener) throws(WidgetTrial.Failure) {
    let state = reader.state(namespace: trial.namespace.name)
    // What time alone has changed was so when it was due, however late it is looked at.
    let elapsed = clock.elapsed
    let now = min(alarm ?? elapsed, elapsed)
    alarm = state.changesAfter.map { clock.elapsed + $0 }
    if let seen, state.saysTheSame(as: seen) { return }
    seen = state
    let sight = TrialRecord.Sight(
      at: now, condition: WidgetCondition(state.session), words: state.words)
    record.sights.append(sight)
    try onEvent(.sight(sight))
  }

  /// What was recorded, with until when each token could be shown.
  var settledRecord: TrialRecord {
    var settled = record
    settled.tokens = simulation.tokens.map { token in
      let end = token.endsAt.map { IssuedToken.Withdrawal(at: $0, cause: "its end") }
      let first = [end, token.withdrawal].compactMap(\.self).min { $0.at < $1.at }
      return TrialRecord.Token(
        number: token.number, mark: token.mark,
        end: first.map { .init(at: $0.at - clock.began, cause: $0.cause) })
    }
    return settled
  }
}
