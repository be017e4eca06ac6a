import FileSupport
import Glibc

/// An inotify instance by the kernel's own calls, for a program that may not bring libinotifytools
/// (GPL-2 only) along, as a library that others link.
struct KernelInotify: ~Copyable {
  // What the kernel needs for one event with the longest name, some hundred times.
  private static let bufferLength = 32 << 10

  /// The inotify descriptor, to be polled and read by nobody else.
  let descriptor: Int32
  private let owned: FileDescriptor
  private var walker = InotifyEventWalker()
  private var buffer = [UInt8](repeating: 0, count: Self.bufferLength)

  /// The bytes of the name in the last event; empty where it has none.
  var name: [UInt8] { walker.name }

  private init(_ owned: consuming FileDescriptor) {
    descriptor = owned.rawValue
    self.owned = owned
  }

  /// Makes an instance (`inotify_init1(2)`).
  ///
  /// - Throws: why inotify cannot be used.
  static func take() throws(PollingReason) -> KernelInotify {
    let number = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard number >= 0 else {
      let cause = Errno.current
      if cause.rawValue == EMFILE { throw .tooManyInstances }
      throw .system(call: "inotify_init1", path: "/proc/sys/fs/inotify", cause)
    }
    return KernelInotify(FileDescriptor(owning: number))
  }

  /// Watches a directory (`inotify_add_watch(2)`), through the open descriptor.
  ///
  /// - Returns: the watch descriptor.
  /// - Throws: why it cannot be watched.
  mutating func add(
    _ directory: HeldDirectory, scope: WatchScope, path: String
  ) throws(PollingReason) -> Int32 {
    let name = "/proc/self/fd/\(directory.rawDescriptor)/./"
    let watch = unsafe inotify_add_watch(
      descriptor, name, UInt32(bitPattern: InotifyEvent.mask(of: scope)))
    guard watch >= 0 else {
      let cause = Errno.current
      switch cause.rawValue {
      case ENOSPC: throw .tooManyWatches
      case ENOTDIR: throw .notDirectory(path: path)
      default: throw .system(call: "inotify_add_watch", path: path, cause)
      }
    }
    return watch
  }

  /// Stops watching a directory (`inotify_rm_watch(2)`).
  mutating func remove(_ watch: Int32) {
    _ = inotify_rm_watch(descriptor, watch)
  }

  /// Takes the next event that is there (`read(2)`); nil when there is none.
  ///
  /// Its name is in `name` until the next call.
  mutating func next() -> InotifyEvent? {
    while true {
      while walker.next() {
        guard let kind = InotifyEvent.kind(of: walker.mask) else { continue }
        return InotifyEvent(kind: kind, watch: walker.watch)
      }
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      walker.take(buffer[..<count])
    }
  }
}
