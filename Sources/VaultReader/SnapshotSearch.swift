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

  /// Looks for the directory of a namespace, from the top.
  ///
  /// - Throws: `FileError` for anything on the way that exists and cannot be used.
  func locate(_ namespace: Namespace) throws(FileError) -> SnapshotLocation {
    let runtime = try directories.openRuntimeDirectory()
    if let own = try ownGroup(in: runtime) {
      return SnapshotLocation(
        runtime: runtime, group: own, namespace: try own.namespaceDirectory(namespace))
    }
    guard let service = try directories.openSystemDirectory(),
      let group = try serviceGroup(in: service)
    else {
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

  /// The access groups that have a directory in the user's own runtime directory, or in that of a
  /// system service that this user is.
  ///
  /// - Throws: `FileError`.
  func publishedGroups() throws(FileError) -> [AccessGroup] {
    var runtime = try directories.openRuntimeDirectory()
    if runtime == nil, let service = try directories.openSystemDirectory(),
      service.policy.owner == geteuid()
    {
      runtime = service
    }
    guard let groups = try runtime?.openIfPresent(SnapshotLayout.groups) else { return [] }
    return try groups.names().compactMap { AccessGroup($0) }
  }

  /// The places that may hold a namespace's snapshot, the first that exists being the one.
  func candidateSites(of namespace: Namespace) -> [SnapshotSite] {
    var runtimes = directories.runtimeCandidates
    if let service = directories.systemDirectory, !directories.isSystemService {
      runtimes.append(service)
    }
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
    return try directories.openSystemDirectory().flatMap(serviceGroup)
  }

  private func ownGroup(in runtime: Directory?) throws(FileError) -> Directory? {
    guard let groups = try runtime?.openIfPresent(SnapshotLayout.groups) else { return nil }
    return try groups.openIfPresent(accessGroup.name)
  }

  private func serviceGroup(in service: Directory) throws(FileError) -> Directory? {
    try service.openIfPresent(SnapshotLayout.groups, isPassage: true)?
      .openShared(accessGroup.name, policy: .systemService(owner: service.policy.owner))
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
