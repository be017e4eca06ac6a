/// Who wants to know of a directory: one directory on the path of one watch.
struct DirectoryUse: Sendable, Hashable {
  /// The watch's number.
  let watch: Int
  /// Counts the times that the watch has armed its path.
  let arming: Int
  /// The directory's position in the watch's request.
  let position: Int
}

/// The directories that are watched by inotify, each once, whoever uses it.
///
/// The kernel knows a directory by its inode, so two watches of one directory share a descriptor,
/// and removing one of them must leave the other. Each directory is held open until its watch is
/// removed, so that libinotifytools and the kernel always agree on which watches exist.
struct DirectoryTable {
  private struct Entry {
    let directory: HeldDirectory
    var watch: Int32?
    var scope: WatchScope
    var users: [DirectoryUse]
  }

  private var entries: [FileIdentity: Entry] = [:]
  private var identities: [Int32: FileIdentity] = [:]

  /// The users of a watch descriptor, none if it is not known any more.
  func users(of watch: Int32) -> [DirectoryUse] {
    identities[watch].flatMap { entries[$0]?.users } ?? []
  }

  /// The directory that is held for an identity.
  func directory(_ identity: FileIdentity) -> HeldDirectory? { entries[identity]?.directory }

  /// Watches what a look has found, and nothing else any more, for one watch.
  ///
  /// - Parameters:
  ///   - look: the directories.
  ///   - request: the watch's request.
  ///   - watch: the watch's number.
  ///   - arming: counts the times that the watch has armed its path.
  ///   - tools: libinotifytools.
  /// - Returns: why it cannot be done; then nothing is watched for this watch.
  mutating func arm(
    _ look: PathLook, of request: WatchRequest, watch: Int, arming: Int,
    tools: inout InotifyTools
  ) -> PollingReason? {
    // From below, so that the directory that matters most gets a watch while there are some.
    for (offset, directory) in look.held.enumerated().reversed() {
      let position = look.sighting.top + offset
      let isOwn = position == request.directories.count - 1
      do throws(PollingReason) {
        try add(
          directory, scope: isOwn ? request.fileScope : .directories,
          path: request.directories[position],
          for: DirectoryUse(watch: watch, arming: arming, position: position), tools: &tools)
      } catch {
        // A directory above may be closed to us; the path is looked at every 30 s all the same.
        guard offset == look.held.count - 1 else { continue }
        remove(where: { $0.watch == watch }, tools: &tools)
        return error
      }
    }
    remove(where: { $0.watch == watch && $0.arming != arming }, tools: &tools)
    return nil
  }

  /// Watches a directory for a user.
  ///
  /// - Throws: why it cannot be watched.
  private mutating func add(
    _ directory: HeldDirectory, scope: WatchScope, path: String, for user: DirectoryUse,
    tools: inout InotifyTools
  ) throws(PollingReason) {
    let identity = directory.identity
    var entry =
      entries[identity] ?? Entry(directory: directory, watch: nil, scope: scope, users: [])
    if entry.watch == nil || !entry.scope.isSuperset(of: scope) {
      // Watching it once more would leak the library's first record of it.
      if let watch = entry.watch { forget(watch, tools: &tools) }
      entry.scope.formUnion(scope)
      do {
        let watch = try tools.add(entry.directory, scope: entry.scope, path: path)
        entry.watch = watch
        identities[watch] = identity
      } catch {
        if entry.users.isEmpty {
          entries[identity] = nil
        } else {
          entry.watch = nil
          entries[identity] = entry
        }
        throw error
      }
    }
    entry.users.append(user)
    entries[identity] = entry
  }

  /// Ends the uses that match, and the watches that have no use any more.
  mutating func remove(where matches: (DirectoryUse) -> Bool, tools: inout InotifyTools) {
    for (identity, entry) in entries where entry.users.contains(where: matches) {
      let users = entry.users.filter { !matches($0) }
      entries[identity]?.users = users
      guard users.isEmpty else { continue }
      // The directory is closed after its watch is removed, never before.
      if let watch = entry.watch { forget(watch, tools: &tools) }
      entries[identity] = nil
    }
  }

  /// Takes notice that the kernel has let go of a watch by itself (`IN_IGNORED`).
  mutating func lost(_ watch: Int32) {
    guard let identity = identities.removeValue(forKey: watch) else { return }
    entries[identity]?.watch = nil
  }

  private mutating func forget(_ watch: Int32, tools: inout InotifyTools) {
    identities[watch] = nil
    tools.remove(watch)
  }
}
