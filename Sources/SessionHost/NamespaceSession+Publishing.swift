import GrantModel
import SessionModel
import SnapshotFormat
package import SnapshotStore

/// A snapshot could not be written.
///
/// It never fails what it was to tell of.
package struct PublicationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence on what failed.
  package let description: String

  /// Creates an error from its sentence.
  package init(_ description: String) {
    self.description = description
  }
}

/// Where snapshots go.
package struct SnapshotOutlet: Sendable {
  /// Whether readers still find what was published; else it is published anew.
  package let isInPlace: @Sendable () -> Bool
  /// Writes one snapshot.
  package let publish: @Sendable (SnapshotDraft) throws(PublicationError) -> Void

  /// Creates an outlet.
  package init(
    isInPlace: @escaping @Sendable () -> Bool,
    publish: @escaping @Sendable (SnapshotDraft) throws(PublicationError) -> Void
  ) {
    self.isInPlace = isInPlace
    self.publish = publish
  }
}

/// Where the counting of snapshots stands and how the last one went.
struct PublicationState {
  /// The life within which the generations count.
  var life: SnapshotLife
  /// The generation of the last snapshot.
  var generation: UInt64
  /// The first generation of this process with the access token that is published now.
  var tokenGeneration: UInt64 = 0
  /// The access token of the last snapshot.
  var token: String?
  /// When a snapshot was last tried to be written.
  var triedAt: Instant?
  /// When one was last written.
  var publishedAt: Instant?
  /// The failure in words, until one is written.
  var failure: String?
  /// How many have failed in a row.
  var failures = 0

  /// Goes on from a record.
  init(of record: CanonicalRecord) {
    life = record.life
    generation = record.generation
    token = record.grant?.accessToken
  }

  /// Takes the next generation.
  mutating func count(_ accessToken: String?) {
    if generation == .max {
      // Nobody can count further; whoever wrote that number, readers accept a new life after it.
      life = .random()
      generation = 0
    }
    generation += 1
    guard token != accessToken else { return }
    token = accessToken
    tokenGeneration = generation
  }
}

extension NamespaceSession {
  /// How long a snapshot may be late before readers call it stale.
  private static let slack: Duration = .seconds(30)

  /// What the host says of itself.
  var hostState: HostState { storage.failure == nil ? renewals.hostState : .storageFailed }

  /// Publishes what is stored as the next generation.
  ///
  /// A namespace in which nobody has ever signed in has no snapshot. What could not be stored is
  /// not published; the host's state says so.
  func publishSnapshot() {
    guard let content = snapshotContent else { return }
    let now = time.now()
    publication.count(stored.grant?.accessToken)
    publication.triedAt = now
    var failure: PublicationError?
    for draft in drafts(of: content, now: now) {
      do throws(PublicationError) { try outlet.publish(draft) } catch { failure = failure ?? error }
    }
    guard let failure else {
      log(.debug, "\(setup.namespace): published generation \(publication.generation)")
      publication.publishedAt = now
      publication.failure = nil
      publication.failures = 0
      return
    }
    let text = "the snapshot cannot be written: \(failure)"
    log(publication.failure == text ? .debug : .warning, "\(setup.namespace): \(text)")
    publication.failure = text
    publication.failures += 1
  }

  /// Returns how long it is until the snapshot is due again.
  ///
  /// In the ordinary way it follows each change; a heartbeat shows that the host is alive, and one
  /// that could not be written is tried again, ever less often.
  func timeUntilPublication(now: Instant) -> Duration? {
    guard let triedAt = publication.triedAt else { return nil }
    if publication.failures == 0, !outlet.isInPlace() { return .zero }
    let interval =
      publication.failures > 0
      ? min(.seconds(1 << min(publication.failures, 9)), .seconds(300))
      : RenewalPolicy.heartbeat * 5 / 6
    return interval - now.boot.since(triedAt.boot)
  }

  private var snapshotContent: SnapshotContent? {
    switch stored.phase {
    case .empty: return nil
    case .signedOut: return .signedOut
    case .reauthenticationRequired(let reason): return .reauthenticationRequired(reason)
    case .active(let grant):
      if let refusal = stored.refusal { return .reauthenticationRequired(refusal) }
      return .session(
        StoredSessionV1(
          issuer: grant.issuer, clientId: grant.clientId, accessToken: grant.accessToken,
          tokenType: grant.tokenType,
          refreshToken: stored.currentRefreshToken?.copiedText(), idToken: grant.idToken,
          scope: grant.scope, expiresAt: grant.expiresAt))
    }
  }

  private func drafts(of content: SnapshotContent, now: Instant) -> [SnapshotDraft] {
    let deadline = nextPublication(now: now)
    let published = publicationTime(now: now)
    let name = setup.accountName ?? stored.shownAccountName
    let fingerprint = stored.grant.flatMap { grant in
      try? fingerprinter.fingerprint(issuer: grant.issuer, subject: grant.subject ?? "")
    }
    return setup.accessGroups.map { group in
      SnapshotDraft(
        life: publication.life, generation: publication.generation,
        place: SnapshotPlace(accessGroup: group, namespace: setup.namespace), content: content,
        published: published, nextPublication: deadline, issuedAt: stored.grant?.issuedAt,
        hostState: hostState, accountName: name, accountFingerprint: fingerprint)
    }
  }

  /// The time that a snapshot bears, from which its readers count what is left of the token.
  ///
  /// In whole seconds, rounded up, and never earlier than the boot clock says since the token came:
  /// neither a part of a second nor a wall clock that was set back makes a token live longer.
  private func publicationTime(now: Instant) -> Instant {
    var passed = now.since(UnixTime(rawValue: 0))
    if let obtainedAt = obtainedInThisBoot(now: now) {
      passed = max(
        passed,
        obtainedAt.since(UnixTime(rawValue: 0)) + now.boot.since(obtainedAt.boot))
    }
    return Instant(
      wall: UnixTime(rawValue: passed.secondsRoundedUp), boot: now.boot,
      bootIdentifier: now.bootIdentifier)
  }

  private func nextPublication(now: Instant) -> PublicationDeadline {
    let due = [timeUntilRenewal(now: now), storage.retryAt?.since(now.boot)]
      .compactMap(\.self).min()
    // A renewal under way may take two requests and the provider's metadata before them.
    let slack = renewal == nil ? Self.slack : Self.slack * 3
    let wait = min(max(due ?? RenewalPolicy.heartbeat, .zero) + slack, RenewalPolicy.heartbeat)
    return PublicationDeadline(wall: now.wall + wait + .seconds(1), boot: now.boot + wait)
  }
}
