import SecureStore
import SessionModel
import SnapshotFormat
import SnapshotStore

/// Publishes, while the host has no key, what readers have already, and that the host is locked.
///
/// A token stays usable to its end; what only the host can open is left out.
struct LockedSnapshots {
  let publisher: SnapshotPublisher
  let time: HostTime
  let log: HostLog

  /// Publishes every snapshot of the configured namespaces again.
  func publish(_ setups: some Sequence<NamespaceSession.Setup>) {
    let encoder = SnapshotEncoder(hostBoxKey: nil, nonces: .random)
    for setup in setups {
      for group in setup.accessGroups {
        let place = SnapshotPlace(accessGroup: group, namespace: setup.namespace)
        do throws(SnapshotStoreError) {
          guard let snapshot = try publisher.readBack(place),
            let draft = draft(of: snapshot, place, configuredName: setup.accountName)
          else { continue }
          try publisher.publish(draft, with: encoder, sharesHostTokens: setup.sharesRefreshToken)
        } catch {
          log(.warning, "\(place): readers could not be told that the host is locked: \(error)")
        }
      }
    }
  }

  private func draft(
    of snapshot: Snapshot, _ place: SnapshotPlace, configuredName: String?
  ) -> SnapshotDraft? {
    let (header, now) = (snapshot.header, time.now())
    // What a later host wrote, or has counted to the end, stays as it is.
    if case .unknown = snapshot.content { return nil }
    guard header.generation < .max else { return nil }
    let name = snapshot.content == .signedOut ? configuredName : header.accountName
    let wait = RenewalPolicy.heartbeat
    return SnapshotDraft(
      life: header.life, generation: header.generation + 1, place: place,
      content: snapshot.content, published: now,
      nextPublication: PublicationDeadline(
        wall: now.wall + wait + .seconds(1), boot: now.boot + wait),
      issuedAt: header.issuedAt, hostState: .locked, accountName: name,
      accountFingerprint: header.accountFingerprint)
  }
}
