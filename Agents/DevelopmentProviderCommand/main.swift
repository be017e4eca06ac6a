import CommandRuntime
import DevelopmentProvider
import Glibc

/// Ends the program with a sentence on standard error.
func fail(_ message: String, _ code: ExitCode) -> Never {
  try? StandardStream.error.write("development-provider: \(message)\n")
  exit(code.rawValue)
}

/// Reads the command line; help and the version end the program.
func readCommandLine() -> CommandInvocation {
  do {
    switch try OptionParser(ProviderOptions.table).parse(Array(CommandLine.arguments.dropFirst())) {
    case .show(let text):
      try? StandardStream.output.write(text)
      exit(ExitCode.done.rawValue)
    case .run(let invocation):
      return invocation
    }
  } catch {
    try? StandardStream.error.write("\(error)\n")
    exit(error.exitCode.rawValue)
  }
}

/// Starts the provider that the command line asks for.
func start(_ invocation: CommandInvocation) -> LoopbackProvider {
  let configuration: ProviderConfiguration
  do {
    configuration = try ProviderOptions.configuration(invocation)
  } catch {
    fail(error.description, .usage)
  }
  let isVerbose = invocation.has(ProviderOptions.verbose)
  do {
    let rules = try ProviderOptions.faults(invocation)
    let provider = try LoopbackProvider(configuration) { entry in
      if isVerbose { try? StandardStream.error.write("\(entry)\n") }
    }
    provider.setFaults(rules)
    return provider
  } catch let error as FaultTextError {
    fail(error.description, .usage)
  } catch {
    fail("\(error)", .temporary)
  }
}

let invocation = readCommandLine()
// Before anything else is made: no signal may find it half started.
guard let signals = try? SignalMonitor() else { fail("signals cannot be watched", .temporary) }
let provider = start(invocation)
do {
  try StandardStream.output.write(provider.configurationText)
} catch {
  fail("standard output is closed", .storage)
}
serving: while let signal = signals.wait() {
  switch signal {
  case .user1:
    provider.isDown.toggle()
    try? StandardStream.error.write(provider.isDown ? "outage begins\n" : "outage ends\n")
  case .terminate, .interrupt, .hangUp:
    break serving
  }
}
provider.stop()
exit(ExitCode.done.rawValue)
