package import GrantModel
package import SessionModel

/// What the host does about the end of one renewal: a pure decision, carried out elsewhere.
package enum RenewalVerdict: Sendable {
  /// Store the grant and publish it.
  case accept(Grant)
  /// Ask once more, journaled: the answer was lost and the provider may have rotated the token.
  case retryLostAnswer
  /// Look into the store for a newer token and go on with that one, if there is one.
  case reload(otherwise: Ending)
  /// End the session.
  case end(Ending)
  /// Keep the session and try again later.
  case keep(TransientCause, retryAfter: Duration?, countsAsRefusal: Bool)

  /// How a session ends without a wish of the person.
  package struct Ending: Sendable, Hashable {
    /// Why.
    package let reason: ReauthenticationReason
    /// Whether the provider still has a grant that is to be revoked.
    package let revokes: Bool

    /// Creates an ending.
    package init(_ reason: ReauthenticationReason, revokes: Bool) {
      self.reason = reason
      self.revokes = revokes
    }
  }

  /// Judges the outcome of a renewal.
  ///
  /// - Parameters:
  ///   - outcome: what the source said.
  ///   - grant: the grant that was to be renewed.
  ///   - intent: the renewal as it was journaled.
  ///   - hasReloaded: whether the store was already looked into during this renewal.
  /// - Returns: the verdict.
  package static func judge(
    _ outcome: GrantOutcome, of grant: Grant, intent: CanonicalRecord.RotationIntent,
    hasReloaded: Bool
  ) -> RenewalVerdict {
    switch outcome {
    case .issued(let issued):
      guard issued.grant.isSameAccount(as: grant) else {
        return .end(Ending(.accountChanged, revokes: true))
      }
      return .accept(issued.grant)
    case .conflict:
      let keep = TransientCause.refusedWithoutReason(status: 409)
      return hasReloaded
        ? .keep(keep, retryAfter: nil, countsAsRefusal: false)
        : .reload(otherwise: Ending(.invalidGrant, revokes: false))
    case .terminal(let failure):
      let ending = ending(after: failure, intent: intent)
      guard failure == .invalidGrant, !hasReloaded else { return .end(ending) }
      return .reload(otherwise: ending)
    case .transient(.lostAnswer, _) where !intent.isRetry:
      return .retryLostAnswer
    case .transient(.refusedWithoutReason(let status), let retryAfter):
      // After a lost answer a refusal without a reason means that the old token was rotated away.
      if intent.isRetry { return .end(Ending(.lostRotation, revokes: false)) }
      return .keep(
        .refusedWithoutReason(status: status), retryAfter: retryAfter, countsAsRefusal: true)
    case .transient(let cause, let retryAfter):
      return .keep(cause, retryAfter: retryAfter, countsAsRefusal: false)
    }
  }

  private static func ending(
    after failure: GrantFailure, intent: CanonicalRecord.RotationIntent
  ) -> Ending {
    switch failure {
    case .invalidGrant: Ending(intent.isRetry ? .lostRotation : .invalidGrant, revokes: false)
    case .accountChanged: Ending(.accountChanged, revokes: true)
    case .notRenewable: Ending(.noRefreshToken, revokes: false)
    case .accessDenied, .expired, .cancelled, .responseMismatch, .verification, .provider,
      .configuration, .redirectUnavailable:
      Ending(ReauthenticationReason(rawValue: "renewal-impossible"), revokes: true)
    }
  }
}

extension HostState {
  /// Returns what the host says of itself after a renewal that failed for a time.
  ///
  /// - Parameters:
  ///   - cause: what happened.
  ///   - retryAt: when the host tries again.
  ///   - isObeying: whether the provider asked for the wait.
  package init(after cause: TransientCause, retryAt: UnixTime, isObeying: Bool) {
    switch cause {
    case .storage: self = .storageFailed
    case .network, .lostAnswer, .tls: self = .offline
    case .unavailable: self = isObeying ? .waiting(until: retryAt) : .offline
    case .rateLimited, .refusedWithoutReason, .oauth, .unverifiable:
      self = .waiting(until: retryAt)
    }
  }
}
