import GrantModel
package import SecretMemory
package import SecureStore
import SessionModel
import SnapshotFormat
package import SnapshotStore

/// One namespace's session: the only one who renews it, stores it and publishes it.
///
/// Decisions are `RenewalPolicy`'s and `RenewalVerdict`'s; this actor carries them out, one after
/// another, and gives all callers of a renewal the same one.
package actor NamespaceSession {
  let setup: Setup
  let store: EncryptedStore
  let outlet: SnapshotOutlet
  let latchKey: SharedSecret
  let fingerprinter: AccountFingerprinter
  let time: HostTime
  let log: HostLog

  // What is true, and what of it is durable. Both are the same but while storing fails; then only
  // what is durable is published.
  var record: CanonicalRecord {
    didSet { noteMatter() }
  }
  var stored: CanonicalRecord
  var storage = StorageState()
  var renewals = RenewalState()
  var publication: PublicationState

  /// Whether an earlier process ended while a sign-in was asking for its grant.
  private let wasSignInCutOff: Bool

  /// Rises with each sign-out; what was begun before it is not believed.
  var epoch: UInt64 = 0
  var renewal: Task<RenewalReport, Never>?
  var signingIn: Task<GrantOutcome, Never>?
  /// What became of the grant that the sign-in under way has brought already.
  var adoption: SignInReport?
  var settlement: Task<SettlementOutcome, Never>?
  var revocationRetryAt: BootTime?
  var revocationFailures = 0
  private(set) var isStopping = false
  private(set) var isRunning = false
  /// What a person was last said to be needed for; nil before the first time.
  var notedMatter: PersonMatter??
  private var timer: Task<Void, Never>?

  /// Creates a session from its record; nothing happens until `start`.
  ///
  /// - Parameters:
  ///   - setup: what the namespace is made of.
  ///   - record: what is stored, or what to begin with.
  ///   - isStored: whether the record is in the store as it is.
  ///   - store: where the record goes.
  ///   - latchKey: the key of the fingerprints of tokens that must not be used again.
  ///   - fingerprinter: makes the fingerprints of accounts.
  ///   - outlet: where snapshots go.
  ///   - time: the clocks.
  ///   - log: where the session reports.
  package init(
    setup: Setup, record: CanonicalRecord, isStored: Bool = true, store: EncryptedStore,
    latchKey: SharedSecret, fingerprinter: AccountFingerprinter, outlet: SnapshotOutlet,
    time: HostTime, log: HostLog
  ) {
    self.setup = setup
    self.store = store
    self.latchKey = latchKey
    self.fingerprinter = fingerprinter
    self.outlet = outlet
    self.time = time
    self.log = log
    let now = time.now()
    wasSignInCutOff = record.exchangeStartedAt != nil
    var settled = record
    if settled.settleInterruption(now: now.wall) || !isStored { storage.retryAt = now.boot }
    self.record = settled
    stored = record
    publication = PublicationState(of: record)
    renewals.jitter = time.random()
  }

  /// Publishes what is known, settles what an earlier process left open, and begins to renew.
  ///
  /// Nothing here waits for the provider.
  package func start() {
    guard !isRunning, !isStopping else { return }
    isRunning = true
    // Before it is forgotten: rather twice than never.
    if wasSignInCutOff { tellOfLostGrant() }
    if storage.isBehind { saveAgain() }
    if publication.triedAt == nil { publishSnapshot() }
    scheduleTimer()
    beginSettlement()
    noteMatter()
  }

  /// Renews the session if it is due, and publishes it.
  ///
  /// - Returns: how it came out of it.
  package func runOnce() async -> RunOutcome {
    // Where `start` came first, it has told of it.
    if wasSignInCutOff, !isRunning { tellOfLostGrant() }
    if storage.isBehind { saveAgain() }
    publishSnapshot()
    var isRenewed = true
    if let wait = timeUntilRenewal(now: time.now()), wait <= .zero {
      if case .failed = await renew() { isRenewed = false }
    }
    await settleRevocations()
    if storage.isBehind || publication.failure != nil { return .storage }
    if needsPerson(now: time.now()) { return .reauthenticationRequired }
    return isRenewed ? .done : .temporary
  }

  /// Ends everything that is under way.
  ///
  /// A sign-in is called off and a renewal waited for: its answer may be the only one that holds
  /// the session. A token that cannot be stored even now is revoked: nobody will have it.
  package func stop() async {
    isStopping = true
    isRunning = false
    let former = timer
    timer = nil
    former?.cancel()
    signingIn?.cancel()
    settlement?.cancel()
    let signInOutcome = await signingIn?.value
    // One that has ended without a grant leaves nothing for the next start to tell of.
    if case .terminal? = signInOutcome, record.signInToken == nil { abandonSignIn() }
    _ = await renewal?.value
    _ = await settlement?.value
    await former?.value
    guard storage.isBehind, !saveAgain() else { return }
    // The last write may have failed at its last step only: the file says what the next start has.
    let durable = (store.readableRecord(of: setup.namespace) ?? stored).revocableTokens
    for token in record.revocableTokens where !durable.contains(where: { $0.isSame(as: token) }) {
      log(.error, "\(setup.namespace): a token that could not be stored is revoked")
      _ = await setup.source.revoke(token)
    }
  }

  /// Tries at once what is overdue: the machine has woken up, or the network may be back.
  package func tryOverdue() {
    guard isRunning else { return }
    let now = time.now().boot
    renewals.hurry(now: now)
    if let retryAt = revocationRetryAt { revocationRetryAt = min(retryAt, now) }
    scheduleTimer()
  }

  /// Returns once the actor has had its turn.
  func beat() {}

  /// Sees to it that the timer knows what is due next.
  func scheduleTimer() {
    guard isRunning else { return }
    timer?.cancel()
    timer = Task { await self.runTimer() }
  }

  private func runTimer() async {
    while !Task.isCancelled {
      let now = time.now()
      let wait = timeUntilNextAct(now: now)
      if wait > .zero {
        // Capped, because neither a change of the clock nor a suspend wakes a sleeping task.
        do { try await time.sleep(now.boot + min(wait, .seconds(60))) } catch { return }
        continue
      }
      await act()
    }
  }

  private func timeUntilNextAct(now: Instant) -> Duration {
    let waits = [
      timeUntilRenewal(now: now), timeUntilPublication(now: now),
      timeUntilEndWarning(now: now), timeUntilMatter(now: now), storage.retryAt?.since(now.boot),
      revocationRetryAt?.since(now.boot),
    ]
    return waits.compactMap(\.self).min() ?? RenewalPolicy.heartbeat
  }

  // Whatever is due moves its own next time by doing so; otherwise the timer would not sleep.
  // Nothing but a renewal is waited for, as that must not come late.
  private func act() async {
    let now = time.now()
    if let retryAt = storage.retryAt, retryAt <= now.boot { saveAgain() }
    if let revocationRetryAt, revocationRetryAt <= now.boot { beginSettlement() }
    if let wait = timeUntilRenewal(now: now), wait <= .zero { await renewInTurn() }
    // The renewal has taken its time.
    let later = time.now()
    if let wait = timeUntilEndWarning(now: later), wait <= .zero { warnOfEnd(now: later) }
    if let wait = timeUntilPublication(now: later), wait <= .zero { publishSnapshot() }
    noteMatter()
  }
}
