import CommandRuntime
import Glibc
import VaultReporting

/// Understands the command line.
func understand(_ words: [String]) throws(CommandFailure) -> OptionParser.Outcome {
  do {
    return try OptionParser(VaultCommands.table(naming: words.first)).parse(words)
  } catch {
    // As env(1) has it, `run` has one code for all that is its own fault.
    throw CommandFailure(error.description, words.first == "run" ? .runFailed : error.exitCode)
  }
}

StandardStream.holdClosed()
do throws(CommandFailure) {
  switch try understand(Array(CommandLine.arguments.dropFirst())) {
  case .show(let text):
    CommandOutput.vault.write(text)
  case .run(let invocation):
    try VaultCommand(invocation).run()
  }
  exit(ExitCode.done.rawValue)
} catch {
  CommandOutput.vault.fail(error)
}
