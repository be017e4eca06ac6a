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
    case .keyUnavailable, .corrupt:
      return silence == .notRunning
        ? Self.startStep : "run: tokenvault renew \(namespace)"
    // The detail names its own mend.
    case .permission, .storage, .unsupportedVersion: return nil
    }
  }

  private static let startStep = "start the host: tokenvault-host"

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
    case .reported(.waiting(let until)): "the host was asked to wait\(waiting(until))"
    case .reported(.storageFailed): "the host cannot store its state"
    case .reported(.locked): "the host's key is locked"
    case .stale:
      switch silence {
      case .notRunning, nil: "no host is running"
      case .overdue: "the host has not published by the time it named"
      case .earlierBoot: "the snapshot is from before the machine was started"
      }
    }
  }

  private var hostNextStep: String? {
    switch host {
    case .reported(.ok): session == .expired ? "run: tokenvault renew \(namespace)" : nil
    case .reported(.renewing), .reported(.waiting): nil
    case .reported(.offline): "look at the network, or wait"
    case .reported(.storageFailed): "make room where the host keeps its state; its log names it"
    case .reported(.locked): "look at the host's log, which names the key"
    case .stale:
      silence == .overdue ? "look at the host's log, or start it again" : Self.startStep
    }
  }

  // Both times come from the host's wall clock, so their distance is right on a wrong clock too.
  private func waiting(_ until: UnixTime) -> String {
    guard let publishedAt, until > publishedAt else { return "" }
    return " for \(brief(until.since(publishedAt)))"
  }
}
