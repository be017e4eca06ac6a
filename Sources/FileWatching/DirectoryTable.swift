/// Who wants to know of a directory: one directory on the path of one watch.
struct DirectoryUse {
  /// The watch.
  let station: WatchStation
  /// Counts the times that the watch has armed its path.
  let arming: Int
  /// The directory's position in the watch's request.
  let position: Int

  /// Whether the use is of the path that the watch has armed last.
  var isCurrent: Bool { station.armings == arming }
}

/// The directories that are watched by inotify, each once, whoever uses it.
///
/// The kernel knows a directory by its inode, so two watches of one directory share a descriptor,
/// and removing one of them must leave the other. Each directory is held open until its watch is
/// removed, so that libinotifytools and the kernel always agree on which watches exist.
/// Its file system is busy for `umount(8)` until then, as with any open file; `umount -l` is noticed.
struct DirectoryTable {
  private final class Entry {
    let directory: HeldDirectory
    var watch: Int32?
    var scope: WatchScope
    var users: [DirectoryUse] = []

    init(_ directory: HeldDirectory, scope: WatchScope) {
      self.directory = directory
      self.scope = scope
    }
  }

  private var entries: [FileIdentity: Entry] = [:]
  // Whose watch was taken away to be made anew, and may have missed something.
  private var disturbed: [WatchStation] = []
  // A few at most, and looked through at each event, when all memory is cold.
  private var watched: [(watch: Int32, entry: Entry)] = []

  /// The users of a watch descriptor, none if it is not known any more.
  func users(of watch: Int32) -> [DirectoryUse] {
    for (number, entry) in watched where number == watch { return entry.users }
    return []
  }

  /// The directory that is held for an identity.
  func directory(_ identity: FileIdentity) -> HeldDirectory? { entries[identity]?.directory }

  /// Watches what a look has found, and nothing else any more, for one watch.
  ///
  /// - Parameters:
  ///   - look: the directories.
  ///   - station: the watch.
  ///   - tools: where the events come from.
  /// - Returns: why it cannot be done; then nothing is watched for this watch.
  mutating func arm(
    _ look: PathLook, for station: WatchStation, tools: inout InotifySource
  ) -> PollingReason? {
    let request = station.watch.request
    // From below, so that the directory that matters most gets a watch while there are some.
    for (offset, directory) in look.held.enumerated().reversed() {
      let position = look.sighting.top + offset
      let isOwn = position == request.directories.count - 1
      do throws(PollingReason) {
        try add(
          directory, scope: isOwn ? request.fileScope : .directories,
          path: request.directories[position],
          for: DirectoryUse(station: station, arming: station.armings, position: position),
          tools: &tools)
      } catch {
        // A directory above may be closed to us; the path is looked at every 30 s all the same.
        guard offset == look.held.count - 1 else { continue }
        remove(where: { $0.station === station }, tools: &tools)
        return error
      }
    }
    remove(where: { $0.station === station && !$0.isCurrent }, tools: &tools)
    return nil
  }

  /// Watches a directory for a user.
  ///
  /// - Throws: why it cannot be watched.
  private mutating func add(
    _ directory: HeldDirectory, scope: WatchScope, path: String, for user: DirectoryUse,
    tools: inout InotifySource
  ) throws(PollingReason) {
    let entry = entries[directory.identity] ?? Entry(directory, scope: scope)
    if entry.watch == nil || !entry.scope.isSuperset(of: scope) {
      // Watching it once more would leak the library's first record of it.
      forget(entry, tools: &tools)
      // What is queued of the old watch, and what happens until there is a new one, is told nobody.
      for other in entry.users where other.isCurrent && other.station !== user.station {
        disturbed.append(other.station)
      }
      entry.scope.formUnion(scope)
      let watch = try tools.add(entry.directory, scope: entry.scope, path: path)
      entry.watch = watch
      watched.append((watch, entry))
    }
    entry.users.append(user)
    entries[directory.identity] = entry
  }

  /// Ends the uses that match, and the watches that have no use any more.
  mutating func remove(where matches: (DirectoryUse) -> Bool, tools: inout InotifySource) {
    for (identity, entry) in entries where entry.users.contains(where: matches) {
      entry.users.removeAll(where: matches)
      guard entry.users.isEmpty else { continue }
      // The directory is closed after its watch is removed, never before.
      forget(entry, tools: &tools)
      entries[identity] = nil
    }
  }

  /// Takes notice that the kernel has let go of a watch by itself (`IN_IGNORED`).
  mutating func lost(_ watch: Int32) {
    guard let index = watched.firstIndex(where: { $0.watch == watch }) else { return }
    watched.remove(at: index).entry.watch = nil
  }

  /// Takes the watches that share a directory with one that was armed, and that may have missed
  /// something or lost their watch by it.
  mutating func takeDisturbed() -> [WatchStation] {
    guard !disturbed.isEmpty else { return [] }
    defer { disturbed = [] }
    return disturbed
  }

  private mutating func forget(_ entry: Entry, tools: inout InotifySource) {
    guard let watch = entry.watch else { return }
    entry.watch = nil
    watched.removeAll { $0.watch == watch }
    tools.remove(watch)
  }
}
