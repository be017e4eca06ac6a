import FileSupport
import Glibc

/// One walk down a watched path, each directory opened from the one above it.
struct PathLook {
  /// What was found.
  let sighting: Sighting
  /// The directories found, in the order of `sighting.directories`.
  let held: [HeldDirectory]

  /// Walks down the path of a request.
  init(_ request: WatchRequest) {
    var walk = PathWalk(request)
    walk.findTop()
    walk.descend()
    let isComplete = walk.top + walk.held.count == request.directories.count
    var hindrance = walk.hindrance
    if hindrance == nil, let last = walk.held.last,
      (try? FileSystemKind(ofDescriptor: last.rawDescriptor)) == .remote
    {
      let path = request.directories[walk.top + walk.held.count - 1]
      hindrance = .remoteFileSystem(path: path)
    }
    sighting = Sighting(
      top: walk.top, directories: walk.held.map(\.identity),
      file: isComplete ? walk.held.last?.mark(of: request.file) : nil, hindrance: hindrance)
    held = walk.held
  }
}

private struct PathWalk {
  let request: WatchRequest
  var top = 0
  var held: [HeldDirectory] = []
  var hindrance: PollingReason?

  init(_ request: WatchRequest) { self.request = request }

  /// Opens the root, or else the nearest directory above it that exists.
  mutating func findTop() {
    for index in stride(from: request.rootIndex, through: 0, by: -1) {
      top = index
      if open(index, in: AT_FDCWD, followsLinks: index < request.rootIndex) { return }
    }
  }

  /// Opens what exists below the root; below another directory nothing exists.
  mutating func descend() {
    guard top == request.rootIndex else { return }
    for index in (top + 1)..<max(top + 1, request.directories.count) {
      guard let above = held.last,
        open(index, in: above.rawDescriptor, followsLinks: false)
      else { return }
    }
  }

  private mutating func open(_ index: Int, in base: Int32, followsLinks: Bool) -> Bool {
    let path = request.directories[index]
    do {
      let name = base == AT_FDCWD ? path : request.names[index - 1]
      held.append(try HeldDirectory(name, in: base, followsLinks: followsLinks))
      return true
    } catch {
      // The lowest directory that fails for another reason than being missing explains it best.
      guard hindrance == nil, error.rawValue != ENOENT else { return false }
      hindrance =
        [ENOTDIR, ELOOP].contains(error.rawValue)
        ? .notDirectory(path: path) : .system(call: "open", path: path, error)
      return false
    }
  }
}
