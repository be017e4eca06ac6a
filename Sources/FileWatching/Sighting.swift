/// Which file or directory it is, for as long as it exists.
package struct FileIdentity: Sendable, Hashable {
  /// The device that holds it.
  package let device: UInt64
  /// Its number on that device.
  package let inode: UInt64

  /// Creates an identity.
  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// What tells one content of a file from the next without reading it.
package struct FileMark: Sendable, Hashable {
  /// Which file it is.
  package let identity: FileIdentity
  /// Its length in bytes.
  package let size: Int64
  /// When its content was last written, because a number is used again once its file is gone.
  package let modified: Int64

  /// Creates a mark.
  package init(identity: FileIdentity, size: Int64, modified: Int64) {
    self.identity = identity
    self.size = size
    self.modified = modified
  }
}

/// What one look at a path found: which of its directories exist, and the file.
package struct Sighting: Sendable, Hashable {
  /// The position in the request of the highest directory found.
  package let top: Int
  /// Which directories were found, from the highest down to the last that exists.
  package let directories: [FileIdentity]
  /// The file, if all directories and the file itself exist.
  package let file: FileMark?
  /// Why inotify cannot be used here, where the look itself showed it.
  package let hindrance: PollingReason?

  /// Creates what a look found.
  package init(
    top: Int, directories: [FileIdentity], file: FileMark?, hindrance: PollingReason? = nil
  ) {
    self.top = top
    self.directories = directories
    self.file = file
    self.hindrance = hindrance
  }

  /// Whether all directories of a request were found.
  func isComplete(for request: WatchRequest) -> Bool {
    top + directories.count == request.directories.count
  }

  /// Whether two looks found the same directories and the same hindrance.
  package func hasSamePath(as other: Sighting) -> Bool {
    top == other.top && directories == other.directories && hindrance == other.hindrance
  }
}
