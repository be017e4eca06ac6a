import GrantModel
import HostControl
import SessionModel

/// What became of the grants that the provider was to be told of, the best first.
enum SettlementOutcome: Sendable, Comparable {
  /// The provider has forgotten all of them.
  case done
  /// The provider offers no revocation for at least one.
  case unsupported
  /// At least one is tried again later.
  case pending
}

extension NamespaceSession {
  /// Tries to have every pending grant revoked; callers at the same time share one attempt.
  ///
  /// - Returns: what became of them, the worst outcome of all.
  @discardableResult
  func settleRevocations() async -> SettlementOutcome {
    guard let task = settlementTask() else {
      return record.pendingRevocations.isEmpty ? .done : .pending
    }
    return await task.value
  }

  /// Begins to have every pending grant revoked and waits for nothing.
  func beginSettlement() {
    _ = settlementTask()
  }

  // A task of its own, so that a caller who leaves takes no request along.
  private func settlementTask() -> Task<SettlementOutcome, Never>? {
    // Also for whoever joins: the attempt's own end says when the next one is due.
    revocationRetryAt = nil
    if let settlement { return settlement }
    guard !isStopping, nextRevocation(after: []) != nil else { return nil }
    let task = Task { await self.performSettlement() }
    settlement = task
    return task
  }

  private func performSettlement() async -> SettlementOutcome {
    var worst = SettlementOutcome.done
    var tried: [RevocableToken] = []
    // What comes onto the list meanwhile is settled too: its callers share this attempt.
    var retryAt: BootTime?
    while let token = nextRevocation(after: tried) {
      tried.append(token)
      log(.debug, "\(setup.namespace): asking the provider to revoke a grant")
      switch await setup.source.revoke(token) {
      case .done: settle(token)
      case .unsupported(let why):
        log(.info, "\(setup.namespace): not revoked at the provider: \(why)")
        settle(token)
        worst = max(worst, .unsupported)
      case .transient(let cause, let retryAfter):
        worst = .pending
        let next = postpone(token, because: cause, retryAfter: retryAfter)
        retryAt = max(retryAt ?? next, next)
      }
    }
    if worst != .pending { revocationFailures = 0 }
    settlement = nil
    revocationRetryAt = retryAt
    scheduleTimer()
    return worst
  }

  // The latest first: it is the one that somebody waits for. None that a file might still name as
  // in force: with what is not stored, the host would go on with a revoked token after a crash.
  private func nextRevocation(after tried: [RevocableToken]) -> RevocableToken? {
    let stored = stored.pendingRevocations.map(\.token)
    return record.pendingRevocations.map(\.token).last { token in
      stored.contains { $0.isSame(as: token) } && !tried.contains { $0.isSame(as: token) }
    }
  }

  private func settle(_ token: RevocableToken) {
    var settled = record
    settled.pendingRevocations.removeAll { $0.token.isSame(as: token) }
    commitOrKeep(settled)
  }

  // Returns when the next attempt is due.
  private func postpone(
    _ token: RevocableToken, because cause: TransientCause, retryAfter: Duration?
  ) -> BootTime {
    let now = time.now()
    var postponed = record
    if let index = postponed.pendingRevocations.firstIndex(where: { $0.token.isSame(as: token) }) {
      // Without a network nothing was tried: only the expiry counts.
      if !cause.isUnreachable { postponed.pendingRevocations[index].attempts += 1 }
      let entry = postponed.pendingRevocations[index]
      if entry.attempts >= RenewalPolicy.revocationLimit || entry.expiresAt <= now.wall {
        postponed.pendingRevocations.remove(at: index)
        log(
          .warning, "\(setup.namespace): a grant could not be revoked and is given up: \(cause)")
      }
      commitOrKeep(postponed)
    }
    revocationFailures += 1
    return now.boot
      + RenewalPolicy.wait(
        after: cause, retryAfter: retryAfter, attempt: revocationFailures,
        random: time.random())
  }
}

extension HostControl.RevocationOutcome {
  /// What the caller of a sign-out is told.
  init(_ outcome: SettlementOutcome) {
    switch outcome {
    case .done: self = .done
    case .unsupported: self = .unsupported
    case .pending: self = .pending
    }
  }
}
