package import FileSupport
import Glibc

/// The two streams of a program that carries out a command line.
package struct CommandOutput: Sendable {
  private let program: String

  /// Names the program, as its complaints begin.
  package init(of program: String) {
    self.program = program
  }

  /// What standard output leads to.
  package var terminal: Terminal {
    Terminal(
      descriptor: StandardStream.output.descriptor, environment: .process(Terminal.variables))
  }

  /// Writes an answer to standard output, and ends the program where that fails.
  ///
  /// A reader that has gone wants no more, and is no failure.
  package func write(_ text: String) {
    do throws(Errno) {
      try StandardStream.output.write(text)
    } catch {
      if error.rawValue == EPIPE { exit(ExitCode.done.rawValue) }
      fail(CommandFailure(unwritten: error))
    }
  }

  /// Writes an answer to standard output, for a program that has to put things away before it ends.
  ///
  /// - Throws: `CommandFailure`, also where the reader has gone.
  package func deliver(_ text: String) throws(CommandFailure) {
    do throws(Errno) {
      try StandardStream.output.write(text)
    } catch {
      throw CommandFailure(unwritten: error)
    }
  }

  /// Writes what is for the person alone to standard error, where nobody can be told of a failure.
  package func show(_ text: String) {
    try? StandardStream.error.write(text)
  }

  /// Writes why something cannot be done to standard error.
  package func complain(_ message: String) {
    let environment = Environment.process(Terminal.variables + ["JOURNAL_STREAM"])
    Log.standardError(program: program, environment: environment).error(message)
  }

  /// Ends the program with the sentence and the code of a failure.
  package func fail(_ failure: CommandFailure) -> Never {
    fail(failure.description, failure.code)
  }

  /// Ends the program with a sentence on standard error.
  package func fail(_ message: String, _ code: ExitCode) -> Never {
    fail(message, status: code.rawValue)
  }

  /// Ends the program with a sentence on standard error and a status of its own.
  package func fail(_ message: String, status: Int32) -> Never {
    complain(message)
    exit(status)
  }
}

extension CommandFailure {
  /// The failure of an answer that could not be written (`writev(2)`).
  package init(unwritten error: Errno) {
    self.init("standard output: write: \(error)", .storage)
  }
}
