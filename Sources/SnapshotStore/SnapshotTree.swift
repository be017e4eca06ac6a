import FileSupport
import Glibc
import SessionModel
import SnapshotFormat

/// The directories below a runtime directory, held open, and the keys in them.
struct SnapshotTree: Sendable {
  private var runtime: Directory
  // Whose members read which group's snapshots; a system service's alone.
  private var unixGroups: [AccessGroup: UInt32] = [:]
  private var groups: [AccessGroup: GroupKeyStore] = [:]
  private var namespaces: [SnapshotPlace: Directory] = [:]

  /// Creates a tree that has opened nothing yet.
  init(runtime: Directory) {
    self.runtime = runtime
  }

  /// Makes the runtime directory again when its path does not lead to it any more.
  ///
  /// - Throws: `FileError`, or what the closure throws.
  mutating func ensureRuntime(
    onRebuild: (Directory) throws(FileError) -> Void
  ) throws(FileError) {
    guard !runtime.isStillInPlace else { return }
    let rebuilt = try Directory.create(path: runtime.path, policy: runtime.policy)
    try onRebuild(rebuilt)
    runtime = rebuilt
  }

  /// Makes sure that a group has its directory and its key.
  ///
  /// - Returns: the key.
  /// - Throws: `SnapshotStoreError`.
  mutating func ensureKey(of group: AccessGroup) throws(SnapshotStoreError) -> GroupKey {
    if var store = groups[group], store.directory.isStillInPlace {
      try store.refresh()
      groups[group] = store
      return store.key
    }
    let directory = try reportingFileErrors { () throws(FileError) in
      try createDirectory(of: group)
    }
    let store = try GroupKeyStore(in: directory, held: groups[group]?.key)
    groups[group] = store
    return store.key
  }

  /// Puts a snapshot in its place; its group's directory is there.
  ///
  /// - Throws: `SnapshotStoreError`.
  mutating func write(_ snapshot: EncodedSnapshot) throws(SnapshotStoreError) {
    try reportingFileErrors { () throws(FileError) in
      let directory = try ensureNamespace(snapshot.place)
      try directory.replaceFile(
        SnapshotLayout.session, with: snapshot.bytes, durability: .volatile,
        mode: directory.policy.fileMode)
    }
  }

  private mutating func ensureNamespace(
    _ place: SnapshotPlace
  ) throws(FileError) -> Directory {
    if let directory = namespaces[place], directory.isStillInPlace { return directory }
    let directory = try createDirectory(of: place.accessGroup)
      .createDirectory(SnapshotLayout.namespaces).createDirectory(place.namespace.name)
    namespaces[place] = directory
    return directory
  }

  private func createDirectory(of group: AccessGroup) throws(FileError) -> Directory {
    try runtime.createDirectory(SnapshotLayout.groups)
      .createDirectory(group.name, policy: policy(of: group))
  }
}

// Who may read which group, where a system service has the runtime directory.
extension SnapshotTree {
  /// Gives access groups to the members of Unix groups, and takes them from all others.
  ///
  /// The directory of a group that is for others than it was is removed with its key, so that whoever
  /// has read the key has nothing to read with it.
  /// - Parameter unixGroups: the Unix group of each access group that has one.
  /// - Throws: `FileError`.
  mutating func share(_ unixGroups: [AccessGroup: UInt32]) throws(FileError) {
    guard runtime.policy.isShared else { return }
    self.unixGroups = unixGroups
    for (group, directory) in try groupDirectories() {
      let status = try directory.status()
      if !policy(of: group).isWhole(directory: status) { try remove(group) }
    }
  }

  private func policy(of group: AccessGroup) -> AccessPolicy {
    guard runtime.policy.isShared else { return runtime.policy }
    return unixGroups[group].map { .members(of: $0) } ?? .ownerOnly
  }

  // What is read back or removed may have been for others than it is now.
  private var formerPolicy: AccessPolicy {
    runtime.policy.isShared ? .systemService(owner: runtime.policy.owner) : runtime.policy
  }

  private func existingDirectory(of group: AccessGroup) throws(FileError) -> Directory? {
    try runtime.openIfPresent(SnapshotLayout.groups)?
      .openIfPresent(group.name, policy: formerPolicy)
  }
}

extension SnapshotTree {
  /// Whether the snapshot that was written last is still where readers look for it.
  func isPublished(_ place: SnapshotPlace) -> Bool {
    guard let directory = namespaces[place], directory.isStillInPlace else { return false }
    return (try? FileStatus(of: SnapshotLayout.session, in: directory.rawDescriptor)) != nil
  }

  /// Lists the namespaces of all groups; names that are none are passed over.
  ///
  /// - Throws: `FileError`.
  func places() throws(FileError) -> [SnapshotPlace] {
    var places: [SnapshotPlace] = []
    for (group, directory) in try groupDirectories() {
      guard let parent = try directory.openIfPresent(SnapshotLayout.namespaces) else { continue }
      for name in try parent.names() {
        guard let namespace = Namespace(name) else { continue }
        places.append(SnapshotPlace(accessGroup: group, namespace: namespace))
      }
    }
    return places
  }

  /// Reads and verifies the snapshot in a place.
  ///
  /// - Returns: nil when there is no snapshot or no key.
  /// - Throws: `SnapshotStoreError`.
  func readBack(_ place: SnapshotPlace) throws(SnapshotStoreError) -> Snapshot? {
    let found = try reportingFileErrors { () throws(FileError) in try groupAndSnapshot(place) }
    guard let (groupDirectory, path, bytes) = found,
      let key = try GroupKeyStore.existingKey(in: groupDirectory)
    else { return nil }
    do {
      return try UnverifiedSnapshot(parsing: bytes).open(
        with: key, namespace: place.namespace, accessGroup: place.accessGroup)
    } catch {
      throw .snapshot(path: path, error)
    }
  }

  private func groupAndSnapshot(
    _ place: SnapshotPlace
  ) throws(FileError) -> (group: Directory, path: String, bytes: [UInt8])? {
    guard let group = try existingDirectory(of: place.accessGroup) else { return nil }
    let directory = try group.openIfPresent(SnapshotLayout.namespaces)?
      .openIfPresent(place.namespace.name)
    guard let directory,
      let bytes = try directory.readFile(
        SnapshotLayout.session, sizeLimit: SnapshotLimits.fileLength)
    else { return nil }
    return (group, directory.path + "/" + SnapshotLayout.session, bytes)
  }

  /// Removes temporary files everywhere below.
  ///
  /// - Throws: `FileError`.
  func sweep() throws(FileError) {
    for (_, directory) in try groupDirectories() {
      try directory.sweepTemporaryFiles()
      guard let parent = try directory.openIfPresent(SnapshotLayout.namespaces) else { continue }
      for name in try parent.names() where Namespace(name) != nil {
        try parent.openIfPresent(name)?.sweepTemporaryFiles()
      }
    }
  }

  /// Removes a namespace's snapshot and directory.
  ///
  /// - Throws: `FileError`.
  mutating func remove(_ place: SnapshotPlace) throws(FileError) {
    namespaces[place] = nil
    let parent = try existingDirectory(of: place.accessGroup)?
      .openIfPresent(SnapshotLayout.namespaces)
    guard let parent, let directory = try parent.openIfPresent(place.namespace.name) else {
      return
    }
    try directory.removeFile(SnapshotLayout.session)
    try directory.sweepTemporaryFiles()
    try parent.removeDirectory(place.namespace.name)
  }

  /// Removes a group's snapshots, its key and its directory.
  ///
  /// - Throws: `FileError`.
  mutating func remove(_ group: AccessGroup) throws(FileError) {
    for place in try places() where place.accessGroup == group { try remove(place) }
    groups[group] = nil
    guard let parent = try runtime.openIfPresent(SnapshotLayout.groups),
      let directory = try existingDirectory(of: group)
    else { return }
    // The key last: until then readers see a removed snapshot, not an unreadable one.
    try directory.removeDirectory(SnapshotLayout.namespaces)
    try directory.removeFile(SnapshotLayout.key)
    try directory.sweepTemporaryFiles()
    try parent.removeDirectory(group.name)
  }

  private func groupDirectories() throws(FileError) -> [(AccessGroup, Directory)] {
    guard let parent = try runtime.openIfPresent(SnapshotLayout.groups) else { return [] }
    var directories: [(AccessGroup, Directory)] = []
    for name in try parent.names() {
      guard let group = AccessGroup(name),
        let directory = try parent.openIfPresent(name, policy: formerPolicy)
      else { continue }
      directories.append((group, directory))
    }
    return directories
  }
}
