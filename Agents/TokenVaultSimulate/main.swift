import CommandRuntime
import FileSupport
import Glibc
import SnapshotTesting

// `tokenvault simulate` turns into this program, which may make snapshots as the host does.

StandardStream.holdClosed()
do throws(CommandFailure) {
  let outcome: OptionParser.Outcome
  do {
    outcome = try OptionParser(
      SimulateCommands.table, width: CommandOutput.simulator.terminal.width
    )
    .parse(Array(CommandLine.arguments.dropFirst()))
  } catch {
    throw CommandFailure(error.description, error.exitCode)
  }
  switch outcome {
  case .show(let text): CommandOutput.simulator.write(text)
  case .run(let invocation): exit(try SimulateCommand(invocation).run().rawValue)
  }
  exit(ExitCode.done.rawValue)
} catch {
  CommandOutput.simulator.fail(error)
}
