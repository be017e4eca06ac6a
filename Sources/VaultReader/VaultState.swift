public import SessionModel
package import SnapshotFormat

/// What a reader knows of one namespace at one moment.
///
/// Two axes, never mixed: `session` says whether the access token may be used, `host` says why
/// it is as it is and what will come.
public struct VaultState: Sendable, Hashable {
  /// The namespace as it was asked for.
  public let namespace: String
  /// The access group whose snapshot was read.
  public let accessGroup: AccessGroup
  /// Whether the access token may be used.
  public let session: SessionState
  /// What the host says of itself, or that it is silent.
  public let host: HostCondition
  /// The snapshot's number; it never goes down while the host keeps its state.
  public let generation: UInt64?
  /// When the snapshot was published.
  public let publishedAt: UnixTime?
  /// By when the host will have published again.
  public let nextPublicationBy: UnixTime?
  /// When the access token ends by the wall clock; nil when the provider did not say.
  public let expiresAt: UnixTime?
  /// How long the access token is good from now, by whichever clock ends it earlier.
  public let expiresIn: Duration?
  /// The issuer of the session; nil when there is none.
  public let issuer: String?
  /// The account's name for people; not printable as it is, nil also after a sign-out.
  public let accountName: String?

  /// The account's fingerprint; a change of it is another account.
  package let accountFingerprint: AccountFingerprint?
  /// The host state that counts the generations.
  package let life: SnapshotLife?
  /// How long until the state changes although nothing is published; nil when it never will.
  package let changesAfter: Duration?
  /// What makes the host silent.
  package let silence: HostSilence?
  /// What is wrong with which file, where something is.
  package let detail: String?
  /// What a person does about it.
  let mend: ReadFailure.Mend
  /// How long a host that waits goes on doing so; nil for one that does not wait.
  let retryIn: Duration?

  /// The state that a look at a namespace's place gives.
  ///
  /// - Parameters:
  ///   - finding: what the look found.
  ///   - namespace: the namespace.
  ///   - accessGroup: the access group.
  ///   - isHostRunning: whether a host runs; nil where nobody can tell.
  ///   - now: both clocks.
  /// - Returns: the state.
  static func of(
    _ finding: Finding, namespace: Namespace, accessGroup: AccessGroup, isHostRunning: Bool?,
    at now: ClockReading
  ) -> VaultState {
    switch finding {
    case .snapshot(let accepted):
      VaultState(
        accepted, namespace: namespace, accessGroup: accessGroup, isHostRunning: isHostRunning,
        at: now)
    case .absent:
      VaultState(
        namespace: namespace.name, accessGroup: accessGroup, session: .absent, detail: nil,
        isHostRunning: isHostRunning)
    case .failure(let failure):
      VaultState(
        namespace: namespace.name, accessGroup: accessGroup, session: failure.state,
        detail: failure.detail, mend: failure.mend, isHostRunning: isHostRunning)
    }
  }

  private init(
    _ accepted: AcceptedSnapshot, namespace: Namespace, accessGroup: AccessGroup,
    isHostRunning: Bool?, at now: ClockReading
  ) {
    self.namespace = namespace.name
    self.accessGroup = accessGroup
    let header = accepted.snapshot.header
    session = accepted.sessionState(at: now)
    if isHostRunning == false {
      silence = .notRunning
    } else if accepted.isPresentBoot == false {
      silence = .earlierBoot
    } else {
      silence = accepted.isOverdue(at: now) ? .overdue : nil
    }
    host = silence == nil ? .reported(header.hostState) : .stale
    generation = header.generation
    publishedAt = header.published.wall
    nextPublicationBy = header.nextPublication.wall
    expiresAt = header.accessTokenExpiry
    expiresIn = accepted.session == nil ? nil : accepted.validity.remaining(at: now)
    issuer = accepted.session?.record.issuer
    // Who has left is shown to nobody, whatever a host wrote into its tombstone.
    accountName = session == .signedOut ? nil : header.accountName
    accountFingerprint = header.accountFingerprint
    life = header.life
    changesAfter = accepted.nextChange(after: now)
    retryIn = accepted.timeToRetry(at: now)
    detail = nil
    mend = .inDetail
  }

  /// A state without a snapshot.
  ///
  /// - Parameters:
  ///   - namespace: the namespace as it was asked for.
  ///   - accessGroup: the access group.
  ///   - session: what is said of the session.
  ///   - detail: what is wrong with which file, where something is.
  ///   - mend: what a person does about it.
  ///   - isHostRunning: whether a host runs; nil where nobody can tell.
  init(
    namespace: String, accessGroup: AccessGroup, session: SessionState, detail: String?,
    mend: ReadFailure.Mend = .inDetail, isHostRunning: Bool?
  ) {
    self.namespace = namespace
    self.accessGroup = accessGroup
    self.session = session
    self.detail = detail
    self.mend = mend
    silence = isHostRunning == false ? .notRunning : nil
    host =
      switch isHostRunning {
      case true?: .reported(.ok)
      case false?: .stale
      case nil: .unknown
      }
    generation = nil
    publishedAt = nil
    nextPublicationBy = nil
    expiresAt = nil
    expiresIn = nil
    issuer = nil
    accountName = nil
    accountFingerprint = nil
    life = nil
    changesAfter = nil
    retryIn = nil
  }
}

/// What makes a host silent.
package enum HostSilence: Sendable, Hashable {
  /// No host holds the lock of the runtime directory.
  case notRunning
  /// A host runs, but has not published by the time it named.
  case overdue
  /// The snapshot is of an earlier boot of this machine.
  case earlierBoot
}
