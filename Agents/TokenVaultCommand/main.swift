import CommandRuntime
import Glibc
import VaultReporting

StandardStream.holdClosed()
let words = Array(CommandLine.arguments.dropFirst())
do {
  switch try OptionParser(VaultCommands.table(naming: words.first)).parse(words) {
  case .show(let text):
    CommandOutput.write(text)
  case .run(let invocation):
    try VaultCommand(invocation).run()
  }
  exit(ExitCode.done.rawValue)
} catch let error as UsageError {
  // As env(1) has it, `run` has one code for all that is its own fault.
  CommandOutput.fail(error.description, words.first == "run" ? .runFailed : .usage)
} catch let failure as CommandFailure {
  CommandOutput.fail(failure.description, failure.code)
} catch {
  CommandOutput.fail("\(error)", .storage)
}
