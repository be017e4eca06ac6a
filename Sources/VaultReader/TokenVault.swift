package import FileSupport
import Glibc
public import SessionModel
import SnapshotFormat
import Synchronization

/// The sessions that the host publishes for one access group, for programs that use them.
///
/// A reader never signs in, never renews, never blocks the host and never opens a browser: it
/// reads the newest snapshot. Any thread may use it; one for the whole program is enough.
///
/// ```swift
/// let vault = TokenVault()
/// let token = try vault.accessToken(namespace: "primary", validFor: .seconds(30))
/// ```
public final class TokenVault: Sendable {
  /// The access group whose snapshots are read.
  public let accessGroup: AccessGroup
  let context: ReaderContext
  private let slots = Mutex<[SnapshotSlot]>([])

  /// Opens the default access group, in the directories that the environment names.
  ///
  /// Nothing is read before a namespace is asked for.
  public convenience init() {
    self.init(group: .default)
  }

  /// Opens an access group, in the directories that the environment names.
  ///
  /// - Parameter accessGroup: the group's name: 1 to 64 letters, digits, `.`, `_` and `-`, the
  ///   first of them a letter or a digit.
  /// - Throws: `InvalidNameError` for a name that breaks this rule.
  public convenience init(accessGroup: String) throws(InvalidNameError) {
    guard let group = AccessGroup(accessGroup) else {
      throw InvalidNameError(kind: .accessGroup, name: accessGroup)
    }
    self.init(group: group)
  }

  private convenience init(group: AccessGroup) {
    let environment = Environment.process(VaultDirectories.variables)
    self.init(
      accessGroup: group,
      directories: VaultDirectories(environment: environment, user: geteuid()))
  }

  /// Opens an access group in given directories and with given clocks.
  ///
  /// - Parameters:
  ///   - accessGroup: the group.
  ///   - directories: where the parts of the vault may be.
  ///   - clock: what decides about expiry and staleness.
  package init(
    accessGroup: AccessGroup, directories: VaultDirectories, clock: ReaderClock = .system
  ) {
    self.accessGroup = accessGroup
    context = ReaderContext(
      search: SnapshotSearch(directories: directories, accessGroup: accessGroup), clock: clock)
  }

  /// Reads the session of a namespace, whether its access token is still good or not.
  ///
  /// The record holds no refresh token and no ID token unless the host is configured to share
  /// them, and even then they cannot be read through this library.
  /// - Parameter namespace: the namespace's name.
  /// - Returns: the record; nil when there is no snapshot, or one that says that nobody is
  ///   signed in.
  /// - Throws: `AccessTokenError` when a snapshot is there and cannot be read.
  public func loadSession(
    namespace: String = "primary"
  ) throws(AccessTokenError) -> StoredSessionV1? {
    let slot = try slot(named: namespace)
    let now = context.clock.now()
    switch slot.look(at: now) {
    case .absent: return nil
    case .snapshot(let accepted):
      if case .unknown = accepted.snapshot.content {
        throw refusal(.unsupportedRecord, slot, at: now)
      }
      return accepted.session?.record
    case .failure(let failure): throw refusal(Self.reason(for: failure.state), slot, at: now)
    }
  }

  /// Returns an access token that is good for a while.
  ///
  /// Without a validity the token is good for the default margin, which is 30 s or an eighth of
  /// the token's lifetime, whichever is less; a token whose end is not known is handed out too.
  /// When nothing has changed since the last call this costs one `fstat(2)`.
  /// - Parameters:
  ///   - namespace: the namespace's name.
  ///   - validity: how long the token must be good from now, as a promise to the caller;
  ///     `.zero` takes any that has not ended.
  /// - Returns: the access token.
  /// - Throws: `AccessTokenError` with the reason and the state.
  public func accessToken(
    namespace: String = "primary", validFor validity: Duration? = nil
  ) throws(AccessTokenError) -> String {
    try usable(namespace, validFor: validity).accessToken
  }

  /// Returns a session whose access token is good for a while, as `accessToken` judges it.
  ///
  /// - Parameters:
  ///   - namespace: the namespace's name.
  ///   - validity: how long the token must be good from now; nil for the default margin.
  /// - Returns: the record and its account, both of one snapshot.
  /// - Throws: `AccessTokenError` with the reason and the state.
  package func usableSession(
    namespace: String, validFor validity: Duration? = nil
  ) throws(AccessTokenError) -> UsableSession {
    let session = try usable(namespace, validFor: validity)
    return UsableSession(record: session.record, accountName: session.accountName)
  }

  /// Tells what state a namespace is in; it never throws.
  ///
  /// - Parameter namespace: the namespace's name; a name that breaks the rule is `absent`.
  /// - Returns: the state, with a reason and what to do next in words.
  public func state(namespace: String = "primary") -> VaultState {
    do {
      return state(of: try slot(named: namespace), at: context.clock.now())
    } catch {
      return error.state
    }
  }

  /// Reads what is new of a namespace, so that whoever asks for it next finds it read.
  ///
  /// - Parameter namespace: the namespace's name.
  package func refresh(namespace: String) {
    guard let slot = try? slot(named: namespace) else { return }
    _ = slot.lookWithPresence(at: context.clock.now())
  }

  /// The namespaces that snapshots have been published for, in the order of their names.
  ///
  /// - Throws: `AccessTokenError` when the directories cannot be read.
  package func publishedNamespaces() throws(AccessTokenError) -> [Namespace] {
    do {
      return try context.search.publishedNamespaces()
    } catch {
      throw refusal(error)
    }
  }

  /// The access groups that have a directory of their own, in the order of their names.
  ///
  /// - Throws: `AccessTokenError` when the directories cannot be read.
  package func publishedGroups() throws(AccessTokenError) -> [AccessGroup] {
    do {
      return try context.search.publishedGroups()
    } catch {
      throw refusal(error)
    }
  }

  /// The places that may hold a namespace's snapshot; the first that exists is the one.
  ///
  /// - Parameter namespace: the namespace.
  /// - Returns: the places, the best first.
  package func candidateSites(of namespace: Namespace) -> [SnapshotSite] {
    context.search.candidateSites(of: namespace)
  }

  /// The runtime directory in which a namespace was looked for last.
  ///
  /// - Parameter namespace: the namespace's name.
  /// - Returns: that of one of `candidateSites`; nil when none exists, or none may be used.
  package func runtimeRead(of namespace: String) -> String? {
    (try? slot(named: namespace))?.runtimeRead
  }

  /// Returns what is known of a namespace by its name.
  ///
  /// - Throws: `AccessTokenError` for a name that breaks the rule.
  func slot(named name: String) throws(AccessTokenError) -> SnapshotSlot {
    let slot = slots.withLock { slots in
      // Few namespaces: looking at each is quicker than hashing the name. What is equal to ASCII and
      // not the same is longer, as U+212A is for K.
      for slot in slots
      where slot.namespace.name == name && slot.namespace.name.utf8.count == name.utf8.count {
        return slot as SnapshotSlot?
      }
      guard let namespace = Namespace(name) else { return nil }
      let slot = SnapshotSlot(namespace, context: context)
      slots.append(slot)
      return slot
    }
    if let slot { return slot }
    throw AccessTokenError(
      reason: .invalidNamespace,
      state: VaultState(
        namespace: PrintableText.oneLine(name), accessGroup: accessGroup, session: .absent,
        detail: InvalidNameError(kind: .namespace, name: name).description, isHostRunning: nil))
  }

  private func usable(
    _ namespace: String, validFor validity: Duration?
  ) throws(AccessTokenError) -> AcceptedSession {
    let slot = try slot(named: namespace)
    let now = context.clock.now()
    let accepted = try accepted(slot, at: now)
    if let reason = accepted.refusal(for: validity, at: now) {
      throw refusal(reason, slot, at: now)
    }
    guard let session = accepted.session else {
      throw refusal(.unsupportedRecord, slot, at: now)
    }
    return session
  }

  /// Looks for a snapshot that can be read.
  func accepted(
    _ slot: SnapshotSlot, at now: ClockReading
  ) throws(AccessTokenError) -> AcceptedSnapshot {
    switch slot.look(at: now) {
    case .absent: throw refusal(.absent, slot, at: now)
    case .failure(let failure): throw refusal(Self.reason(for: failure.state), slot, at: now)
    case .snapshot(let accepted): return accepted
    }
  }

  private func state(of slot: SnapshotSlot, at now: ClockReading) -> VaultState {
    let (finding, isHostRunning) = slot.lookWithPresence(at: now)
    return VaultState.of(
      finding, namespace: slot.namespace, accessGroup: accessGroup,
      isHostRunning: isHostRunning, at: now)
  }

  /// Makes an error of a reason and the state that a namespace is in.
  func refusal(
    _ reason: AccessTokenError.Reason, _ slot: SnapshotSlot, at now: ClockReading
  ) -> AccessTokenError {
    AccessTokenError(reason: reason, state: state(of: slot, at: now))
  }

  private func refusal(_ error: FileError) -> AccessTokenError {
    let failure = ReadFailure(error)
    return AccessTokenError(
      reason: Self.reason(for: failure.state),
      state: VaultState(
        namespace: Namespace.primary.name, accessGroup: accessGroup, session: failure.state,
        detail: failure.detail, mend: failure.mend, isHostRunning: nil))
  }

  /// The reason that an error state is.
  static func reason(for state: SessionState) -> AccessTokenError.Reason {
    switch state {
    case .keyUnavailable: .keyUnavailable
    case .unsupportedVersion: .unsupportedVersion
    case .permission: .permission
    case .storage(let errno): .storage(errno: errno)
    default: .corrupt
    }
  }
}
