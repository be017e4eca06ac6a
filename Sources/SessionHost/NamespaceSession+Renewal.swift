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
  ///
  /// A caller that is cancelled waits no longer; the renewal goes on without it.
  package func renew() async -> RenewalReport {
    guard let task = renewalTask() else { return .stopping }
    return await task.value(by: time) ?? .failed(.cancelled, "the caller has left")
  }

  /// Renews the session of its own accord, if it is its turn among the provider's sessions soon.
  ///
  /// Where it is not, the snapshot and what else is due do not wait for the others, of which each may
  /// take as long as a provider that does not answer.
  func renewInTurn() async {
    let queue = setup.queue
    guard await isTurn(in: queue) else {
      // Readers were promised a snapshot soon after the renewal was due.
      if !Task.isCancelled { publishSnapshot() }
      return
    }
    // Meanwhile somebody may have asked for it, or have ended the session.
    guard renewal == nil, !isStopping, let wait = timeUntilRenewal(now: time.now()), wait <= .zero
    else {
      queue.leave()
      _ = await renewal?.value(by: time)
      return
    }
    let task = Task {
      defer { queue.leave() }
      return await self.performRenewal()
    }
    renewal = task
    _ = await task.value(by: time)
  }

  private func isTurn(in queue: RenewalQueue) async -> Bool {
    if queue.enterIfFree() { return true }
    let turn = Task { await queue.enter() }
    _ = await turn.value(within: .seconds(20), by: time)
    turn.cancel()
    return await turn.value
  }

  private func renewalTask() -> Task<RenewalReport, Never>? {
    if let renewal { return renewal }
    guard !isStopping else { return nil }
    let task = Task { await self.performRenewal() }
    renewal = task
    return task
  }

  private func performRenewal() async -> RenewalReport {
    defer {
      renewal = nil
      if renewals.hostState == .renewing { renewals.hostState = .ok }
      scheduleTimer()
    }
    if storage.isBehind, !saveAgain() { return storageReport }
    guard let grant = record.renewableGrant else { return reportNotRenewable() }
    guard !record.isRollbackSuspected else { return failureReport }
    // As when a copy of an older record was put back.
    guard !isLatched(grant.refreshToken) else {
      return end(.init(.invalidGrant, revokes: false))
    }
    let isRetry = record.rotationIntent?.isRetry ?? false
    return await attempt(grant, isRetry: isRetry, hasReloaded: false)
  }

  private func attempt(_ grant: Grant, isRetry: Bool, hasReloaded: Bool) async -> RenewalReport {
    let began = time.now()
    renewals.lastAttemptAt = began.boot
    let intent = CanonicalRecord.RotationIntent(startedAt: began.wall, isRetry: isRetry)
    var journaled = record
    journaled.rotationIntent = intent
    do { try commit(journaled) } catch { return storageReport }
    log(.debug, "\(setup.namespace): asking the provider to renew the session")
    let epoch = epoch
    let announcement = announceIfSlow(epoch: epoch)
    let journal = RenewalJournal(session: self, epoch: epoch)
    var outcome = await setup.source.renew(grant, journal: journal)
    announcement.cancel()
    guard epoch == self.epoch else {
      return .failed(.cancelled, "the session was ended meanwhile")
    }
    if case .issued(let issued) = outcome, !isStored(issued.grant.refreshToken) {
      outcome = .notStored
    }
    switch RenewalVerdict.judge(outcome, of: grant, intent: intent, hasReloaded: hasReloaded) {
    case .retryLostAnswer:
      // The intent stays: the next start asks once more.
      guard !isStopping else { return .stopping }
      log(.warning, "\(setup.namespace): the answer to a renewal was lost; asking once more")
      return await attempt(record.renewableGrant ?? grant, isRetry: true, hasReloaded: hasReloaded)
    case .reload(let otherwise):
      guard let newer = newerGrant(than: grant) else { return conclude(otherwise, grant, intent) }
      return await attempt(newer, isRetry: false, hasReloaded: true)
    case .conclude(let conclusion): return conclude(conclusion, grant, intent)
    }
  }

  private func conclude(
    _ conclusion: RenewalVerdict.Conclusion, _ grant: Grant,
    _ intent: CanonicalRecord.RotationIntent
  ) -> RenewalReport {
    switch conclusion {
    case .accept(let renewed): return accept(renewed)
    case .end(let ending): return end(ending)
    case .keep(let cause, let retryAfter, let countsAsRefusal):
      var kept = record
      // Until the provider has answered, what it did with the token is open, also for later tries.
      let isAnswered =
        grant.refreshToken.map { record.currentRefreshToken?.isSame(as: $0) != true } ?? true
      let isOpen = !isAnswered && (intent.isRetry || cause.mayHaveBeenCarriedOut)
      kept.rotationIntent = isOpen ? .init(startedAt: intent.startedAt, isRetry: true) : nil
      kept.refusals += countsAsRefusal ? 1 : 0
      return keep(kept, cause, retryAfter: retryAfter)
    }
  }

  private func accept(_ grant: Grant) -> RenewalReport {
    var renewed = record
    unlatch(&renewed, for: grant.refreshToken)
    renewed.renew(as: grant)
    let now = time.now()
    renewed.obtainedAt = now
    renewals.noteObtained(at: now, jitter: time.random())
    guard commitOrKeep(renewed) else { return storageReport }
    publishSnapshot()
    log(.info, "\(setup.namespace): renewed, generation \(publication.generation)")
    if let failure = publication.failure { return .failed(.storage, failure) }
    return .renewed(generation: publication.generation)
  }

  private func end(_ ending: RenewalVerdict.Ending) -> RenewalReport {
    var ended = record
    if !ending.revokes { latch(&ended) }
    ended.end(
      as: .reauthenticationRequired(ending.reason), now: time.now().wall,
      revoking: ending.revokes)
    renewals.noteEnd()
    if commitOrKeep(ended) { publishSnapshot() }
    log(.error, "\(setup.namespace): \(ending.reason); sign in again")
    setup.onError?(ending.reason.description)
    beginSettlement()
    return .failed(.reauthenticationRequired, ending.reason.description)
  }

  private func keep(
    _ kept: CanonicalRecord, _ cause: TransientCause, retryAfter: Duration?
  ) -> RenewalReport {
    let wait = RenewalPolicy.wait(
      after: cause, retryAfter: retryAfter, attempt: renewals.failures + 1,
      random: time.random())
    // Not by their number: a try that a caller hurried on does not count.
    let isFirst = renewals.cause == nil
    let isNew = renewals.fail(
      cause, wait: wait, isObeying: retryAfter != nil, now: time.now())
    let isStored = commitOrKeep(kept)
    if kept.refusal != nil { renewals.hostState = .ok }
    if isStored { publishSnapshot() }
    // What cannot be stored was reported when it could not.
    if case .storage = cause { return storageReport }
    // The same fault at each try would only fill the journal.
    log(isNew ? .warning : .debug, "\(setup.namespace): \(cause)")
    if isFirst { setup.onError?(cause.description) }
    return isStored ? failureReport : storageReport
  }

  // Durable before believed, whatever a source says: any of them could make a journal of its own.
  private func isStored(_ token: RefreshToken?) -> Bool {
    guard let token, let durable = stored.currentRefreshToken else { return false }
    return durable.isSame(as: token)
  }

  private func newerGrant(than grant: Grant) -> Grant? {
    guard let found = store.readableRecord(of: setup.namespace), let newer = found.renewableGrant,
      let old = grant.refreshToken, newer.refreshToken?.isSame(as: old) == false,
      !isLatched(newer.refreshToken)
    else { return nil }
    record = found
    stored = found
    return newer
  }

  // A renewal that takes a moment is nobody's concern; a slow one explains an old snapshot.
  private func announceIfSlow(epoch: UInt64) -> Task<Void, Never> {
    let sleep = time.sleep
    let deadline = time.now().boot + .milliseconds(300)
    return Task {
      do { try await sleep(deadline) } catch { return }
      self.announceRenewal(epoch: epoch)
    }
  }

  private func announceRenewal(epoch: UInt64) {
    guard epoch == self.epoch, renewal != nil, !Task.isCancelled else { return }
    renewals.hostState = .renewing
    publishSnapshot()
  }
}

extension GrantOutcome {
  /// What is made of a grant whose token this host's journal has not stored.
  static let notStored = GrantOutcome.transient(
    .storage(JournalError("a grant came whose token had not been stored")), retryAfter: nil)
}

/// The journal of one renewal: writes the rotated token next to the old one.
private struct RenewalJournal: GrantJournal {
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
      rotated.queueRevocation(of: .refreshToken(token), now: time.now().wall)
      commitOrKeep(rotated)
      beginSettlement()
      throw JournalError("the session was ended meanwhile")
    }
    unlatch(&rotated, for: token)
    rotated.rotatedToken = token
    guard commitOrKeep(rotated) else {
      throw JournalError(storage.failure ?? "the rotated token could not be stored")
    }
  }
}
