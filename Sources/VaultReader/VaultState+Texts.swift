import SessionModel

extension VaultState {
  /// Why the state is what it is, one sentence without a full stop; nil when all is well.
  public var reason: String? {
    switch session {
    case .valid, .expiring, .expiryUnknown: return usableReason
    case .expired:
      let since = expiresIn.map { " \(brief(.zero - $0)) ago" } ?? ""
      let ended = "the access token of \(namespace) ended\(since)"
      return hostReason.map { "\(ended); \($0)" } ?? ended
    case .signedOut: return "\(namespace) is signed out"
    case .reauthenticationRequired(let reason):
      return "\(namespace) has to sign in again: \(PrintableText.oneLine(reason.description))"
    case .absent:
      return detail
        ?? "no snapshot of \(namespace) is published for the access group \(accessGroup)"
    case .unsupportedRecord:
      return "the snapshot of \(namespace) is of a kind that this version does not know"
    case .keyUnavailable, .corrupt, .unsupportedVersion, .permission, .storage:
      return detail
    }
  }

  /// What the person can do about it, one sentence without a full stop; nil when nothing.
  public var nextStep: String? {
    switch session {
    case .valid, .expiring, .expiryUnknown, .expired: return hostNextStep
    case .signedOut, .reauthenticationRequired: return signInStep
    case .absent: return detail == nil ? absentStep : nil
    case .unsupportedRecord: return "update this program"
    case .keyUnavailable, .corrupt, .permission, .storage, .unsupportedVersion: return mendingStep
    }
  }

  private static let startStep = "start the host: tokenvault-host"

  private var mendingStep: String? {
    let publication =
      silence == .notRunning ? Self.startStep : "run: tokenvault renew \(namespace)"
    return switch mend {
    case .inDetail: nil
    case .publication: publication
    case .movingKeyAway: "move the key away, then \(publication)"
    }
  }

  private var signInStep: String {
    let signIn = "run: tokenvault sign-in \(namespace)"
    return silence == .notRunning ? "\(Self.startStep); then \(signIn)" : signIn
  }

  private var absentStep: String {
    guard accessGroup != .default else { return signInStep }
    return "\(signInStep), whose accessGroups have to name \(accessGroup)"
  }

  private var usableReason: String? {
    switch session {
    case .expiring:
      let ends = expiresIn.map { " in \(brief($0))" } ?? ""
      let text = "the access token of \(namespace) ends\(ends)"
      return hostReason.map { "\(text); \($0)" } ?? text
    case .expiryUnknown:
      let text = "the provider did not say when the access token of \(namespace) ends"
      return hostReason.map { "\(text); \($0)" } ?? text
    default: return hostReason
    }
  }

  private var hostReason: String? {
    switch host {
    case .reported(.ok): nil
    case .reported(.renewing): "the host is renewing it"
    case .reported(.offline): "the host cannot reach the provider and goes on trying"
    case .reported(.waiting): waitingReason
    case .reported(.storageFailed): "the host cannot store its state"
    case .reported(.locked): "the host's key is locked"
    case .stale:
      switch silence {
      case .notRunning, nil: "no host is running"
      case .overdue: "the host has not published by the time it named"
      case .earlierBoot: "the snapshot is from before the machine was started"
      }
    case .unknown: nil
    }
  }

  private var hostNextStep: String? {
    switch host {
    case .reported(.ok): session == .expired ? "run: tokenvault renew \(namespace)" : nil
    case .reported(.renewing), .reported(.waiting), .unknown: nil
    case .reported(.offline): "look at the network, or wait"
    case .reported(.storageFailed): "make room where the host keeps its state; its log names it"
    case .reported(.locked): "run: tokenvault unlock"
    case .stale:
      silence == .overdue ? "look at the host's log, or start it again" : Self.startStep
    }
  }

  private var waitingReason: String {
    guard let retryIn, retryIn > .zero else { return "the host is about to try again" }
    return "the host waits \(brief(retryIn)) before it tries again"
  }
}
