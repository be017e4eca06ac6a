/// Why a command ends without its answer: a sentence for standard error, and the code.
package struct CommandFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened, to what, and what to do next.
  package let description: String
  /// The code that the program ends with.
  package let code: ExitCode

  /// Makes a failure.
  package init(_ description: String, _ code: ExitCode) {
    self.description = description
    self.code = code
  }
}
