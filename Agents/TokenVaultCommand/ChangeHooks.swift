import CommandRuntime
import FileSupport
import HostControl
import SessionModel
import VaultReporting

/// What else is told of a change: a command, and processes by a signal.
struct ChangeHooks {
  private var pending = PendingChange()
  private let hook: CommandHook?
  private let targets: [SignalTarget]
  private let log: Log
  private var isWarned = false

  /// Makes the hooks of a command line.
  ///
  /// - Parameters:
  ///   - command: what a shell is to run; nil for nothing.
  ///   - targets: the processes to signal.
  init(command: String?, targets: [SignalTarget]) {
    let environment = Environment.process
    let log = Log.standardError(program: "tokenvault", environment: environment)
    hook = command.map { command in
      CommandHook(["/bin/sh", "-c", command], environment: environment) { log.warning($0) }
    }
    self.targets = targets
    self.log = log
  }

  /// How long it is until the hooks are due; nil while there is nothing to tell.
  var rest: Duration? { pending.rest(now: bootClockNanoseconds()) }

  /// Notes a change.
  mutating func note(_ status: NamespaceStatus) {
    guard hook != nil || !targets.isEmpty else { return }
    pending.note(status, now: bootClockNanoseconds())
  }

  /// Has a signal that ends this program end the command first.
  ///
  /// On a thread of its own, as the program may be writing to somebody who does not read.
  /// - Throws: the error number.
  func endWithSignals() throws(Errno) {
    guard let hook else { return }
    let signals = try EndingSignals()
    try DedicatedThread.start("ending") {
      let number = signals.wait()
      hook.end()
      signals.endProgram(by: number)
    }
  }

  /// Ends the command that is running, as nobody would end it after its time.
  func end() { hook?.end() }

  /// Runs the command and sends the signals, when they are due.
  mutating func fireIfDue() {
    guard let status = pending.take(now: bootClockNanoseconds()) else { return }
    hook?.run(ChangeVariables.of(status))
    for target in targets where target.send() == .notCaught && !isWarned {
      isWarned = true
      log.warning("\(target.text) is not sent: the process does not catch it")
    }
  }
}
