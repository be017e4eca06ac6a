import CommandRuntime
import FileSupport
import Glibc
import SessionModel
import SnapshotTesting
import StrictJSON

/// One command line of `tokenvault simulate`, understood and about to be carried out.
struct SimulateCommand {
  /// The command line.
  let invocation: CommandInvocation

  init(_ invocation: CommandInvocation) {
    self.invocation = invocation
  }

  /// Carries the command out.
  ///
  /// - Returns: the code that the program ends with.
  /// - Throws: `CommandFailure`.
  func run() throws(CommandFailure) -> ExitCode {
    switch invocation.command {
    case "list": list()
    case "set": try set()
    case "show": CommandOutput.simulator.write(try scenario().text)
    case "run": return try runWidget()
    default: throw usage("unknown command")
    }
    return .done
  }

  private var library: ScenarioLibrary {
    ScenarioLibrary(besides: readSystemLink("/proc/self/exe") ?? CommandLine.arguments[0])
  }

  private func list() {
    let catalogue = SimulationCatalogue(library)
    CommandOutput.simulator.write(
      invocation.has(SimulateCommands.json)
        ? catalogue.json.line : catalogue.text(on: CommandOutput.simulator.terminal))
  }

  private func scenario() throws(CommandFailure) -> (text: String, Scenario) {
    do {
      return try library.scenario(invocation.operands[0])
    } catch {
      throw CommandFailure(error.description, .usage)
    }
  }

  private func runWidget() throws(CommandFailure) -> ExitCode {
    let trial = WidgetTrial(
      try scenario().1, command: Array(invocation.operands.dropFirst()), speed: try speed(),
      namespace: try namespace(), accessGroup: try accessGroup(), limits: limits())
    let expectations = try trial.scenario.expectations + expectations()
    let report = TrialReport(trial, on: CommandOutput.simulator.terminal)
    let isJSON = invocation.has(SimulateCommands.json)
    let signals = try signals()
    let record: TrialRecord
    if !isJSON { CommandOutput.simulator.write(report.heading(invocation.operands[0])) }
    do throws(WidgetTrial.Failure) {
      record = try trial.run(environment: .process, interruption: signals.rawDescriptor) {
        (event) throws(WidgetTrial.Failure) in
        guard !isJSON else { return }
        do throws(Errno) {
          try StandardStream.output.write(report.line(event))
        } catch {
          throw .output(error)
        }
      }
    } catch {
      throw failure(error, signals)
    }
    let judge = TrialJudge(
      record, limits: trial.limits, expectations: expectations, speed: trial.speed)
    let verdicts = judge.verdicts
    // Whoever reads the status must not take it for the verdict of a run that was not told.
    try CommandOutput.simulator.deliver(
      isJSON
        ? report.json(invocation.operands[0], record, verdicts).line : report.text(verdicts))
    return verdicts.contains { $0.breach != nil } ? .ruleBroken : .done
  }

  private func failure(
    _ error: WidgetTrial.Failure, _ signals: SignalMonitor
  ) -> CommandFailure {
    switch error {
    case .simulation(let cause): return CommandFailure(cause)
    case .program(let cause): return CommandFailure(cause.description, cause.exitCode)
    case .system(let call, let number): return CommandFailure("\(call): \(number)", .storage)
    case .output(let number): return CommandFailure(unwritten: number)
    case .flood:
      return CommandFailure(
        "the widget prints without end, more than \(WidgetTrial.outputLimit >> 20) MiB",
        .ruleBroken)
    case .interrupted:
      // Everything is put away: what is left of it ends as it would have.
      let number = signals.next()?.number ?? SIGINT
      signal(number, SIG_DFL)
      raise(number)
      return CommandFailure("interrupted", .temporary)
    }
  }
}

extension CommandFailure {
  /// The failure of a simulation.
  init(_ error: SimulationError) {
    let code: ExitCode =
      switch error {
      case .storage, .notSimulated: .storage
      case .inUse: .temporary
      case .privilege: .permission
      case .unsuitable: .usage
      }
    self.init(error.description, code)
  }
}
