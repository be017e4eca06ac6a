import CommandRuntime
import FileSupport
import Glibc
import HostConfiguration
import SessionHost
import SystemBus

/// What the host answers to while it runs: signals, the watchdog, logind and the network.
struct HostLoop: Sendable {
  let host: HostService
  let configuration: ConfigurationInUse
  let factory: SourceFactory
  let notifier: ReadinessNotifier
  let hearing: SessionHearing

  private var log: Log { factory.log }

  /// Runs until a signal asks for the end.
  func run(_ signals: AsyncStream<ProcessSignal>) async {
    report(.ready(status: status))
    let tasks: [Task<Void, Never>] = [
      Task { await feedWatchdog() }, Task { await noticeLogin() }, Task { await noticeNetwork() },
      Task { await factory.notifier?.run() },
    ]
    var reloading: Task<Void, Never>?
    for await signal in signals {
      guard signal == .hangUp else { break }
      // One after another, so that the last one counts; the end waits for none of them.
      let former = reloading
      reloading = Task {
        await former?.value
        await reload()
      }
    }
    for task in tasks { task.cancel() }
    report(.stopping)
    log.info("stopping")
    await host.stop()
  }

  private var status: String {
    configuration.count == 1 ? "1 namespace" : "\(configuration.count) namespaces"
  }

  private func reload() async {
    report(.reloading)
    switch configuration.reread(environment: factory.environment) {
    case .failure(let refusal):
      for line in refusal.lines { log.error(line) }
      log.error("the configuration is not taken over; the host goes on with the one before")
      report(.ready(status: status + "; the new configuration was refused"))
    case .success(let file):
      for warning in file.warnings { log.warning(warning.description) }
      if file.key.storage != configuration.keyStorage {
        log.warning(
          "keyStorage counts from the next start; before it, run: tokenvault-host rekey")
      }
      let unchanged = configuration.replace(by: file)
      await host.reload(
        file.namespaces.map { factory.setup($0) }, unchanged: unchanged,
        unixGroups: file.unixGroups)
      configuration.configure(factory.notifier)
      log.info("the configuration was read again: \(status), \(unchanged.count) as before")
      report(.ready(status: status))
    }
  }

  // Said only after every part that does the work has answered.
  private func feedWatchdog() async {
    guard let interval = notifier.watchdogInterval else { return }
    while !Task.isCancelled {
      await host.beat()
      report(.watchdog)
      do { try await TaskLoopClock().sleep(for: interval) } catch { return }
    }
  }

  private func noticeLogin() async {
    let address = factory.environment["DBUS_SYSTEM_BUS_ADDRESS"]
    let notices: AsyncStream<LoginMonitor.Notice>
    do throws(Errno) {
      notices = try LoginMonitor.notices(address: address, user: geteuid())
    } catch {
      hearing.note(.unavailable(call: "pthread_create", error))
      return log.warning("no thread for logind: neither sleep nor a locked session is noticed")
    }
    for await notice in notices {
      hearing.note(notice)
      switch notice {
      case .listening:
        log.debug("logind tells when the machine wakes up and when the session is locked")
      case .suspending: log.debug("the machine is going to sleep")
      case .resumed:
        log.info("the machine has woken up")
        await host.tryOverdue()
      case .locked, .unlocked: await follow(notice)
      case .unavailable(let call, let error):
        log.debug(
          "logind tells of no sleep (\(call): \(error)): the clock is looked at each minute")
        guard configuration.locksWithSession else { continue }
        log.warning(
          "logind is not heard (\(call): \(error)): until it is, the host is not locked with the"
            + " session")
      }
    }
  }

  private func follow(_ notice: LoginMonitor.Notice) async {
    guard configuration.locksWithSession else { return }
    log.debug(notice == .locked ? "the session is locked" : "the session is unlocked")
    await host.follow(sessionLocked: notice == .locked)
  }

  private func noticeNetwork() async {
    do throws(Errno) {
      for await _ in try NetworkMonitor.returns() {
        log.debug("the network has changed")
        await host.tryOverdue()
      }
    } catch {
      log.warning("the network's return will not be noticed: rtnetlink: \(error)")
    }
  }

  private func report(_ message: ReadinessNotifier.Message) {
    do {
      try notifier.send(message)
    } catch {
      log.warning("NOTIFY_SOCKET: \(error)")
    }
  }
}
