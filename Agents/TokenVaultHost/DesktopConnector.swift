import CommandRuntime
import FileSupport
import LoopbackHTTP
import SessionHost
import Synchronization
import SystemBus

/// Reaches the desktop over the person's session bus, and reports what keeps it from that.
final class DesktopConnector: Sendable {
  private let address: String?
  private let log: Log
  private let lastTrouble = Mutex<NotificationBus.Notice?>(nil)

  init(environment: Environment, log: Log) {
    address = NotificationBus.sessionAddress(environment)
    self.log = log
  }

  /// Connects to the desktop.
  ///
  /// - Parameter tell: told of what becomes of the connection and of what is shown.
  /// - Returns: the desktop; nil where there is no bus.
  /// - Throws: `DesktopConnectionError` where no thread or descriptor can be had now.
  func connect(
    _ tell: @escaping @Sendable (NotificationPlan.Event) -> Void
  ) throws(DesktopConnectionError) -> (any NotificationDisplay)? {
    guard let address else { return nil }
    do {
      return DesktopDisplay(
        bus: try NotificationBus(address: address) { notice in
          self.report(notice)
          if let event = NotificationPlan.Event(notice) { tell(event) }
        })
    } catch {
      throw DesktopConnectionError(error)
    }
  }

  // The same trouble at each try would only fill the journal.
  private func report(_ notice: NotificationBus.Notice) {
    let text: String
    switch notice {
    case .refused(let why, _): text = "the desktop shows no notification: \(why)"
    case .silent: text = "the desktop's notification server does not answer; it is waited for"
    case .unavailable(let call, let error): text = "the session bus is not heard: \(call): \(error)"
    case .shown:
      lastTrouble.withLock { $0 = nil }
      return log.debug("the desktop shows it")
    case .server, .closed: return
    }
    let isNew = lastTrouble.withLock { last in
      defer { last = notice }
      return last != notice
    }
    if isNew { log.info(text) } else { log.debug(text) }
  }
}

private struct DesktopDisplay: NotificationDisplay {
  let bus: NotificationBus

  func show(_ text: NotificationText, replacing number: UInt32?) {
    bus.show(
      DesktopNotification(
        summary: text.summary, body: text.body, markup: HTMLText.escape(text.body)),
      replacing: number)
  }

  func close(_ number: UInt32) {
    bus.close(number)
  }
}

extension NotificationPlan.Event {
  fileprivate init?(_ notice: NotificationBus.Notice) {
    switch notice {
    case .server(let server): self = .server(server)
    case .shown(let number, let server): self = .shown(number, server: server)
    case .refused(_, let server): self = .refused(server: server)
    case .closed(let number): self = .closed(number)
    case .unavailable: self = .lost
    case .silent: return nil
    }
  }
}
