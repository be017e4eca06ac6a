import CommandRuntime
import FileSupport
import Glibc
import HostControl
import SessionModel
import StatusBar
import StrictJSON
import VaultReader
import VaultReporting
import VaultWatching

extension VaultCommand {
  /// `watch`: writes a line at once and at each change, until the reader of the lines goes away.
  ///
  /// - Throws: `CommandFailure`.
  func watch() throws(CommandFailure) {
    let word = invocation.text(VaultCommands.watchFormat)
    if let format = word.flatMap({ BarFormat(rawValue: $0) }) { return try watch(in: format) }
    try requireNoBarOption()
    var hooks = try changeHooks(isOnce: invocation.has(VaultCommands.once))
    let namespace = try optionNamespace()
    let vault = try vault()
    let monitor: VaultMonitor
    do {
      monitor = try VaultMonitor(vault, namespace: namespace.name)
    } catch {
      throw CommandFailure(error.description, .storage)
    }
    // A reader that has gone is the end of the work and no accident.
    _ = signal(SIGPIPE, SIG_IGN)
    // A bar's threads may block signals, and what they start inherits that: SIGTERM has to end it.
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
    do {
      try hooks.endWithSignals()
    } catch {
      throw CommandFailure("signals cannot be caught: \(error)", .storage)
    }
    defer { hooks.end() }
    while true {
      while let update = monitor.next(timeout: .zero) {
        if update.change != .watchMode {
          let status = NamespaceStatus(update.state, of: namespace)
          guard try write(line(status)) else { return }
          hooks.note(status)
        }
        if invocation.has(VaultCommands.once) { return }
      }
      do {
        let readiness = try waitForInput(
          [monitor.descriptor], hangUpsOf: [StandardStream.output.descriptor], timeout: hooks.rest)
        if !readiness[1].isEmpty { return }
        hooks.fireIfDue()
      } catch {
        throw CommandFailure("standard output cannot be watched: poll: \(error)", .storage)
      }
    }
  }

  /// - Returns: whether there is somebody who reads.
  private func write(_ line: String) throws(CommandFailure) -> Bool {
    do {
      try StandardStream.output.write(line)
      return true
    } catch {
      guard error.rawValue == EPIPE else { throw CommandFailure(unwritten: error) }
      return false
    }
  }

  private func line(_ status: NamespaceStatus) -> String {
    guard invocation.text(VaultCommands.watchFormat) == "json" else {
      return StateLine.text(status)
    }
    return status.object.line
  }
}
