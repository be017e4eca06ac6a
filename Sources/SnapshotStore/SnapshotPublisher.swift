package import FileSupport
package import SnapshotFormat
package import SessionModel
import Synchronization

/// Puts snapshots in their places below a runtime directory, and rebuilds that when it is gone.
///
/// One host per runtime directory: whoever makes a publisher holds the directory's lock.
package final class SnapshotPublisher: Sendable {
  private let tree: Mutex<SnapshotTree>
  private let onRebuild: @Sendable (Directory) throws(FileError) -> Void

  /// Creates a publisher and sweeps what a killed predecessor left behind.
  ///
  /// - Parameters:
  ///   - runtime: the runtime directory.
  ///   - onRebuild: called with the new runtime directory after the old one was found missing and
  ///     before anything is written, so that the host can take its lock and bind its socket there;
  ///     what it throws is what the publication throws.
  /// - Throws: `SnapshotStoreError`.
  package init(
    runtime: Directory, onRebuild: @escaping @Sendable (Directory) throws(FileError) -> Void
  ) throws(SnapshotStoreError) {
    let tree = SnapshotTree(runtime: runtime)
    try reportingFileErrors { () throws(FileError) in try tree.sweep() }
    self.tree = Mutex(tree)
    self.onRebuild = onRebuild
  }

  /// Says who may read which access group, where the runtime directory is a system service's.
  ///
  /// A group that is for others than it was loses its snapshots and its key before this returns.
  /// - Parameter unixGroups: the Unix group of each access group that has one; the others are for
  ///   this user alone.
  /// - Throws: `SnapshotStoreError`.
  package func share(_ unixGroups: [AccessGroup: UInt32]) throws(SnapshotStoreError) {
    try tree.withLock { tree throws(SnapshotStoreError) in
      try reportingFileErrors { () throws(FileError) in
        try tree.share(unixGroups)
      }
    }
  }

  /// Encodes a draft and publishes it: the group's key first, then the snapshot, atomically.
  ///
  /// A runtime directory that was removed or replaced is made again, with the same keys.
  /// - Parameters:
  ///   - draft: what is published.
  ///   - encoder: seals it.
  ///   - sharesHostTokens: whether readers get the refresh and ID token too.
  /// - Throws: `SnapshotStoreError`.
  package func publish(
    _ draft: SnapshotDraft, with encoder: SnapshotEncoder, sharesHostTokens: Bool = false
  ) throws(SnapshotStoreError) {
    try tree.withLock { tree throws(SnapshotStoreError) in
      try reportingFileErrors { () throws(FileError) in
        try tree.ensureRuntime(onRebuild: onRebuild)
      }
      let key = try tree.ensureKey(of: draft.place.accessGroup)
      let snapshot = try reportingEncodingErrors { () throws(SnapshotEncodingError) in
        try encoder.encode(draft, key: key, sharesHostTokens: sharesHostTokens)
      }
      try tree.write(snapshot)
    }
  }

  /// Whether readers still find the snapshot that this publisher has put in a place.
  package func isPublished(_ place: SnapshotPlace) -> Bool {
    tree.withLock { $0.isPublished(place) }
  }

  /// Lists where snapshots are, whoever published them, sorted by group and namespace.
  ///
  /// - Throws: `SnapshotStoreError`.
  package func existingPlaces() throws(SnapshotStoreError) -> [SnapshotPlace] {
    try tree.withLock { tree throws(SnapshotStoreError) in
      try reportingFileErrors { () throws(FileError) in
        try tree.places()
      }
    }
  }

  /// Reads back what is published in a place, so that life and generation can go on from there.
  ///
  /// - Returns: nil when there is no snapshot, or no key to open it with.
  /// - Throws: `SnapshotStoreError`; `snapshot` when it is there but cannot be read.
  package func readBack(
    _ place: SnapshotPlace
  ) throws(SnapshotStoreError) -> Snapshot? {
    try tree.withLock { tree throws(SnapshotStoreError) in try tree.readBack(place) }
  }

  /// Removes a namespace's snapshot and directory; what is not there need not be removed.
  ///
  /// - Throws: `SnapshotStoreError`.
  package func remove(_ place: SnapshotPlace) throws(SnapshotStoreError) {
    try tree.withLock { tree throws(SnapshotStoreError) in
      try reportingFileErrors { () throws(FileError) in
        try tree.remove(place)
      }
    }
  }

  /// Removes an access group with its snapshots and its key, so that its readers read no more.
  ///
  /// - Throws: `SnapshotStoreError`.
  package func remove(_ group: AccessGroup) throws(SnapshotStoreError) {
    try tree.withLock { tree throws(SnapshotStoreError) in
      try reportingFileErrors { () throws(FileError) in
        try tree.remove(group)
      }
    }
  }
}
