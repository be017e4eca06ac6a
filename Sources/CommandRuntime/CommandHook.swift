package import FileSupport
import SessionModel
import Synchronization

/// A command that is told of events in its environment: one run at a time, each for so long at most.
///
/// While it runs only the latest event waits, as what it was told before is out of date then.
package final class CommandHook: Sendable {
  private struct State {
    var isRunning = false
    var next: [(name: String, value: String)]?
  }

  private let command: [String]
  private let environment: Environment
  private let limit: Duration
  private let report: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// Prepares a command.
  ///
  /// - Parameters:
  ///   - command: the program and its arguments.
  ///   - environment: its environment; what speaks to the service manager is taken out.
  ///   - limit: how long a run may take before it is killed.
  ///   - report: told in one sentence, from any thread, when a run fails.
  package init(
    _ command: [String], environment: Environment, limit: Duration = .seconds(60),
    report: @escaping @Sendable (String) -> Void
  ) {
    self.command = command
    self.environment = environment.removing(ReadinessNotifier.variables)
    self.limit = limit
    self.report = report
  }

  /// Tells the command of an event, now or after the one that it is being told of.
  package func run(_ variables: [(name: String, value: String)]) {
    let isNew = state.withLock { state in
      state.next = variables
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isNew else { return }
    do throws(Errno) {
      try DedicatedThread.start("command-hook") { [self] in runAll() }
    } catch {
      state.withLock { $0 = State() }
      report("\(command.first ?? ""): no thread for it: \(error)")
    }
  }

  private func runAll() {
    while let variables = takeNext() {
      var environment = environment
      for (name, value) in variables { environment = environment.setting(name, to: value) }
      do {
        let child = try ChildProcess(command, environment: environment, output: .null)
        if try child.wait(within: limit) == nil {
          report("\(child.program): was killed: it took more than \(DurationText.format(limit))")
        }
      } catch {
        report(error.description)
      }
    }
  }

  private func takeNext() -> [(name: String, value: String)]? {
    state.withLock { state in
      defer { state.next = nil }
      state.isRunning = state.next != nil
      return state.next
    }
  }
}
