import HostControl
import SessionModel

// Renewals that callers ask for, and what they are told.
extension NamespaceSession {
  /// Renews the session if its access token is good for less than a caller needs.
  ///
  /// - Parameter validFor: how long the token must be good; nil asks for a renewal in any case.
  /// - Returns: how it ended; a token that is good for long enough is not renewed.
  package func renew(validFor: Duration?) async -> RenewalReport {
    if renewal == nil {
      // Of what only a person can mend, no token is published, however good it is.
      if record.refusal == nil, let validFor, let left = timeLeft(now: time.now()),
        left >= validFor
      {
        // The timer notices a removed snapshot as well, and not at once.
        if !outlet.isInPlace() {
          publishSnapshot()
          scheduleTimer()
        }
        return .renewed(generation: publication.generation)
      }
      if let refusal = refusalToHurry(validFor) { return refusal }
    }
    let report = await renew()
    if validFor == nil, case .renewed = report { renewals.demandedAt = time.now().boot }
    return report
  }

  /// Renews the session because a resource server rejected the token of a generation.
  ///
  /// - Parameter generation: the generation that the caller read.
  /// - Returns: how it ended; a later token than the rejected one is answer enough.
  package func reject(generation: UInt64) async -> RenewalReport {
    if renewal == nil {
      // A later generation may hold the same token, as when only the host's state has changed.
      if record.grant != nil, generation < publication.tokenGeneration {
        return .renewed(generation: publication.generation)
      }
      let now = time.now().boot
      let last = [renewals.obtainedAt?.boot, renewals.lastAttemptAt].compactMap(\.self).max()
      let interval = RenewalPolicy.rejectionInterval(lifetime: record.grant?.lifetime)
      if record.renewableGrant != nil, let last, now.since(last) < interval {
        // Nobody is renewing it: whoever waited would wait in vain.
        if renewals.cause != nil { return failureReport }
        let wait = DurationText.wait(interval - now.since(last))
        return .failed(
          .justRenewed,
          "the token came a moment ago, so that the resource seems to refuse it for what it is;"
            + " another one in \(wait) at the earliest")
      }
    }
    return await renew(validFor: nil)
  }

  // Callers may hurry the host on, but neither past what the provider asked for nor in a storm.
  private func refusalToHurry(_ validFor: Duration?) -> RenewalReport? {
    let now = time.now().boot
    if storage.failure != nil, let retryAt = storage.retryAt, now < retryAt {
      return storageReport
    }
    guard record.renewableGrant != nil else { return nil }
    if let quietUntil = renewals.quietUntil, now < quietUntil { return failureReport }
    guard let obtainedAt = renewals.obtainedAt else { return nil }
    let interval = RenewalPolicy.rejectionInterval(lifetime: record.grant?.lifetime)
    if validFor == nil, let demandedAt = renewals.demandedAt,
      now.since(demandedAt) < interval, now.since(obtainedAt.boot) >= min(interval, .seconds(1))
    {
      let wait = DurationText.wait(interval - now.since(demandedAt))
      return .failed(
        .rateLimited, "the session was renewed on demand a moment ago; again in \(wait)")
    }
    // More validity than the provider grants cannot be had by asking again and again.
    guard now.since(obtainedAt.boot) < (validFor == nil ? min(interval, .seconds(1)) : interval)
    else { return nil }
    return .renewed(generation: publication.generation)
  }

  /// What a caller is told while renewals fail.
  var failureReport: RenewalReport {
    if let refusal = record.refusal {
      return .failed(.reauthenticationRequired, refusal.description)
    }
    let text = renewals.failure ?? "the provider cannot be reached"
    if case .waiting = renewals.hostState { return .failed(.waiting, text) }
    return .failed(.offline, text)
  }

  /// What a caller is told while nothing can be stored.
  var storageReport: RenewalReport {
    .failed(.storage, storage.failure ?? "the session could not be stored")
  }

  /// What a caller is told when there is nothing to renew.
  func reportNotRenewable() -> RenewalReport {
    switch record.phase {
    case .empty, .signedOut:
      .failed(.notSignedIn, "nobody is signed in; run: tokenvault sign-in \(setup.namespace)")
    case .reauthenticationRequired(let reason):
      .failed(.reauthenticationRequired, reason.description)
    case .active:
      .failed(
        .reauthenticationRequired, ReauthenticationReason.noRefreshToken.description)
    }
  }
}

extension RenewalReport {
  /// The host is about to end.
  static let stopping = RenewalReport.failed(.stopping, "the host is stopping")
}
