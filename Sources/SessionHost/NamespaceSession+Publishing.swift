import GrantModel
import SessionModel
import SnapshotFormat
import SnapshotStore

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

extension NamespaceSession {
  /// How long a snapshot may be late before readers call it stale.
  private static let slack: Duration = .seconds(30)

  /// Publishes what the record holds as the next generation.
  ///
  /// A namespace in which nobody has ever signed in has no snapshot. While the record could not be
  /// stored, nothing new of it is published, only the host's state with what is stored.
  func publishSnapshot() {
    guard let content = snapshotContent else { return }
    if isUnsaved, hostState != .storageFailed { return }
    let now = time.now()
    record.generation += 1
    do throws(PublicationError) {
      for draft in drafts(of: content, now: now) { try publish(draft) }
      publicationFailures = 0
    } catch {
      publicationFailures += 1
      log(.warning, "\(setup.namespace): the snapshot could not be published: \(error)")
    }
    publishedAt = now
  }

  /// Returns how long it is until the snapshot is due again.
  ///
  /// In the ordinary way it follows each change; a heartbeat shows that the host is alive, and one
  /// that could not be written is tried again, ever less often.
  func timeUntilPublication(now: Instant) -> Duration? {
    guard let publishedAt else { return nil }
    let interval =
      publicationFailures > 0
      ? min(.seconds(1 << min(publicationFailures, 9)), .seconds(300))
      : RenewalPolicy.heartbeat * 5 / 6
    return interval - now.boot.since(publishedAt.boot)
  }

  private var snapshotContent: SnapshotContent? {
    switch record.phase {
    case .empty: return nil
    case .signedOut: return .signedOut
    case .reauthenticationRequired(let reason): return .reauthenticationRequired(reason)
    case .active(let grant):
      if record.isRefused { return .reauthenticationRequired(.refusedWithoutReason) }
      return .session(
        StoredSessionV1(
          issuer: grant.issuer, clientId: grant.clientId, accessToken: grant.accessToken,
          tokenType: grant.tokenType,
          refreshToken: record.currentRefreshToken?.copiedText(), idToken: grant.idToken,
          scope: grant.scope, expiresAt: grant.expiresAt))
    }
  }

  private func drafts(of content: SnapshotContent, now: Instant) -> [SnapshotDraft] {
    let deadline = nextPublication(now: now)
    let name = setup.accountName ?? record.grant?.accountName ?? record.accountName
    let fingerprint = record.grant.flatMap { grant in
      try? fingerprinter.fingerprint(issuer: grant.issuer, subject: grant.subject ?? "")
    }
    return setup.accessGroups.map { group in
      SnapshotDraft(
        life: record.life, generation: record.generation,
        place: SnapshotPlace(accessGroup: group, namespace: setup.namespace), content: content,
        published: now, nextPublication: deadline, issuedAt: record.grant?.issuedAt,
        hostState: hostState, accountName: name, accountFingerprint: fingerprint)
    }
  }

  private func nextPublication(now: Instant) -> PublicationDeadline {
    let renewal = timeUntilRenewal(now: now).map { max($0, .zero) } ?? RenewalPolicy.heartbeat
    let wait = min(renewal + NamespaceSession.slack, RenewalPolicy.heartbeat)
    return PublicationDeadline(wall: now.wall + wait + .seconds(1), boot: now.boot + wait)
  }
}
