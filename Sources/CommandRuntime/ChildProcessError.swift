package import FileSupport

/// Why another program could not be started, or did not do what it was started for.
///
/// It names the program and never its arguments, which may hold a secret.
package struct ChildProcessError: Error, Equatable, CustomStringConvertible {
  /// What went wrong.
  package enum Reason: Sendable, Equatable {
    /// No program was named.
    case noCommand
    /// There is no such program, or none in `PATH`.
    case notFound
    /// The program is there and cannot be executed.
    case notExecutable(Errno)
    /// A system call failed.
    case system(call: String, Errno)
    /// It ended with another status than 0.
    case failed(status: Int32)
    /// A signal ended it.
    case killed(signal: Int32)
    /// It took longer than allowed and was killed.
    case timedOut(limit: String)
    /// It printed more than allowed and was killed.
    case tooMuchOutput(limit: Int)
  }

  /// The program as it was named.
  package let program: String
  /// What went wrong.
  package let reason: Reason

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - program: The program as it was named.
  ///   - reason: What went wrong.
  package init(program: String, reason: Reason) {
    self.program = program
    self.reason = reason
  }

  /// The program and what went wrong with it, one sentence.
  package var description: String {
    let what =
      switch reason {
      case .noCommand: "no program is named"
      case .notFound:
        program.utf8.contains(0x2F)
          ? "no such program" : "not found in PATH; install it or give its whole path"
      case .notExecutable(let number): "cannot be executed: \(number)"
      case .system(let call, let number): "\(call): \(number)"
      case .failed(let status): "ended with status \(status)"
      case .killed(let signal): "was ended by signal \(signal)"
      case .timedOut(let limit): "was killed: it took longer than \(limit)"
      case .tooMuchOutput(let limit): "was killed: it printed more than \(limit) bytes"
      }
    return program.isEmpty ? what : "\(program): \(what)"
  }

  /// The code with which `run` ends: 127, 126 or 125, as shells and env(1) have it.
  package var exitCode: ExitCode {
    switch reason {
    case .notFound: .notFound
    case .notExecutable: .notExecutable
    default: .runFailed
    }
  }
}
