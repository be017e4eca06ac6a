import CommandRuntime
import FileSupport
import Glibc
import HTTPExchange
import HostConfiguration
import SecureStore

/// `tokenvault-host`: the one process that holds and renews sessions.
@main
struct HostEntry {
  static func main() {
    // Before any thread, and before libcurl reads SSLKEYLOGFILE.
    HTTPClient.hardenProcessEnvironment()
    let problems = ProcessHardening.apply()
    ProcessLimits.limitHeaps(1)
    let environment = Environment.process
    ReadinessNotifier.unsetEnvironment()
    SocketActivation.unsetEnvironment()
    let words = Array(CommandLine.arguments.dropFirst())
    let width = Terminal(descriptor: STDOUT_FILENO, environment: environment).width
    switch parse(words, width: width) {
    case .success(.show(let text)):
      exit(show(text).rawValue)
    case .success(.run(let invocation)) where invocation.command == HostCommand.exampleName:
      let example = ExampleConfiguration(rawValue: invocation.operands.first ?? "") ?? .generic
      exit(show(example.text).rawValue)
    case .success(.run(let invocation)) where invocation.command == HostCommand.newKeyName:
      guard let key = try? KeyText.random() else { exit(ExitCode.storage.rawValue) }
      exit(show(key + "\n").rawValue)
    case .success(.run(let invocation)):
      let log = Log.standardError(
        program: "tokenvault-host",
        threshold: invocation.has(HostCommand.verbose) ? .debug : .info, environment: environment)
      for problem in problems { log.warning(problem) }
      for name in VaultDirectories.relativeVariables(in: environment) {
        log.warning("\(name) is not an absolute path and counts as unset; set it to one")
      }
      if invocation.command == HostCommand.registerName {
        let program = RegisterProgram(invocation: invocation, environment: environment, log: log)
        run(log) { await program.run() }
      }
      if invocation.command == HostCommand.rekeyName {
        let program = RekeyProgram(invocation: invocation, environment: environment, log: log)
        run(log) { await program.run() }
      }
      let program = HostProgram(invocation: invocation, environment: environment, log: log)
      run(log) { await program.run() }
    case .failure(let error):
      Log.standardError(program: "tokenvault-host", environment: environment)
        .error(error.description)
      exit(ExitCode.usage.rawValue)
    }
  }

  /// Has one thread do all that the program does, and ends with it.
  private static func run(_ log: Log, _ body: @escaping @Sendable () async -> ExitCode) -> Never {
    do {
      try TaskLoop.run { exit(await body().rawValue) }
    } catch {
      log.error("eventfd: \(error)")
      exit(ExitCode.storage.rawValue)
    }
  }

  private static func show(_ text: String) -> ExitCode {
    do {
      try StandardStream.output.write(text)
      return .done
    } catch {
      Log.standardError(program: "tokenvault-host", environment: .process)
        .error("standard output: write: \(error)")
      return .storage
    }
  }

  private static func parse(
    _ words: [String], width: Int
  ) -> Result<OptionParser.Outcome, UsageError> {
    do throws(UsageError) {
      return .success(try OptionParser(HostCommand.table, width: width).parse(words))
    } catch {
      return .failure(error)
    }
  }
}
