import FileSupport
import HostControl
import Synchronization
import SystemBus

/// Whether logind is heard, without which nothing locks the host together with the session.
final class SessionHearing: Sendable {
  private enum State {
    case unknown
    case heard
    case deaf(String)
  }

  private let state = Mutex(State.unknown)

  /// Takes note of what was heard.
  func note(_ notice: LoginMonitor.Notice) {
    switch notice {
    case .unavailable(let call, let error): state.withLock { $0 = .deaf("\(call): \(error)") }
    default: state.withLock { $0 = .heard }
    }
  }

  /// What `doctor` is told, where the host is to lock with the session.
  var findings: [Finding] {
    switch state.withLock(\.self) {
    case .unknown: []
    case .heard:
      [Finding("session-lock", .fine, "logind tells the host when your session is locked")]
    case .deaf(let why):
      [
        Finding(
          "session-lock", .problem, "logind is not heard (\(why)): your session is locked alone",
          mend: "start dbus and systemd-logind, which the host finds by itself; until then, run:"
            + " tokenvault lock")
      ]
    }
  }
}
