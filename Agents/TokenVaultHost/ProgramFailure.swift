import CommandRuntime
import FileSupport
import SessionHost

/// Why a command ends without what it was asked for: one sentence, and what the process ends with.
struct ProgramFailure: Error {
  let sentence: String
  let code: ExitCode

  init(_ sentence: String, _ code: ExitCode) {
    self.sentence = sentence
    self.code = code
  }

  init(_ error: FileError) {
    self.init(error.description, HostStartError.exitCode(of: error))
  }

  init(_ error: HostStartError) {
    self.init(error.description, error.exitCode)
  }

  /// There is nowhere to look for a configuration.
  static let noConfigurationPath = ProgramFailure(
    "neither TOKENVAULT_CONFIG, XDG_CONFIG_HOME nor HOME is set; name --config FILE",
    .configuration)

  /// The command line has this in the place of a namespace.
  static func noNamespace(_ text: String) -> ProgramFailure {
    ProgramFailure(
      "\(text): not a namespace; letters, digits, '.', '_' and '-', 64 at most", .usage)
  }

  /// Says the sentence.
  ///
  /// - Returns: what the process ends with.
  func report(_ log: Log) -> ExitCode {
    log.error(sentence)
    return code
  }
}
