import BrowserFlow
import CommandRuntime
import FileSupport
import Glibc
import HTTPExchange
import HostControl
import HostConfiguration
import SecretMemory
import SecureStore
import SessionHost
import SessionModel

/// The life of the host process: configuration, locks, readiness, signals, end.
struct HostProgram {
  let invocation: CommandInvocation
  let environment: Environment
  let log: Log

  func run() async -> ExitCode {
    for name in [HostCommand.signOut, HostCommand.forget].compactMap({ invocation.text($0) })
    where Namespace(name) == nil {
      return ProgramFailure.noNamespace(name).report(log)
    }
    let configuration: ConfigurationFile
    do throws(ConfigurationError) {
      guard let path = configurationPath else {
        return ProgramFailure.noConfigurationPath.report(log)
      }
      configuration = try ConfigurationFile.load(path: path, environment: environment)
    } catch {
      for line in error.lines { log.error(line) }
      return .configuration
    }
    for warning in configuration.warnings { log.warning(warning.description) }
    if configuration.isAbsent {
      guard invocation.text(HostCommand.configuration) == nil else {
        log.error(
          "\(configuration.path): there is no such file; make it from"
            + " tokenvault-host example-config \(HostCommand.providers(separator: "|"))")
        return .configuration
      }
      log.warning(
        "\(configuration.path): no configuration; start from"
          + " tokenvault-host example-config \(HostCommand.providers(separator: "|"))")
    }
    do {
      return try await serve(configuration)
    } catch {
      if case .alreadyRunning = error, let name = invocation.text(HostCommand.signOut) {
        log.error(
          "\(name): not signed out here, as a host is running; run: tokenvault sign-out \(name)")
      } else if case .alreadyRunning = error, let name = invocation.text(HostCommand.forget) {
        log.error("\(name): not forgotten, as a host is running; run: tokenvault forget \(name)")
      } else {
        log.error(error.description)
      }
      return error.exitCode
    }
  }

  private var configurationPath: String? {
    invocation.text(HostCommand.configuration) ?? ConfigurationPath.resolve(environment)
  }

  private func serve(_ configuration: ConfigurationFile) async throws(HostStartError) -> ExitCode {
    for finding in ConfigurationExamination.secrets(configuration) {
      log.warning(finding.text + (finding.mend.map { "; " + $0 } ?? ""))
    }
    guard let time = HostTime.system else {
      log.error("/proc/sys/kernel/random/boot_id: cannot be read; mount /proc")
      return .storage
    }
    let log = log
    let inUse = ConfigurationInUse(configuration)
    let hearing = SessionHearing()
    let directories = VaultDirectories(environment: environment, user: geteuid())
    let hostLog = HostLog { level, text in log.write(Log.Level(level), text) }
    let factory = SourceFactory(
      environment: environment, log: log, notifier: notifier(directories, time, hostLog))
    inUse.configure(factory.notifier)
    let setups = configuration.namespaces.map { factory.setup($0) }
    let toForget = invocation.text(HostCommand.forget).flatMap { Namespace($0) }
    let host: HostService
    do {
      host = try HostService(
        setups: setups, directories: directories, machine: machineIdentifier(),
        keys: KeyReading.access(following: inUse, environment: environment),
        unixGroups: configuration.unixGroups, time: time, log: hostLog,
        drawQRCode: { url in try? QRCode(url).lines(on: .dark) },
        examine: {
          inUse.findings + (inUse.locksWithSession ? hearing.findings : [])
        }, warn: { inUse.refusals })
    } catch {
      guard let toForget, error.isAboutTheKey else { throw error }
      return try forgetWithoutKey(toForget, directories, hostLog, because: error)
    }
    if let toForget { return await forget(toForget, host) }
    if let name = invocation.text(HostCommand.signOut), let namespace = Namespace(name) {
      return await signOut(namespace, host)
    }
    if invocation.has(HostCommand.once) {
      let outcome = await host.runOnce()
      await host.stop()
      return switch outcome {
      case .done: .done
      case .temporary: .temporary
      case .reauthenticationRequired: .reauthenticationRequired
      case .locked: .permission
      case .storage: .storage
      }
    }
    let loop = HostLoop(
      host: host, configuration: inUse, factory: factory,
      notifier: ReadinessNotifier(environment: environment), hearing: hearing)
    return try await serveUntilSignal(host, loop)
  }

  // What ends by itself tells whoever has started it, by its exit code.
  private func notifier(
    _ directories: VaultDirectories, _ time: HostTime, _ hostLog: HostLog
  ) -> PersonNotifier? {
    let ending = [HostCommand.once, HostCommand.signOut, HostCommand.forget]
    guard let state = directories.state, !ending.contains(where: { invocation.has($0) })
    else { return nil }
    let desktop = DesktopConnector(environment: environment, log: log)
    return PersonNotifier(
      file: NotificationFile(state: state), time: time, log: hostLog
    ) { (tell) throws(DesktopConnectionError) in
      try desktop.connect(tell)
    }
  }

  private func serveUntilSignal(
    _ host: HostService, _ loop: HostLoop
  ) async throws(HostStartError) -> ExitCode {
    let signals: AsyncStream<ProcessSignal>
    let monitor: SignalMonitor
    do throws(Errno) {
      monitor = try SignalMonitor([.terminate, .interrupt, .hangUp])
      signals = try monitor.signals()
    } catch {
      throw .file(.system(call: "sigaction, pipe or pthread_create", path: "signals", error))
    }
    try await host.start(on: SocketActivation.listener(environment: environment))
    log.info("ready")
    ProcessLimits.trimHeap()
    await loop.run(signals)
    return .done
  }
}

extension HostStartError {
  /// What the process ends with.
  var exitCode: ExitCode {
    switch self {
    case .file(let error): HostStartError.exitCode(of: error)
    case .store(.file(let error)): HostStartError.exitCode(of: error)
    case .store(.otherKey), .store(.otherMachine), .store(.keyFile), .store(.keyNeeded),
      .store(.keyRefused), .store(.keyTooCostly):
      .permission
    case .store(.corrupt), .store(.memory), .newerState, .snapshots: .storage
    case .alreadyRunning: .temporary
    case .noHome, .otherKeyStorage: .configuration
    }
  }

  /// Whether the store could not be opened, so that nothing but erasing is left.
  var isAboutTheKey: Bool {
    switch self {
    case .store, .otherKeyStorage: true
    case .file, .alreadyRunning, .noHome, .snapshots, .newerState: false
    }
  }

  /// What the process ends with for a file that cannot be used.
  static func exitCode(of error: FileError) -> ExitCode {
    error.nature == .denied ? .permission : .storage
  }
}

extension HostTime {
  /// The system's clocks; nil where the boot has no name.
  fileprivate static var system: HostTime? {
    guard let text = try? bootIdentifierText(), let boot = BootIdentifier(text: text) else {
      return nil
    }
    return HostTime(
      now: {
        let wall = wallClockReading()
        let seconds = wall.components.seconds
        return Instant(
          wall: UnixTime(rawValue: seconds), fraction: wall - .seconds(seconds),
          boot: BootTime(rawValue: bootClockNanoseconds()), bootIdentifier: boot)
      },
      sleep: { deadline in
        let now = BootTime(rawValue: bootClockNanoseconds())
        try await TaskLoopClock().sleep(for: deadline.since(now))
      },
      random: { Double(randomNumber(below: 1 << 24)) / Double(1 << 24) })
  }
}

extension Log.Level {
  fileprivate init(_ level: HostLog.Level) {
    switch level {
    case .error: self = .error
    case .warning: self = .warning
    case .info: self = .info
    case .debug: self = .debug
    }
  }
}
