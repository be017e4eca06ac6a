import CommandRuntime
import FileSupport
import Glibc

/// The two streams of the program.
enum CommandOutput {
  /// What standard output leads to.
  static var terminal: Terminal {
    Terminal(
      descriptor: StandardStream.output.descriptor, environment: .process(Terminal.variables))
  }

  /// Writes an answer to standard output.
  static func write(_ text: String) {
    do {
      try StandardStream.output.write(text)
    } catch {
      if error.rawValue == EPIPE { exit(ExitCode.done.rawValue) }
      fail("standard output: write: \(error)", .storage)
    }
  }

  /// Writes what is for the person alone to standard error.
  static func show(_ text: String) {
    try? StandardStream.error.write(text)
  }

  /// Ends the program with a sentence on standard error.
  static func fail(_ message: String, _ code: ExitCode) -> Never {
    fail(message, status: code.rawValue)
  }

  /// Ends the program with a sentence on standard error and a status of its own.
  static func fail(_ message: String, status: Int32) -> Never {
    let environment = Environment.process(Terminal.variables + ["JOURNAL_STREAM"])
    Log.standardError(program: "tokenvault", environment: environment).error(message)
    exit(status)
  }
}
