package import GrantModel
package import SecureStore
package import SecretMemory
package import SessionModel
package import SnapshotStore

/// One namespace's session: the only one who renews it, stores it and publishes it.
///
/// Decisions are `RenewalPolicy`'s and `RenewalVerdict`'s; this actor carries them out, one after
/// another, and gives all callers of a renewal the same one.
package actor NamespaceSession {
  /// What a namespace is made of.
  package struct Setup: Sendable {
    /// The namespace.
    package let namespace: Namespace
    /// Where its session comes from.
    package let source: any SessionSource
    /// When it is renewed.
    package let policy: RenewalPolicy
    /// Whose readers may have it.
    package let accessGroups: [AccessGroup]
    /// Whether readers get the refresh and ID token too, as `doctor` warns.
    package let sharesRefreshToken: Bool
    /// A name for the account that the person chose; shown instead of the provider's.
    package let accountName: String?
    /// Told once when a renewal begins to fail and when the session ends, in one sentence.
    package let onError: (@Sendable (String) -> Void)?

    /// Creates a setup.
    package init(
      namespace: Namespace, source: any SessionSource, policy: RenewalPolicy,
      accessGroups: [AccessGroup] = [.default], sharesRefreshToken: Bool = false,
      accountName: String? = nil, onError: (@Sendable (String) -> Void)? = nil
    ) {
      self.namespace = namespace
      self.source = source
      self.policy = policy
      self.accessGroups = accessGroups
      self.sharesRefreshToken = sharesRefreshToken
      self.accountName = accountName
      self.onError = onError
    }
  }

  let setup: Setup
  let store: EncryptedStore
  let publish: @Sendable (SnapshotDraft) throws(PublicationError) -> Void
  let latchKey: SecretBytes
  let fingerprinter: AccountFingerprinter
  let time: HostTime
  let log: HostLog

  var record: CanonicalRecord
  var hostState: HostState = .ok
  /// The last failure in words, until something succeeds.
  var lastFailure: String?
  /// Rises with each sign-in and sign-out; an answer that belongs to an older one is not believed.
  var epoch: UInt64 = 0
  var renewal: Task<RenewalReport, Never>?
  var isSigningIn = false
  /// The record in memory is newer than the stored one, because storing failed.
  var isUnsaved = false
  var failures = 0
  var retryAt: BootTime?
  var lastAttemptAt: BootTime?
  var revocationRetryAt: BootTime?
  /// When the access token was obtained, if this process obtained it.
  var obtainedAt: Instant?
  var publishedAt: Instant?
  var publicationFailures = 0
  private var jitter: Double
  private var timer: Task<Void, Never>?

  /// Creates a session from its record; nothing happens until `start`.
  package init(
    setup: Setup, record: CanonicalRecord, store: EncryptedStore, latchKey: consuming SecretBytes,
    fingerprinter: AccountFingerprinter,
    publish: @escaping @Sendable (SnapshotDraft) throws(PublicationError) -> Void,
    time: HostTime, log: HostLog
  ) {
    self.setup = setup
    self.record = record
    self.store = store
    self.latchKey = latchKey
    self.fingerprinter = fingerprinter
    self.publish = publish
    self.time = time
    self.log = log
    jitter = time.random()
  }

  /// Publishes what is known, settles what an earlier process left open, and begins to renew.
  package func start() {
    if let token = record.signInToken {
      record.queueRevocation(of: token, now: time.now().wall)
      record.signInToken = nil
      isUnsaved = true
    }
    if let intent = record.rotationIntent, !intent.isRetry {
      // The provider may have rotated the token before the crash: the next try is the only one.
      record.rotationIntent = .init(startedAt: intent.startedAt, isRetry: true)
      isUnsaved = true
    }
    if isUnsaved { saveAgain() }
    publishSnapshot()
    scheduleTimer()
    if !record.pendingRevocations.isEmpty { Task { await self.settleRevocations() } }
  }

  /// Renews the session if it is due, and publishes it.
  ///
  /// - Returns: whether a renewal that was due succeeded.
  package func runOnce() async -> Bool {
    publishSnapshot()
    await settleRevocations()
    timer?.cancel()
    guard let wait = timeUntilRenewal(now: time.now()), wait <= .zero else { return true }
    defer { timer?.cancel() }
    if case .renewed = await renew() { return true }
    return false
  }

  /// Stops renewing; a renewal that is under way is waited for.
  package func stop() async {
    timer?.cancel()
    timer = nil
    _ = await renewal?.value
    if isUnsaved { saveAgain() }
  }

  /// Makes a new record durable; when this fails, the record stays as it was.
  func commit(_ record: CanonicalRecord) throws(SecureStoreError) {
    try store.set(record.encoded(), .session, setup.namespace)
    self.record = record
    isUnsaved = false
  }

  /// Makes a new record durable, or keeps it in memory and goes on trying.
  ///
  /// - Returns: whether it is durable.
  @discardableResult
  func commitOrKeep(_ record: CanonicalRecord) -> Bool {
    do {
      try commit(record)
      return true
    } catch {
      self.record = record
      isUnsaved = true
      hostState = .storageFailed
      fail(error.description)
      return false
    }
  }

  /// Tries once more to make the record in memory durable.
  func saveAgain() {
    guard commitOrKeep(record) else { return }
    if hostState == .storageFailed { hostState = .ok }
  }

  func fail(_ text: String) {
    // Said once: the same fault at each retry would only fill the journal.
    let level: HostLog.Level = lastFailure == text ? .debug : .warning
    lastFailure = text
    log(level, "\(setup.namespace): \(text)")
  }

  /// Notes that a token was obtained just now, from which its renewal is counted.
  func noteObtained() {
    obtainedAt = time.now()
    jitter = time.random()
    failures = 0
    retryAt = nil
    lastFailure = nil
    hostState = .ok
  }

  /// Returns how long it is until the next renewal; nil when none is planned.
  func timeUntilRenewal(now: Instant) -> Duration? {
    guard setup.policy.isAutomatic, record.renewableGrant != nil, !record.isRefused,
      let grant = record.grant
    else { return nil }
    if let retryAt { return retryAt.since(now.boot) }
    if record.rotatedToken != nil || record.rotationIntent != nil { return .zero }
    let lifetime = grant.expiresAt.map { $0.since(grant.issuedAt) }
    guard let age = setup.policy.renewalAge(lifetime: lifetime, random: jitter) else { return nil }
    // The boot clock and the wall clock, whichever says so earlier: either may have been set.
    let byWall = age - now.wall.since(grant.issuedAt)
    guard let obtainedAt else { return byWall }
    return min(byWall + .seconds(1), age - now.boot.since(obtainedAt.boot))
  }

  func scheduleTimer() {
    timer?.cancel()
    timer = Task { await self.runTimer() }
  }

  private func runTimer() async {
    while !Task.isCancelled {
      let wait = timeUntilNextAct(now: time.now())
      if wait > .zero {
        // Capped, because neither clock change nor suspend wakes a sleeping task.
        do { try await time.sleep(min(wait, .seconds(60))) } catch { return }
        continue
      }
      await act()
    }
  }

  private func timeUntilNextAct(now: Instant) -> Duration {
    var wait = RenewalPolicy.heartbeat
    if let renewal = timeUntilRenewal(now: now) { wait = min(wait, renewal) }
    if isUnsaved, let retryAt { wait = min(wait, retryAt.since(now.boot)) }
    if let revocationRetryAt { wait = min(wait, revocationRetryAt.since(now.boot)) }
    if let publication = timeUntilPublication(now: now) { wait = min(wait, publication) }
    return wait
  }

  private func act() async {
    let now = time.now()
    if isUnsaved, retryAt.map({ $0 <= now.boot }) ?? true { saveAgain() }
    if let revocationRetryAt, revocationRetryAt <= now.boot { await settleRevocations() }
    if let wait = timeUntilRenewal(now: now), wait <= .zero { _ = await renew() }
    if let wait = timeUntilPublication(now: now), wait <= .zero { publishSnapshot() }
  }
}
