import GrantModel
package import HostControl
import SecureStore
import SessionModel

/// How a sign-out ended for whoever asked for it.
package enum SignOutReport: Sendable, Hashable {
  /// The session is hidden and erased; what became of the grant at the provider.
  case signedOut(HostControl.RevocationOutcome)
  /// Nothing changed.
  case failed(ControlFailureReason, String)
}

extension NamespaceSession {
  /// Signs out: hides the session at once, then tells the provider.
  ///
  /// The tombstone is published before any network call. A provider that can't be reached is told
  /// later; until it has been, the grant stays on the list of pending revocations.
  package func signOut() async -> SignOutReport {
    epoch += 1
    var ended = record
    ended.end(as: .signedOut, now: time.now().wall, revoking: true)
    do {
      try commit(ended)
    } catch {
      epoch -= 1
      return .failed(.storage, error.description)
    }
    hostState = .ok
    lastFailure = nil
    retryAt = nil
    publishSnapshot()
    log(.info, "\(setup.namespace): signed out")
    // A renewal that is under way may still bring a rotated token, which has to be revoked too.
    _ = await renewal?.value
    return .signedOut(await settleRevocations())
  }

  /// Tries to have every pending grant revoked.
  ///
  /// - Returns: what became of them, the worst outcome of all.
  @discardableResult
  func settleRevocations() async -> HostControl.RevocationOutcome {
    var worst = HostControl.RevocationOutcome.done
    for pending in record.pendingRevocations {
      let outcome = await setup.source.revoke(pending.token)
      switch outcome {
      case .done: settle(pending.token)
      case .unsupported(let why):
        log(.info, "\(setup.namespace): not revoked at the provider: \(why)")
        settle(pending.token)
        if worst == .done { worst = .unsupported }
      case .transient(let cause, let retryAfter):
        worst = .pending
        postpone(pending.token, because: cause, retryAfter: retryAfter)
      }
    }
    if record.pendingRevocations.isEmpty { revocationRetryAt = nil }
    scheduleTimer()
    return worst
  }

  private func settle(_ token: RefreshToken) {
    var settled = record
    settled.pendingRevocations.removeAll { $0.token.isSame(as: token) }
    commitOrKeep(settled)
  }

  private func postpone(
    _ token: RefreshToken, because cause: TransientCause, retryAfter: Duration?
  ) {
    let now = time.now()
    var postponed = record
    guard
      let index = postponed.pendingRevocations.firstIndex(where: { $0.token.isSame(as: token) })
    else { return }
    postponed.pendingRevocations[index].attempts += 1
    let entry = postponed.pendingRevocations[index]
    if entry.attempts >= 20 || entry.expiresAt <= now.wall {
      postponed.pendingRevocations.remove(at: index)
      log(.warning, "\(setup.namespace): a grant could not be revoked and is given up: \(cause)")
    }
    commitOrKeep(postponed)
    let wait = RenewalPolicy.wait(
      after: cause, retryAfter: retryAfter, attempt: entry.attempts, random: time.random())
    revocationRetryAt = now.boot + wait
  }
}

extension BootTime {
  /// Returns the point that lies a duration after another; a negative duration counts as none.
  static func + (time: BootTime, duration: Duration) -> BootTime {
    let (seconds, attoseconds) = max(duration, .zero).components
    return BootTime(
      rawValue: time.rawValue + UInt64(seconds) * 1_000_000_000
        + UInt64(attoseconds / 1_000_000_000))
  }
}
