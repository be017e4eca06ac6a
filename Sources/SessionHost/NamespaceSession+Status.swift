import GrantModel
package import HostControl
import SessionModel

extension NamespaceSession {
  /// Describes the session for `tokenvault status`, one entry for each access group.
  package func status() -> [NamespaceStatus] {
    let now = time.now()
    return setup.accessGroups.map { group in
      NamespaceStatus(
        namespace: setup.namespace, group: group, session: sessionState(now: now).word,
        host: HostCondition.reported(hostState).word,
        generation: record.generation == 0 ? nil : record.generation,
        publishedAt: publishedAt?.wall, expiresAt: record.grant?.expiresAt,
        expiresIn: timeLeft(now: now).map { max($0, .zero) }, issuer: record.grant?.issuer,
        account: setup.accountName ?? record.grant?.accountName ?? record.accountName,
        reason: reason, nextStep: nextStep)
    }
  }

  private func sessionState(now: Instant) -> SessionState {
    switch record.phase {
    case .empty: return .absent
    case .signedOut: return .signedOut
    case .reauthenticationRequired(let reason): return .reauthenticationRequired(reason)
    case .active(let grant):
      if record.isRefused { return .reauthenticationRequired(.refusedWithoutReason) }
      guard let left = timeLeft(now: now) else { return .expiryUnknown }
      guard left > .zero else { return .expired }
      let lifetime = grant.expiresAt.map { $0.since(grant.issuedAt) }
      return left < ExpiryMargin.standard(lifetime: lifetime).duration ? .expiring : .valid
    }
  }

  private var reason: String? {
    if case .reauthenticationRequired(let reason) = record.phase { return reason.description }
    if record.isRefused { return ReauthenticationReason.refusedWithoutReason.description }
    return lastFailure
  }

  private var nextStep: String? {
    switch record.phase {
    case .empty, .signedOut, .reauthenticationRequired:
      return "tokenvault sign-in \(setup.namespace)"
    case .active:
      if record.isRefused { return "tokenvault sign-in \(setup.namespace)" }
      guard let retryAt, failures > 0 else { return nil }
      let wait = max(retryAt.since(time.now().boot), .zero).components.seconds
      return "nothing to do: the host tries again in \(wait) s"
    }
  }
}
