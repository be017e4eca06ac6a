import CommandRuntime
import FileSupport
import Glibc
import SnapshotTesting

// `tokenvault simulate` turns into this program, which may make snapshots as the host does.

StandardStream.holdClosed()
do throws(SimulateFailure) {
  let outcome: OptionParser.Outcome
  do {
    outcome = try OptionParser(SimulateCommands.table, width: SimulateOutput.terminal.width)
      .parse(Array(CommandLine.arguments.dropFirst()))
  } catch {
    throw SimulateFailure(error.description, error.exitCode)
  }
  switch outcome {
  case .show(let text): SimulateOutput.write(text)
  case .run(let invocation): exit(try SimulateCommand(invocation).run().rawValue)
  }
  exit(ExitCode.done.rawValue)
} catch {
  SimulateOutput.complain(error.description)
  exit(error.code.rawValue)
}
