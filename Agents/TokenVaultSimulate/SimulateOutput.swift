import CommandRuntime
import FileSupport
import Glibc

/// Why the program ends without its answer.
struct SimulateFailure: Error {
  /// What happened, to what, and what to do next.
  let description: String
  /// The code that the program ends with.
  let code: ExitCode

  init(_ description: String, _ code: ExitCode) {
    self.description = description
    self.code = code
  }
}

/// The two streams of the program.
enum SimulateOutput {
  /// What standard output leads to.
  static var terminal: Terminal {
    Terminal(
      descriptor: StandardStream.output.descriptor, environment: .process(Terminal.variables))
  }

  /// Writes an answer to standard output; a reader that has gone wants no more.
  static func write(_ text: String) {
    try? StandardStream.output.write(text)
  }

  /// Writes what is for the person alone to standard error.
  static func tell(_ text: String) {
    try? StandardStream.error.write(text + "\n")
  }

  /// Writes why something cannot be done to standard error.
  static func complain(_ message: String) {
    let environment = Environment.process(Terminal.variables + ["JOURNAL_STREAM"])
    Log.standardError(program: "tokenvault simulate", environment: environment).error(message)
  }
}
