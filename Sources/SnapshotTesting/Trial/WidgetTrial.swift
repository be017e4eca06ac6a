package import CommandRuntime
package import FileSupport
import Glibc
package import SessionModel
import VaultReader

/// Plays a scenario beside a widget's process, and records what the widget does.
package struct WidgetTrial: Sendable {
  /// Something that happens during a run, for whoever shows it.
  package enum Event: Sendable {
    /// A step was taken.
    case step(TrialRecord.TakenStep)
    /// A correct reader sees something else now.
    case sight(TrialRecord.Sight)
    /// The widget printed a line.
    case line(TrialRecord.Line)
  }

  /// Why a run came to nothing.
  package enum Failure: Error, Sendable {
    /// The snapshot could not be made.
    case simulation(SimulationError)
    /// The widget could not be started.
    case program(ChildProcessError)
    /// A system call failed.
    case system(call: String, Errno)
    /// What happens could not be shown.
    case output(Errno)
    /// The widget printed more than is kept.
    case flood
    /// Somebody interrupted it.
    case interrupted
  }

  /// Takes what happens, as it happens; what it throws ends the run.
  package typealias Listener = (Event) throws(Failure) -> Void

  /// How much of a widget's output is kept, a little for each of its lines included.
  package static let outputLimit = 16 << 20
  private static let lineCost = 64

  /// What happens.
  package let scenario: Scenario
  /// The widget and its arguments.
  package let command: [String]
  /// How much faster than written everything happens.
  package let speed: Int
  /// Where it happens.
  package let namespace: Namespace
  /// For whom.
  package let accessGroup: AccessGroup
  /// How much is allowed, of which the end of the widget matters here.
  package let limits: TrialLimits

  /// Takes what there is to do.
  package init(
    _ scenario: Scenario, command: [String], speed: Int = 1, namespace: Namespace = .primary,
    accessGroup: AccessGroup = .default, limits: TrialLimits = TrialLimits()
  ) {
    self.scenario = scenario
    self.command = command
    self.speed = speed
    self.namespace = namespace
    self.accessGroup = accessGroup
    self.limits = limits
  }

  /// Runs the widget from the beginning of the scenario to its end.
  ///
  /// However it ends, the widget's process group is ended and waited for, and the directory is gone.
  /// - Parameters:
  ///   - environment: what the widget's environment is besides the simulation's variables.
  ///   - interruption: a descriptor that becomes readable when the run is to be given up.
  ///   - onEvent: takes what happens, as it happens.
  /// - Returns: the record.
  /// - Throws: `Failure`.
  package func run(
    environment: Environment, interruption: Int32 = -1, _ onEvent: Listener
  ) throws(Failure) -> TrialRecord {
    let issuer = try Self.issuer()
    let simulation: SimulatedVault
    do {
      simulation = try SimulatedVault(
        accessGroup: accessGroup, time: .system, issuer: issuer.origin)
    } catch {
      throw .simulation(error)
    }
    try take(scenario.steps.prefix { $0.time == .zero }, simulation)
    let variables = simulation.environment.sorted { $0.key < $1.key }
    var widget = try WidgetProcess(
      command, environment: variables.reduce(environment) { $0.setting($1.key, to: $1.value) })
    var record = TrialRecord()
    var failure: Failure?
    do throws(Failure) {
      try awaitFirstLine(&record, &widget, issuer, interruption, onEvent)
      if record.earlyEnd == nil {
        var timeline = TrialTimeline(self, simulation, record)
        widget.clock = timeline.clock
        try follow(&timeline, &widget, issuer, interruption, onEvent)
        record = timeline.settledRecord
      }
    } catch {
      failure = error
    }
    record.timeToEnd = widget.end(within: limits.ending)
    record.processorTime = widget.processorTime
    if let failure { throw failure }
    return record
  }

  private func take(
    _ steps: ArraySlice<Scenario.Step>, _ simulation: SimulatedVault
  ) throws(Failure) {
    do {
      for step in steps {
        try simulation.perform(step.action, speed: speed, namespace: namespace)
      }
    } catch {
      throw .simulation(error)
    }
  }

  private static func issuer() throws(Failure) -> IssuerListener {
    do {
      return try IssuerListener()
    } catch {
      throw .simulation(error)
    }
  }

  /// Goes on until the widget shows something, so that its start takes nothing from the scenario.
  private func awaitFirstLine(
    _ record: inout TrialRecord, _ widget: inout WidgetProcess,
    _ issuer: borrowing IssuerListener, _ interruption: Int32, _ onEvent: Listener
  ) throws(Failure) {
    while !record.lines.contains(where: { !$0.isBlank }) {
      let rest = limits.blank - widget.clock.elapsed
      guard rest > .zero else {
        record.isSilentAtStart = true
        return
      }
      let ready = try wait(for: widget, issuer, interruption, timeout: min(rest, widget.patience))
      if !ready[3].isEmpty {
        record.connections += Array(repeating: .zero, count: issuer.turnAway())
      }
      for line in widget.read(ready) {
        try keep(
          TrialRecord.Line(at: .zero, isError: line.isError, text: line.text), &record, onEvent)
      }
      if let end = widget.earlyEnd(ready) {
        record.earlyEnd = TrialRecord.End(at: .zero, words: end.words)
        return
      }
    }
  }

  /// Goes on until the scenario is over, or until the widget has ended.
  private func follow(
    _ timeline: inout TrialTimeline, _ widget: inout WidgetProcess,
    _ issuer: borrowing IssuerListener, _ interruption: Int32, _ onEvent: Listener
  ) throws(Failure) {
    while timeline.clock.elapsed < timeline.length {
      try timeline.takeDueSteps(onEvent)
      let ready = try wait(
        for: widget, issuer, interruption, timeout: min(timeline.timeToNext, widget.patience))
      if !ready[3].isEmpty {
        let moment = timeline.clock.elapsed
        timeline.record.connections += Array(repeating: moment, count: issuer.turnAway())
      }
      for line in widget.read(ready) { try keep(line, &timeline.record, onEvent) }
      if let end = widget.earlyEnd(ready) {
        timeline.record.earlyEnd = end
        timeline.record.length = end.at
        return
      }
    }
    timeline.record.length = timeline.length
  }

  private func keep(
    _ line: TrialRecord.Line, _ record: inout TrialRecord, _ onEvent: Listener
  ) throws(Failure) {
    record.lines.append(line)
    record.outputCost += line.text.utf8.count + Self.lineCost
    guard record.outputCost <= Self.outputLimit else { throw .flood }
    try onEvent(.line(line))
  }

  /// Waits for the widget, for somebody at the issuer, or for the end of the time.
  private func wait(
    for widget: borrowing WidgetProcess, _ issuer: borrowing IssuerListener, _ interruption: Int32,
    timeout: Duration
  ) throws(Failure) -> [Readiness] {
    let ready: [Readiness]
    do {
      ready = try waitForInput(
        widget.descriptors + [issuer.rawDescriptor, interruption], timeout: timeout)
    } catch {
      throw .system(call: "poll", error)
    }
    guard ready[4].isEmpty else { throw .interrupted }
    return ready
  }
}

/// How long a run takes so far.
struct TrialClock: Sendable {
  /// When it began, on the boot clock.
  let began = Duration.nanoseconds(Int64(clamping: bootClockNanoseconds()))

  /// The time since then.
  var elapsed: Duration { .nanoseconds(Int64(clamping: bootClockNanoseconds())) - began }
}
