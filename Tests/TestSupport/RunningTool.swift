internal import Glibc

/// A program that runs beside a test: its lines can be waited for, and it ends with its owner.
package final class RunningTool: Sendable {
  private let process: ToolProcess

  /// Starts a program.
  ///
  /// - Throws: the call that failed, when it can't be started.
  package init(_ request: ToolRequest) throws(SystemCallError) {
    process = try ToolProcess(request)
  }

  deinit { process.send(SIGKILL) }

  /// The program's process identifier.
  package var identifier: Int32 { process.identifier }

  /// The lines of its standard output, as they come; finished when the program has ended.
  package var output: EventRecorder<String> { process.output.lines }

  /// The lines of its standard error, as they come; finished when the program has ended.
  package var error: EventRecorder<String> { process.error.lines }

  /// Whether the program has not ended yet.
  package var isRunning: Bool { !process.ended.isOpen }

  /// Asks the program to end, with `SIGTERM`.
  package func terminate() { process.send(SIGTERM) }

  /// Ends the program at once, with `SIGKILL`.
  package func kill() { process.send(SIGKILL) }

  /// Sends the program a signal, unless it has ended.
  package func send(signal: Int32) { process.send(signal) }

  /// Gives the program more standard input.
  ///
  /// Its request says `input: .open`.
  package func write(_ text: String) { process.input.append(Array(text.utf8)) }

  /// Ends the program's standard input.
  package func closeInput() { process.input.close() }

  /// Holds the thread until the program has ended, for a `deinit`, which can't suspend.
  func waitForEnd() { process.waitForEnd() }

  /// Waits for the program's end and returns what it left behind.
  ///
  /// Cancellation doesn't end the wait: the program's time limit does.
  package func result() async -> ToolResult { await process.result() }
}
