package import GrantModel
package import SessionModel

/// What the host does about the end of one renewal: a pure decision, carried out elsewhere.
package enum RenewalVerdict: Sendable {
  /// Do this, and the renewal is over.
  case conclude(Conclusion)
  /// Ask once more, journaled: the answer was lost and the provider may have rotated the token.
  case retryLostAnswer
  /// Look into the store for a newer token and go on with that one; do this if there is none.
  case reload(otherwise: Conclusion)

  /// How a renewal is over.
  package enum Conclusion: Sendable {
    /// Store the grant and publish it.
    case accept(Grant)
    /// End the session.
    case end(Ending)
    /// Keep the session and try again later.
    case keep(TransientCause, retryAfter: Duration?, countsAsRefusal: Bool)
  }

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
  /// Only the provider's `invalid_grant`, another account, or nothing to renew with end a session.
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
        return .conclude(.end(Ending(.accountChanged, revokes: true)))
      }
      return .conclude(.accept(issued.grant))
    case .conflict:
      let keep = Conclusion.keep(.conflict, retryAfter: nil, countsAsRefusal: false)
      return hasReloaded ? .conclude(keep) : .reload(otherwise: keep)
    case .terminal(.invalidGrant):
      let reason = intent.isRetry ? ReauthenticationReason.lostRotation : .invalidGrant
      let end = Conclusion.end(Ending(reason, revokes: false))
      return hasReloaded ? .conclude(end) : .reload(otherwise: end)
    case .terminal(.accountChanged):
      return .conclude(.end(Ending(.accountChanged, revokes: true)))
    case .terminal(.notRenewable):
      return .conclude(.end(Ending(.noRefreshToken, revokes: false)))
    case .terminal(let failure):
      return .conclude(
        .keep(.unverifiable(failure.description), retryAfter: nil, countsAsRefusal: false))
    case .transient(.lostAnswer, _) where !intent.isRetry:
      return .retryLostAnswer
    case .transient(let cause, let retryAfter):
      var isRefusal = false
      if case .refusedWithoutReason = cause { isRefusal = true }
      return .conclude(.keep(cause, retryAfter: retryAfter, countsAsRefusal: isRefusal))
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
    // The provider is well; that storing fails is told apart from it.
    case .storage: self = .ok
    case .network, .lostAnswer, .tls: self = .offline
    case .unavailable: self = isObeying ? .waiting(until: retryAt) : .offline
    case .rateLimited, .refusedWithoutReason, .conflict, .oauth, .unverifiable, .local,
      .configuration:
      self = .waiting(until: retryAt)
    }
  }
}
