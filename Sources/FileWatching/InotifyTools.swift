import FileSupport
import Glibc
import Synchronization

#if Inotify
  import CInotifyTools

  /// The process's one libinotifytools instance, lent to one user at a time.
  ///
  /// The library keeps everything in globals and function statics, so a value of this type is the
  /// right to call it and cannot be copied. What the library gets wrong is met here:
  /// - It is never cleaned up: afterwards it would read whatever has the old descriptor's number.
  /// - Only `inotifytools_next_events(0, 1)` is called, and only when `poll(2)` has said that
  ///   something is there: a longer wait counts whole seconds, a greater number spins.
  /// - A descriptor that its `fd_set` cannot hold would abort the process: it is refused before.
  /// - Its tables forget a watch only when asked to while the kernel knows it still. Whoever adds
  ///   a directory holds it open until the watch is removed, so that this is always so.
  struct InotifyTools: ~Copyable {
    private enum State: Sendable {
      case unstarted
      case free(Int32)
      case taken
      case unusable(PollingReason)
    }

    private static let state = Mutex(State.unstarted)

    /// The inotify descriptor, to be polled and never read.
    let descriptor: Int32

    /// The bytes of the name in the last event; empty where it has none.
    private(set) var name: [UInt8] = []

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// Takes the instance, which is made at the first call (`inotifytools_initialize`).
    ///
    /// - Throws: why inotify cannot be used.
    static func take() throws(PollingReason) -> InotifyTools {
      let descriptor = try state.withLock { (state) throws(PollingReason) -> Int32 in
        switch state {
        case .free(let descriptor):
          state = .taken
          return descriptor
        case .unstarted:
          let descriptor = try start(&state)
          state = .taken
          return descriptor
        case .unusable(let reason): throw reason
        case .taken: preconditionFailure("libinotifytools has one user at a time")
        }
      }
      return InotifyTools(descriptor: descriptor)
    }

    // What is left unread belongs to nobody: the next user must not see it.
    deinit {
      while unsafe inotifytools_next_events(0, 1) != nil {}
      InotifyTools.state.withLock { $0 = .free(descriptor) }
    }

    /// Watches a directory (`inotifytools_watch_file`).
    ///
    /// The path goes through the open descriptor, so that the watched directory is that one and no
    /// other; its last component is `.`, which is a directory and no link.
    /// - Returns: the watch descriptor.
    /// - Throws: why it cannot be watched.
    mutating func add(
      _ directory: HeldDirectory, scope: WatchScope, path: String
    ) throws(PollingReason) -> Int32 {
      let name = "/proc/self/fd/\(directory.rawDescriptor)/./"
      guard unsafe inotifytools_watch_file(name, InotifyEvent.mask(of: scope)) == 1 else {
        let cause = Errno(rawValue: inotifytools_error())
        switch cause.rawValue {
        case ENOSPC: throw .tooManyWatches
        case ENOTDIR: throw .notDirectory(path: path)
        default: throw .system(call: "inotify_add_watch", path: path, cause)
        }
      }
      return unsafe inotifytools_wd_from_filename(name)
    }

    /// Stops watching a directory that is still held open (`inotifytools_remove_watch_by_wd`).
    mutating func remove(_ watch: Int32) {
      _ = inotifytools_remove_watch_by_wd(watch)
    }

    /// Takes the next event that is there (`inotifytools_next_events`); nil when there is none.
    ///
    /// Its name is in `name` until the next call.
    mutating func next() -> InotifyEvent? {
      while let event = unsafe inotifytools_next_events(0, 1) {
        let (watch, mask) = unsafe (event.pointee.wd, event.pointee.mask)
        guard let kind = InotifyEvent.kind(of: mask) else { continue }
        unsafe copyName(of: event)
        return InotifyEvent(kind: kind, watch: watch)
      }
      return nil
    }

    private mutating func copyName(of event: UnsafePointer<inotify_event>) {
      name.removeAll(keepingCapacity: true)
      // The name follows the structure, padded with NUL bytes to `len`.
      let start = unsafe UnsafeRawPointer(event) + MemoryLayout<inotify_event>.size
      let field = unsafe UnsafeRawBufferPointer(start: start, count: Int(event.pointee.len))
      unsafe name.append(contentsOf: field.prefix { $0 != 0 })
    }

    private static func start(_ state: inout State) throws(PollingReason) -> Int32 {
      try checkRoom()
      let before = inotifyDescriptors()
      guard inotifytools_initialize() == 1 else {
        let cause = Errno(rawValue: inotifytools_error())
        // A descriptor could be had a moment ago, so this is the limit of instances.
        if cause.rawValue == EMFILE { throw .tooManyInstances }
        throw .system(call: "inotify_init", path: "/proc/sys/fs/inotify", cause)
      }
      let candidates = inotifyDescriptors().subtracting(before)
      let found = candidates.count == 1 ? candidates.first : probe(candidates)
      let reason: PollingReason
      if let found, found < FD_SETSIZE {
        // inotifytools_initialize leaves the descriptor open for every child.
        _ = fcntl(found, F_SETFD, FD_CLOEXEC)
        return found
      } else if let found {
        _ = fcntl(found, F_SETFD, FD_CLOEXEC)
        reason = .fdTooLarge(found)
      } else {
        reason = .descriptorNotFound
      }
      state = .unusable(reason)
      throw reason
    }

    /// Refuses to start while the next descriptor's number would be too great.
    private static func checkRoom() throws(PollingReason) {
      let number = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard number >= 0 else {
        throw .system(call: "open", path: "/dev/null", .current)
      }
      close(number)
      guard number < FD_SETSIZE else { throw .fdTooLarge(number) }
    }

    /// Tells the library's descriptor from others made meanwhile: a watch comes and goes in it.
    private static func probe(_ candidates: Set<Int32>) -> Int32? {
      guard unsafe inotifytools_watch_file("/", IN_DELETE_SELF | IN_ONLYDIR) == 1 else {
        return nil
      }
      let watch = unsafe inotifytools_wd_from_filename("/")
      let watching = candidates.filter { watchDescriptors(of: $0) == [watch] }
      _ = inotifytools_remove_watch_by_wd(watch)
      let found = watching.filter { watchDescriptors(of: $0).isEmpty }
      return found.count == 1 ? found.first : nil
    }
  }
#else
  /// Stands for libinotifytools in a program that is built without it.
  struct InotifyTools: ~Copyable {
    /// The inotify descriptor: there is none.
    let descriptor: Int32 = -1
    /// The name in the last event: there is none.
    let name: [UInt8] = []

    /// Throws `builtWithoutInotify`.
    static func take() throws(PollingReason) -> InotifyTools { throw .builtWithoutInotify }

    /// Throws `builtWithoutInotify`.
    mutating func add(
      _ directory: HeldDirectory, scope: WatchScope, path: String
    ) throws(PollingReason) -> Int32 { throw .builtWithoutInotify }

    /// Does nothing: there is no watch.
    mutating func remove(_ watch: Int32) {}

    /// Returns nil: there are no events.
    mutating func next() -> InotifyEvent? { nil }
  }
#endif
