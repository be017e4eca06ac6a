import FileSupport
import Glibc
import SessionModel
import SnapshotFormat

/// Where a snapshot is, as far as the way to it exists.
struct SnapshotLocation: Sendable {
  /// The runtime directory; nil when none exists, or when it is a system service's.
  let runtime: Directory?
  /// The access group's directory, which holds its key.
  let group: Directory?
  /// The namespace's directory, which holds its snapshot.
  let namespace: Directory?
}

/// Finds the directories of an access group: the user's own, else those of a system service.
struct SnapshotSearch: Sendable {
  /// Where the parts of a vault may be.
  let directories: VaultDirectories
  /// The access group.
  let accessGroup: AccessGroup
  /// The runtime directory of a system service; nil to look at none.
  let systemDirectory: String?

  /// Looks for the directory of a namespace, from the top.
  ///
  /// - Throws: `FileError` for anything on the way that exists and cannot be used.
  func locate(_ namespace: Namespace) throws(FileError) -> SnapshotLocation {
    let runtime = try directories.openRuntimeDirectory()
    if let own = try ownGroup(in: runtime) {
      return SnapshotLocation(
        runtime: runtime, group: own, namespace: try own.namespaceDirectory(namespace))
    }
    guard let group = try systemGroup() else {
      return SnapshotLocation(runtime: runtime, group: nil, namespace: nil)
    }
    return SnapshotLocation(
      runtime: nil, group: group, namespace: try group.namespaceDirectory(namespace))
  }

  /// The namespaces that have a directory, in the order of their names.
  ///
  /// - Throws: `FileError`.
  func publishedNamespaces() throws(FileError) -> [Namespace] {
    let runtime = try directories.openRuntimeDirectory()
    guard let group = try anyGroup(in: runtime),
      let all = try group.openIfPresent(SnapshotLayout.namespaces)
    else { return [] }
    return try all.names().compactMap { Namespace($0) }
  }

  /// The access groups that have a directory in the user's own runtime directory.
  ///
  /// - Throws: `FileError`.
  func publishedGroups() throws(FileError) -> [AccessGroup] {
    let runtime = try directories.openRuntimeDirectory()
    guard let groups = try runtime?.openIfPresent(SnapshotLayout.groups) else { return [] }
    return try groups.names().compactMap { AccessGroup($0) }
  }

  /// The places that may hold a namespace's snapshot, the first that exists being the one.
  func candidateSites(of namespace: Namespace) -> [SnapshotSite] {
    let runtimes = directories.runtimeCandidates + (systemDirectory.map { [$0] } ?? [])
    return runtimes.map { runtime in
      SnapshotSite(
        runtime: runtime,
        directory: [
          runtime, SnapshotLayout.groups, accessGroup.name, SnapshotLayout.namespaces,
          namespace.name,
        ].joined(separator: "/"))
    }
  }

  private func anyGroup(in runtime: Directory?) throws(FileError) -> Directory? {
    if let own = try ownGroup(in: runtime) { return own }
    return try systemGroup()
  }

  private func ownGroup(in runtime: Directory?) throws(FileError) -> Directory? {
    guard let groups = try runtime?.openIfPresent(SnapshotLayout.groups) else { return nil }
    return try groups.openIfPresent(accessGroup.name)
  }

  // Whoever owns the service's directory was given it by root, who alone can write to /run.
  private func systemGroup() throws(FileError) -> Directory? {
    guard let systemDirectory, let status = try? FileStatus(of: systemDirectory, in: AT_FDCWD),
      status.isDirectory
    else { return nil }
    let top = try Directory.open(
      path: systemDirectory, policy: .systemServiceTop(owner: status.owner), isPassage: true)
    return try top.openIfPresent(SnapshotLayout.groups, isPassage: true)?
      .openIfPresent(accessGroup.name, policy: .systemService(owner: status.owner))
  }
}

extension Directory {
  fileprivate func namespaceDirectory(
    _ namespace: Namespace
  ) throws(FileError) -> Directory? {
    try openIfPresent(SnapshotLayout.namespaces)?
      .openIfPresent(namespace.name)
  }
}
