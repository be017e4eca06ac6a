import Glibc

/// What `fstat(2)` says of an open file.
package struct FileStatus: Sendable, Hashable {
  /// The device that holds the file.
  package let device: UInt64
  /// The file's number on that device.
  package let inode: UInt64
  /// How many names the file has; zero once it was replaced or removed.
  package let linkCount: UInt64
  /// The owner.
  package let owner: UInt32
  /// The owning group.
  package let group: UInt32
  /// Type and permission bits.
  package let mode: UInt32
  /// The length in bytes.
  package let size: Int64
  /// When the content was last written, in nanoseconds since the epoch; the kernel counts in steps.
  package let modified: Int64
  /// When content, owner, mode or names were last changed, likewise.
  package let changed: Int64

  /// The permission bits alone.
  package var permissions: UInt32 { mode & 0o7777 }
  /// Whether it is a regular file.
  package var isRegularFile: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
  /// Whether it is a directory.
  package var isDirectory: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }

  /// Whether two statuses are of the same file.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  private init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    linkCount = UInt64(status.st_nlink)
    owner = status.st_uid
    group = status.st_gid
    mode = status.st_mode
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    changed = Int64(status.st_ctim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_ctim.tv_nsec)
  }

  /// Asks for the status of an open file (`fstat(2)`).
  ///
  /// - Throws: the error number.
  package init(of descriptor: Int32) throws(Errno) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw .current }
    self.init(status)
  }

  /// Asks for the status of a name in a directory, a symbolic link not followed (`fstatat(2)`).
  ///
  /// - Throws: the error number.
  package init(of name: String, in directory: Int32) throws(Errno) {
    var status = stat()
    // Where a String is given for a pointer, an array is made of it.
    let result = unsafe name.withCString {
      unsafe fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    guard result == 0 else { throw .current }
    self.init(status)
  }

  /// Asks for the status of an open file and names it in the error (`fstat(2)`).
  ///
  /// - Throws: `FileError`.
  package static func of(
    _ descriptor: Int32, path: @autoclosure () -> String
  ) throws(FileError) -> FileStatus {
    do {
      return try FileStatus(of: descriptor)
    } catch {
      throw .system(call: "fstat", path: path(), error)
    }
  }
}
