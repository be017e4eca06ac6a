package import FileSupport
import Glibc
import SessionModel
import Synchronization

/// A command that is told of events in its environment: one run at a time, each for so long at most.
///
/// While it runs only the latest event waits, as what it was told before is out of date then.
package final class CommandHook: Sendable {
  private struct State {
    var isRunning = false
    var hasEnded = false
    // Until it is waited for, so that its number is nobody else's.
    var child: ChildProcess?
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
      guard !state.hasEnded else { return false }
      state.next = variables
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isNew else { return }
    do throws(Errno) {
      try DedicatedThread.start("command-hook") { [self] in runAll() }
    } catch {
      state.withLock { ($0.isRunning, $0.next) = (false, nil) }
      report("\(command.first ?? ""): no thread for it: \(error)")
    }
  }

  /// Ends the run that is under way, and begins none any more.
  ///
  /// Its process group gets SIGTERM, and SIGKILL where any of it has not ended then.
  ///
  /// - Parameter grace: how long it has for that, and how long this takes at most.
  package func end(within grace: Duration = .milliseconds(250)) {
    let child = state.withLock { state in
      state.hasEnded = true
      state.next = nil
      state.child?.send(SIGTERM)
      return state.child
    }
    guard let child else { return }
    let deadline = Deadline(after: grace)
    // A shell that has ended may leave behind what it has started, and no descriptor tells of that.
    while child.send(0) {
      guard deadline.rest > .zero else {
        child.send(SIGKILL)
        return
      }
      _ = try? waitForInput(-1, timeout: .milliseconds(5))
    }
  }

  private func runAll() {
    while let variables = takeNext() {
      var environment = environment
      for (name, value) in variables { environment = environment.setting(name, to: value) }
      do {
        try run(in: environment)
      } catch {
        report(error.description)
      }
    }
  }

  private func run(in environment: Environment) throws(ChildProcessError) {
    // It is begun and forgotten behind the lock, so that an end never misses it.
    let child = try state.withLock { state throws(ChildProcessError) in
      guard !state.hasEnded else { return nil as ChildProcess? }
      state.child = try ChildProcess(command, environment: environment, output: .null)
      return state.child
    }
    guard let child else { return }
    defer {
      state.withLock { state in
        _ = try? child.wait()
        state.child = nil
      }
    }
    if try !child.reachEnd(within: limit) {
      report("\(child.program): was killed: it took more than \(DurationText.format(limit))")
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
