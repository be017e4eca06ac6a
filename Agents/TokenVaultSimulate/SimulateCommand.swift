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
  /// - Throws: `SimulateFailure`.
  func run() throws(SimulateFailure) -> ExitCode {
    switch invocation.command {
    case "list": list()
    case "set": try set()
    case "show": SimulateOutput.write(try scenario().text)
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
    SimulateOutput.write(
      invocation.has(SimulateCommands.json)
        ? catalogue.json.line : catalogue.text(on: SimulateOutput.terminal))
  }

  private func scenario() throws(SimulateFailure) -> (text: String, Scenario) {
    do {
      return try library.scenario(invocation.operands[0])
    } catch {
      throw SimulateFailure(error.description, .usage)
    }
  }

  private func runWidget() throws(SimulateFailure) -> ExitCode {
    let trial = WidgetTrial(
      try scenario().1, command: Array(invocation.operands.dropFirst()), speed: try speed(),
      namespace: try namespace(), accessGroup: try accessGroup(), limits: limits())
    let expectations = try trial.scenario.expectations + expectations()
    let report = TrialReport(trial, on: SimulateOutput.terminal)
    let isJSON = invocation.has(SimulateCommands.json)
    let signals = try signals()
    let record: TrialRecord
    if !isJSON { SimulateOutput.write(report.heading(invocation.operands[0])) }
    do throws(WidgetTrial.Failure) {
      record = try trial.run(environment: .process, interruption: signals.rawDescriptor) { event in
        if !isJSON { SimulateOutput.write(report.line(event)) }
      }
    } catch {
      throw failure(error, signals)
    }
    let judge = TrialJudge(
      record, limits: trial.limits, expectations: expectations, speed: trial.speed)
    let verdicts = judge.verdicts
    SimulateOutput.write(
      isJSON
        ? report.json(invocation.operands[0], record, verdicts).line : report.text(verdicts))
    return verdicts.contains { $0.breach != nil } ? .ruleBroken : .done
  }

  private func failure(
    _ error: WidgetTrial.Failure, _ signals: SignalMonitor
  ) -> SimulateFailure {
    switch error {
    case .simulation(let cause): return SimulateFailure(cause)
    case .program(let cause): return SimulateFailure(cause.description, cause.exitCode)
    case .system(let call, let number): return SimulateFailure("\(call): \(number)", .storage)
    case .interrupted:
      // Everything is put away: what is left of it ends as it would have.
      let number = signals.next()?.number ?? SIGINT
      signal(number, SIG_DFL)
      raise(number)
      return SimulateFailure("interrupted", .temporary)
    }
  }
}

extension SimulateFailure {
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
