import SessionModel
import VaultReader

extension Panel {
  /// How a session looks.
  func tone(_ session: SessionState) -> Screen.Tone {
    switch session {
    case .valid, .expiryUnknown: .good
    case .expiring: .warning
    case .absent, .signedOut: .dim
    default: .bad
    }
  }

  /// How a host looks.
  func tone(_ host: HostCondition) -> Screen.Tone {
    switch host {
    case .reported(.ok): .good
    case .reported(.renewing), .reported(.waiting), .reported(.offline): .warning
    default: .bad
    }
  }
}
