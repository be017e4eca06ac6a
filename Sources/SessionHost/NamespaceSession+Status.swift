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
        generation: publication.generation == 0 ? nil : publication.generation,
        publishedAt: publication.publishedAt?.wall, expiresAt: record.grant?.expiresAt,
        expiresIn: timeLeft(now: now), issuer: record.grant?.issuer,
        account: setup.accountName ?? record.shownAccountName,
        reason: reason(now: now), nextStep: nextStep(now: now), loginEndsAt: expectedEnd?.at,
        loginEndsIn: expectedEnd.map { .zero - now.since($0.at) })
    }
  }

  private func sessionState(now: Instant) -> SessionState {
    switch record.phase {
    case .empty: return .absent
    case .signedOut: return .signedOut
    case .reauthenticationRequired(let reason): return .reauthenticationRequired(reason)
    case .active(let grant):
      if let refusal = record.refusal { return .reauthenticationRequired(refusal) }
      guard let left = timeLeft(now: now) else { return .expiryUnknown }
      guard left > .zero else { return .expired }
      return left < ExpiryMargin.standard(lifetime: grant.lifetime).duration ? .expiring : .valid
    }
  }

  private func reason(now: Instant) -> String? {
    // A failing disk comes first: it keeps everything else from being done.
    if let failure = storage.failure { return failure }
    return personReason(now: now)?.description ?? renewals.failure ?? publication.failure
  }

  private func nextStep(now: Instant) -> String? {
    if record.grant == nil || record.refusal != nil || hasEndedForGood(now: now) {
      return "run: tokenvault sign-in \(setup.namespace)"
    }
    guard let retryAt = storage.retryAt ?? renewals.retryAt else { return nil }
    let wait = max(retryAt.since(now.boot), .zero).components.seconds
    let mend = storage.failure != nil ? "mend that" : renewals.cause?.mend
    return "\(mend ?? "nothing to do"): the host tries again in \(wait) s"
  }

  /// Whether a session that was there is over and only a person can bring another.
  func needsPerson(now: Instant) -> Bool {
    personReason(now: now) != nil
  }

  /// Why that is so; nil where it is not.
  func personReason(now: Instant) -> ReauthenticationReason? {
    if case .reauthenticationRequired(let reason) = record.phase { return reason }
    return record.refusal ?? (hasEndedForGood(now: now) ? .noRefreshToken : nil)
  }

  // An access token that has ended, and nothing to renew it with.
  private func hasEndedForGood(now: Instant) -> Bool {
    guard record.grant != nil, record.currentRefreshToken == nil, let left = timeLeft(now: now)
    else { return false }
    return left <= .zero
  }
}

extension TransientCause {
  /// What a person can do about it; nil where waiting is enough.
  fileprivate var mend: String? {
    switch self {
    case .network, .unavailable, .rateLimited, .conflict, .lostAnswer, .refusedWithoutReason: nil
    case .tls: "check the clock, the network and caFile"
    case .oauth(code: "invalid_client"), .oauth(code: "unauthorized_client"):
      "check clientId and the client secret in the configuration"
    case .oauth, .unverifiable, .configuration: "check the configuration, or ask the provider"
    case .local, .storage: "mend that"
    }
  }
}
