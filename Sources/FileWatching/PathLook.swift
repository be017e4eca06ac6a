import FileSupport
import Glibc

/// A directory held open for as long as something refers to it (`O_PATH`).
final class HeldDirectory {
  private let descriptor: FileDescriptor
  /// Which directory it is.
  let identity: FileIdentity

  /// The descriptor's number.
  var rawDescriptor: Int32 { descriptor.rawValue }

  /// Opens a directory without reading it (`openat(2)`).
  ///
  /// - Throws: the error number.
  init(_ name: String, in base: Int32, followsLinks: Bool) throws(Errno) {
    let flags = O_DIRECTORY | O_CLOEXEC | openPathOnly | (followsLinks ? 0 : O_NOFOLLOW)
    let number = unsafe openat(base, name, flags)
    guard number >= 0 else { throw .current }
    descriptor = FileDescriptor(owning: number)
    let status = try FileStatus(of: number)
    identity = FileIdentity(device: status.device, inode: status.inode)
  }

  /// Asks for the mark of a file in this directory, a link not followed (`fstatat(2)`).
  ///
  /// - Returns: nil when there is none.
  func mark(of file: String) -> FileMark? {
    var status = stat()
    guard unsafe fstatat(rawDescriptor, file, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return nil
    }
    let seconds = Int64(status.st_mtim.tv_sec)
    return FileMark(
      identity: FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)),
      size: Int64(status.st_size),
      modified: seconds &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
  }
}

// O_PATH is behind _GNU_SOURCE and so not in the Glibc module; asm-generic/fcntl.h.
private let openPathOnly: Int32 = 0o10_000_000

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
