/// Which file to watch, and how.
package struct WatchRequest: Sendable, Hashable {
  /// How changes may be noticed.
  package enum Method: Sendable, Hashable {
    /// By inotify where it can be used, otherwise by polling.
    case automatic
    /// By polling alone.
    case polling
  }

  /// How often to look at the file, whatever the events say.
  package struct Intervals: Sendable, Hashable {
    /// The pause between two looks while inotify cannot be used, and while a directory is changing.
    package let degraded: Duration
    /// The pause between two looks while inotify works.
    package let healthy: Duration

    /// Every second while degraded, every 30 seconds while healthy.
    package static let standard = Intervals(degraded: .seconds(1), healthy: .seconds(30))

    /// Creates intervals.
    package init(degraded: Duration, healthy: Duration) {
      self.degraded = degraded
      self.healthy = healthy
    }
  }

  /// The path's directories, from the top one that is watched down to the file's own.
  let directories: [String]
  /// The names by which each of the directories reaches the next one, and the last one the file.
  let names: [String]
  /// The first of `directories` that must be no symbolic link; those above it may be.
  let rootIndex: Int
  /// Whether it is told when somebody who could write to the file has closed it.
  let tellsWriters: Bool
  /// How changes may be noticed.
  package let method: Method
  /// How often to look.
  package let intervals: Intervals

  /// The watched file's path.
  package var path: String { Self.join(directories[directories.count - 1], file) }
  /// The watched file's name.
  var file: String { names[names.count - 1] }

  /// Which events of the file's own directory are of interest.
  var fileScope: WatchScope { tellsWriters ? [.files, .writers] : .files }

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - file: the file's name in its directory.
  ///   - directory: the directory's absolute path; it may be missing.
  ///   - root: the highest directory whose removal or replacement is noticed at once, a prefix of
  ///     `directory`; nil for the directory's parent.
  ///   - tellsWriters: whether it is told when somebody who could write to the file has closed it.
  ///   - method: how changes may be noticed.
  ///   - intervals: how often to look.
  package init(
    file: String, in directory: String, root: String? = nil, tellsWriters: Bool = false,
    method: Method = .automatic, intervals: Intervals = .standard
  ) {
    let components = directory.split(separator: "/").map(String.init)
    let rootDepth = root.map { $0.split(separator: "/").count } ?? components.count - 1
    var directories = ["/"]
    for component in components {
      directories.append(Self.join(directories[directories.count - 1], component))
    }
    self.directories = directories
    names = components + [file]
    rootIndex = min(max(rootDepth, 0), components.count)
    self.tellsWriters = tellsWriters
    self.method = method
    self.intervals = intervals
  }

  private static func join(_ directory: String, _ name: String) -> String {
    directory == "/" ? "/" + name : directory + "/" + name
  }
}
