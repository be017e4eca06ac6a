import FileSupport
import SecureStore
import SessionModel
import SnapshotFormat
import SnapshotStore

/// Settles what earlier hosts published and no session owns any more.
struct OrphanSettlement {
  let publisher: SnapshotPublisher
  let encoder: SnapshotEncoder
  let time: HostTime
  let log: HostLog

  /// Turns snapshots that no session stands behind into tombstones, and removes those of groups
  /// that are not configured any more.
  ///
  /// Snapshots are no truth: what cannot be settled is reported, and the host works without it.
  /// - Parameters:
  ///   - setups: the configured namespaces.
  ///   - signedIn: the other namespaces behind whose record somebody is signed in.
  func run(configured setups: [NamespaceSession.Setup], signedIn: [Namespace]) {
    let places: [SnapshotPlace]
    do {
      places = try publisher.existingPlaces()
    } catch {
      log(.warning, "snapshots of an earlier host could not be listed: \(error)")
      return
    }
    var left: [AccessGroup: Int] = [:]
    for place in places { left[place.accessGroup, default: 0] += 1 }
    for place in places {
      do {
        guard let setup = setups.first(where: { $0.namespace == place.namespace }) else {
          try settle(place, isSignedIn: signedIn.contains(place.namespace))
          continue
        }
        guard !setup.accessGroups.contains(place.accessGroup) else { continue }
        log(.info, "\(place): the group is not configured any more; its snapshot is removed")
        try publisher.remove(place)
        left[place.accessGroup]? -= 1
      } catch {
        log(.warning, "\(place): a snapshot of an earlier host could not be settled: \(error)")
      }
    }
    let configured = Set(setups.flatMap(\.accessGroups))
    for (group, count) in left where count == 0 && !configured.contains(group) { remove(group) }
  }

  private func settle(_ place: SnapshotPlace, isSignedIn: Bool) throws(SnapshotStoreError) {
    guard !isSignedIn else {
      log(.warning, "\(place): has a session, but is not configured; it is not renewed")
      return
    }
    if let snapshot = try? publisher.readBack(place), case .signedOut = snapshot.content { return }
    log(.info, "\(place): nobody is signed in behind this snapshot; it becomes a tombstone")
    try publisher.publish(tombstone(for: place), with: encoder)
  }

  // With its key, so that its readers read no more.
  private func remove(_ group: AccessGroup) {
    do {
      try publisher.remove(group)
    } catch {
      log(.warning, "the directory of the access group \(group) could not be removed: \(error)")
    }
  }

  private func tombstone(for place: SnapshotPlace) -> SnapshotDraft {
    let now = time.now()
    let wait = RenewalPolicy.heartbeat
    return SnapshotDraft(
      life: .random(), generation: 1, place: place, content: .signedOut, published: now,
      nextPublication: PublicationDeadline(wall: now.wall + wait, boot: now.boot + wait),
      hostState: .ok)
  }
}
