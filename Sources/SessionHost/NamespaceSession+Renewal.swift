import GrantModel
package import HostControl
import SecretMemory
import SecureStore
import SessionModel

/// How a renewal ended for whoever asked for it.
package enum RenewalReport: Sendable, Hashable {
  /// There is a newer access token, in the snapshot of this generation.
  case renewed(generation: UInt64)
  /// There is none; why, in a stable word and a sentence.
  case failed(ControlFailureReason, String)
}

extension NamespaceSession {
  /// Renews the session; any number of callers at once share one request.
  package func renew() async -> RenewalReport {
    if let renewal { return await renewal.value }
    let task = Task { await self.performRenewal() }
    renewal = task
    let report = await task.value
    scheduleTimer()
    return report
  }

  /// Renews the session if its access token is good for less than a caller needs.
  ///
  /// - Parameter validFor: how long the token must be good; nil asks for a renewal in any case.
  /// - Returns: how it ended; a token that is good for long enough is not renewed.
  package func renew(validFor: Duration?) async -> RenewalReport {
    if renewal == nil {
      if let validFor, let left = timeLeft(now: time.now()), left >= validFor {
        return .renewed(generation: record.generation)
      }
      if let refusal = refusalToHurry() { return refusal }
    }
    return await renew()
  }

  /// Renews the session because a resource server rejected the token of a generation.
  ///
  /// - Parameter generation: the generation that the caller read.
  /// - Returns: how it ended; a newer generation than the rejected one is answer enough.
  package func reject(generation: UInt64) async -> RenewalReport {
    if record.grant != nil, generation < record.generation, renewal == nil {
      return .renewed(generation: record.generation)
    }
    let lifetime = record.grant.flatMap { grant in
      grant.expiresAt.map { $0.since(grant.issuedAt) }
    }
    let interval = RenewalPolicy.rejectionInterval(lifetime: lifetime)
    if renewal == nil, let obtainedAt,
      time.now().boot.since(obtainedAt.boot) < interval
    {
      return .failed(.rateLimited, "the token was renewed a moment ago")
    }
    return await renew(validFor: nil)
  }

  /// Returns how long the access token is good; nil when that is not known.
  func timeLeft(now: Instant) -> Duration? {
    guard let grant = record.grant, let expiresAt = grant.expiresAt else { return nil }
    let byWall = expiresAt.since(now.wall)
    guard let obtainedAt else { return byWall }
    let lifetime = expiresAt.since(grant.issuedAt)
    return min(byWall, lifetime - now.boot.since(obtainedAt.boot))
  }

  // Callers may hurry the host on, but neither past what the provider asked for nor in a storm.
  private func refusalToHurry() -> RenewalReport? {
    let now = time.now()
    if case .waiting(let until) = hostState, until > now.wall {
      return .failed(.waiting, lastFailure ?? "the provider asked for patience")
    }
    if let lastAttemptAt, failures > 0, now.boot.since(lastAttemptAt) < .seconds(1) {
      return .failed(.offline, lastFailure ?? "the provider cannot be reached")
    }
    if let obtainedAt, let lifetime = timeLeft(now: obtainedAt),
      now.boot.since(obtainedAt.boot) < min(.seconds(1), lifetime / 4)
    {
      // Renewed a moment ago: more validity than the provider grants can't be had by asking again.
      return .renewed(generation: record.generation)
    }
    return nil
  }

  private func performRenewal() async -> RenewalReport {
    defer { renewal = nil }
    if isUnsaved { saveAgain() }
    guard let grant = record.renewableGrant else { return reportNotRenewable() }
    let isRetry = record.rotationIntent?.isRetry ?? false
    return await attempt(grant, isRetry: isRetry, hasReloaded: false)
  }

  private func attempt(_ grant: Grant, isRetry: Bool, hasReloaded: Bool) async -> RenewalReport {
    let began = time.now()
    lastAttemptAt = began.boot
    let intent = CanonicalRecord.RotationIntent(startedAt: began.wall, isRetry: isRetry)
    var journaled = record
    journaled.rotationIntent = intent
    do {
      try commit(journaled)
    } catch {
      return keep(.storage(JournalError(error.description)), retryAfter: nil, asRefusal: false)
    }
    let epoch = epoch
    let announcement = announceIfSlow(epoch: epoch)
    let journal = RenewalJournal(session: self, epoch: epoch)
    let outcome = await setup.source.renew(grant, journal: journal)
    announcement.cancel()
    guard epoch == self.epoch else {
      return .failed(.cancelled, "the session was ended or replaced meanwhile")
    }
    let verdict = RenewalVerdict.judge(
      outcome, of: grant, intent: intent, hasReloaded: hasReloaded)
    switch verdict {
    case .accept(let renewed): return accept(renewed)
    case .retryLostAnswer:
      log(.warning, "\(setup.namespace): the answer to a renewal was lost; asking once more")
      return await attempt(record.renewableGrant ?? grant, isRetry: true, hasReloaded: hasReloaded)
    case .reload(let ending):
      guard let newer = newerGrant(than: grant) else { return end(ending) }
      return await attempt(newer, isRetry: false, hasReloaded: true)
    case .end(let ending): return end(ending)
    case .keep(let cause, let retryAfter, let asRefusal):
      return keep(cause, retryAfter: retryAfter, asRefusal: asRefusal)
    }
  }

  private func accept(_ grant: Grant) -> RenewalReport {
    var renewed = record
    renewed.phase = .active(grant)
    renewed.accountName = grant.accountName ?? renewed.accountName
    renewed.rotatedToken = nil
    renewed.rotationIntent = nil
    renewed.refusals = 0
    renewed.latchedFingerprint = nil
    guard commitOrKeep(renewed) else {
      planRetry(after: RenewalPolicy.backOff(attempt: 1, random: time.random()))
      return .failed(.storage, lastFailure ?? "")
    }
    noteObtained()
    publishSnapshot()
    log(.info, "\(setup.namespace): renewed, generation \(record.generation)")
    return .renewed(generation: record.generation)
  }

  private func end(_ ending: RenewalVerdict.Ending) -> RenewalReport {
    let token = record.currentRefreshToken
    var ended = record
    ended.end(
      as: .reauthenticationRequired(ending.reason), now: time.now().wall,
      revoking: ending.revokes)
    if !ending.revokes, let token {
      // Only the fingerprint is kept, so that this token is never tried again.
      ended.latchedFingerprint = try? token.fingerprint(key: latchKey)
    }
    commitOrKeep(ended)
    failures = 0
    retryAt = nil
    if !isUnsaved { hostState = .ok }
    publishSnapshot()
    log(.error, "\(setup.namespace): \(ending.reason); sign in again")
    setup.onError?(ending.reason.description)
    if ending.revokes { Task { await self.settleRevocations() } }
    return .failed(.reauthenticationRequired, ending.reason.description)
  }

  private func keep(
    _ cause: TransientCause, retryAfter: Duration?, asRefusal: Bool
  ) -> RenewalReport {
    failures += 1
    let wait = RenewalPolicy.wait(
      after: cause, retryAfter: retryAfter, attempt: failures, random: time.random())
    var kept = record
    // A lost answer keeps its intent: what the provider did with the token is still open.
    if !cause.leavesRotationOpen { kept.rotationIntent = nil }
    kept.refusals += asRefusal ? 1 : 0
    if !isUnsaved { commitOrKeep(kept) } else { record = kept }
    planRetry(after: wait)
    hostState =
      isUnsaved
      ? .storageFailed
      : HostState(
        after: cause, retryAt: time.now().wall + wait + .seconds(1), isObeying: retryAfter != nil)
    fail(cause.description)
    if failures == 1 { setup.onError?(cause.description) }
    publishSnapshot()
    switch hostState {
    case .offline: return .failed(.offline, cause.description)
    case .storageFailed: return .failed(.storage, cause.description)
    default:
      return record.isRefused
        ? .failed(
          .reauthenticationRequired, ReauthenticationReason.refusedWithoutReason.description)
        : .failed(.waiting, cause.description)
    }
  }

  private func planRetry(after wait: Duration) {
    retryAt = time.now().boot + wait
  }

  private func newerGrant(than grant: Grant) -> Grant? {
    guard let bytes = try? store.get(.session, setup.namespace)?.copiedBytes(),
      let stored = try? CanonicalRecord(decoding: bytes), let newer = stored.renewableGrant,
      let new = newer.refreshToken, let old = grant.refreshToken, !new.isSame(as: old)
    else { return nil }
    record = stored
    return newer
  }

  private func reportNotRenewable() -> RenewalReport {
    switch record.phase {
    case .empty, .signedOut: .failed(.notSignedIn, "nobody is signed in")
    case .reauthenticationRequired(let reason):
      .failed(.reauthenticationRequired, reason.description)
    case .active:
      .failed(
        .reauthenticationRequired, ReauthenticationReason.noRefreshToken.description)
    }
  }

  // A renewal that takes a moment is nobody's concern; a slow one explains an old snapshot.
  private func announceIfSlow(epoch: UInt64) -> Task<Void, Never> {
    let sleep = time.sleep
    return Task {
      do { try await sleep(.milliseconds(300)) } catch { return }
      self.announceRenewal(epoch: epoch)
    }
  }

  private func announceRenewal(epoch: UInt64) {
    guard epoch == self.epoch, renewal != nil, !Task.isCancelled else { return }
    hostState = .renewing
    publishSnapshot()
  }
}

extension TransientCause {
  /// Whether the provider may have rotated the refresh token without the host knowing.
  var leavesRotationOpen: Bool {
    if case .lostAnswer = self { true } else { false }
  }
}

/// The journal of one renewal: writes the rotated token next to the old one.
struct RenewalJournal: GrantJournal {
  let session: NamespaceSession
  let epoch: UInt64

  func write(_ grant: ProvisionalGrant) async throws(JournalError) {
    guard let token = grant.refreshToken else { return }
    try await session.storeRotated(token, epoch: epoch)
  }
}

extension NamespaceSession {
  fileprivate func storeRotated(_ token: RefreshToken, epoch: UInt64) throws(JournalError) {
    var rotated = record
    guard epoch == self.epoch else {
      // The session ended while the provider was rotating: the new grant must not be left behind.
      rotated.queueRevocation(of: token, now: time.now().wall)
      commitOrKeep(rotated)
      throw JournalError("the session was ended or replaced meanwhile")
    }
    rotated.rotatedToken = token
    guard commitOrKeep(rotated) else { throw JournalError(lastFailure ?? "storing failed") }
  }
}
