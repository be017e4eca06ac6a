import SnapshotFormat

/// A place that may hold a namespace's snapshot, for whoever watches it.
package struct SnapshotSite: Sendable, Hashable {
  /// The runtime directory's path.
  package let runtime: String
  /// The path of the directory that holds the snapshot.
  package let directory: String

  /// The snapshot's name in its directory.
  package var snapshotName: String { SnapshotLayout.session }
  /// The name of the file in the runtime directory that a running host keeps locked.
  package var hostLockName: String { SnapshotLayout.hostLock }
}
