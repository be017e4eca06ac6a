import Glibc

/// One event as inotify tells it, copied out of the buffer that it came in.
struct InotifyEvent: Sendable, Hashable {
  /// What happened.
  enum Kind: Sendable, Hashable {
    /// A name was added to the directory (`IN_MOVED_TO`, `IN_CREATE`).
    case nameAdded
    /// A name went away from the directory (`IN_DELETE`, `IN_MOVED_FROM`).
    case nameRemoved
    /// A file that could be written to was closed (`IN_CLOSE_WRITE`).
    case writerGone
    /// The directory itself was moved or removed (`IN_MOVE_SELF`, `IN_DELETE_SELF`).
    case selfChanged
    /// The directory's file system was unmounted (`IN_UNMOUNT`).
    case unmounted
    /// The kernel has let go of the watch (`IN_IGNORED`).
    case ignored
    /// Events were lost (`IN_Q_OVERFLOW`).
    case overflow
  }

  /// What happened.
  let kind: Kind
  /// The watch descriptor; -1 for an overflow.
  let watch: Int32
}

/// Which events of a directory are of interest.
struct WatchScope: OptionSet, Sendable, Hashable {
  /// The bits.
  let rawValue: UInt8

  /// Creates a scope from its bits.
  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Files that are renamed into the directory or removed from it.
  static let files = WatchScope(rawValue: 1)
  /// Besides, directories that are made in it or renamed out of it.
  static let directories = WatchScope(rawValue: 3)
  /// Files in the directory that are closed by somebody who could write to them.
  static let writers = WatchScope(rawValue: 4)
}

extension InotifyEvent {
  /// What a mask says; nil for what is of no interest.
  static func kind(of mask: UInt32) -> InotifyEvent.Kind? {
    func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
    if has(IN_Q_OVERFLOW) { return .overflow }
    if has(IN_MOVED_TO | IN_CREATE) { return .nameAdded }
    if has(IN_DELETE | IN_MOVED_FROM) { return .nameRemoved }
    if has(IN_CLOSE_WRITE) { return .writerGone }
    if has(IN_IGNORED) { return .ignored }
    if has(IN_UNMOUNT) { return .unmounted }
    return has(IN_MOVE_SELF | IN_DELETE_SELF) ? .selfChanged : nil
  }

  /// The mask to watch a directory with.
  static func mask(of scope: WatchScope) -> Int32 {
    var mask = IN_MOVED_TO | IN_DELETE | IN_MOVE_SELF | IN_DELETE_SELF
    if scope.isSuperset(of: .directories) { mask |= IN_CREATE | IN_MOVED_FROM }
    if scope.contains(.writers) { mask |= IN_CLOSE_WRITE }
    return mask | IN_ONLYDIR | IN_DONT_FOLLOW
  }
}
