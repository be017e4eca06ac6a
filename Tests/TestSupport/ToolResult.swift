/// How a program ended.
package enum ToolExit: Sendable, Equatable {
  /// It exited with this status.
  case status(Int32)
  /// This signal ended it.
  case signal(Int32)
}

/// What a program left behind when it ended.
package struct ToolResult: Sendable {
  /// How it ended.
  package let exit: ToolExit
  /// Whether it was killed because its time was up.
  package let isTimedOut: Bool
  /// All of its standard output.
  package let outputBytes: [UInt8]
  /// All of its standard error.
  package let errorBytes: [UInt8]

  /// Creates a result.
  package init(exit: ToolExit, isTimedOut: Bool, outputBytes: [UInt8], errorBytes: [UInt8]) {
    self.exit = exit
    self.isTimedOut = isTimedOut
    self.outputBytes = outputBytes
    self.errorBytes = errorBytes
  }

  /// Its exit status, or 128 and the signal's number as a shell has it.
  package var status: Int32 {
    switch exit {
    case .status(let status): status
    case .signal(let signal): 128 + signal
    }
  }

  /// Its standard output as text.
  package var output: String { String(decoding: outputBytes, as: UTF8.self) }

  /// Its standard error as text.
  package var error: String { String(decoding: errorBytes, as: UTF8.self) }
}

/// A program that ended otherwise than a test needs.
package struct ToolFailure: Error, Sendable, CustomStringConvertible {
  /// The program that was run.
  package let program: String
  /// What it left behind.
  package let result: ToolResult

  /// The program, how it ended and what it said.
  package var description: String {
    let ending = result.isTimedOut ? "was killed: its time was up" : "ended with \(result.exit)"
    return "\(program) \(ending)\n\(result.error)\(result.output)"
  }
}
