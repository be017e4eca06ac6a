import Glibc

extension Directory {
  /// Opens a file for reading and checks what was opened, never the path (`openat(2)`, `fstat(2)`).
  ///
  /// Non-blocking and no-follow, so that neither a FIFO nor a symbolic link in the file's place
  /// can hold up or mislead the reader.
  ///
  /// - Returns: the open file with its status; nil when there is none of that name.
  /// - Throws: `FileError`.
  package func openFile(
    _ name: String, sizeLimit: Int
  ) throws(FileError) -> OpenFile? {
    // For messages, of which there are few.
    var filePath: String { path + "/" + name }
    let number = openForReading(name)
    guard number >= 0 else {
      let cause = Errno.current
      switch cause.rawValue {
      case ENOENT: return nil
      case ELOOP, ENXIO, ENODEV:
        throw .insecure(path: filePath, .kind(expected: "a regular file"))
      default: throw .system(call: "open", path: filePath, cause)
      }
    }
    let descriptor = FileDescriptor(owning: number)
    let status = try FileStatus.of(number, path: filePath)
    try policy.check(file: status, path: filePath)
    guard status.size <= Int64(sizeLimit) else {
      throw .tooLarge(path: filePath, limit: sizeLimit)
    }
    return OpenFile(
      descriptor: descriptor, status: status, directory: path, name: name, limit: sizeLimit)
  }

  /// Opens a file for reading, whatever it is (`openat(2)`).
  ///
  /// - Returns: the descriptor's number; -1 with `errno`.
  func openForReading(_ name: String) -> Int32 {
    // Where a String is given for a pointer, an array is made of it.
    unsafe name.withCString {
      unsafe openat(rawDescriptor, $0, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    }
  }

  /// Reads a whole file.
  ///
  /// - Returns: its bytes; nil when there is none of that name.
  /// - Throws: `FileError`.
  package func readFile(_ name: String, sizeLimit: Int) throws(FileError) -> [UInt8]? {
    guard let file = try openFile(name, sizeLimit: sizeLimit) else { return nil }
    return try file.read()
  }

  /// Removes a file; nothing happens when there is none (`unlinkat(2)`).
  ///
  /// - Throws: `FileError`.
  package func removeFile(_ name: String) throws(FileError) {
    guard unsafe unlinkat(rawDescriptor, name, 0) != 0, errno != ENOENT else { return }
    throw .system(call: "unlink", path: path + "/" + name, .current)
  }

  /// Gives a file another name in this directory, atomically replacing what has it (`renameat(2)`).
  ///
  /// - Throws: `FileError`.
  package func renameFile(_ name: String, to newName: String) throws(FileError) {
    guard unsafe renameat(rawDescriptor, name, rawDescriptor, newName) != 0 else { return }
    throw .system(call: "rename", path: path + "/" + name, .current)
  }

  /// Removes an empty directory in this one; nothing happens when there is none.
  ///
  /// - Throws: `FileError`.
  package func removeDirectory(_ name: String) throws(FileError) {
    guard unsafe unlinkat(rawDescriptor, name, AT_REMOVEDIR) != 0, errno != ENOENT else { return }
    throw .system(call: "rmdir", path: path + "/" + name, .current)
  }
}

/// A file that was opened for reading and passed its owner and mode check.
package struct OpenFile: ~Copyable, Sendable {
  private let descriptor: FileDescriptor
  /// The status when it was opened.
  package let status: FileStatus
  private let directory: String
  private let name: String
  private let limit: Int

  init(
    descriptor: consuming FileDescriptor, status: FileStatus, directory: String, name: String,
    limit: Int
  ) {
    self.descriptor = descriptor
    self.status = status
    self.directory = directory
    self.name = name
    self.limit = limit
  }

  private var path: String { directory + "/" + name }

  /// Reads the file from its beginning, one byte more than allowed, so that a grown file shows.
  ///
  /// - Throws: `FileError`.
  package borrowing func read() throws(FileError) -> [UInt8] {
    if let bytes = readAtOnce() { return bytes }
    guard lseek(descriptor.rawValue, 0, SEEK_SET) == 0 else {
      throw .system(call: "lseek", path: path, .current)
    }
    return try readToEnd(of: descriptor.rawValue, limit: limit, path: path)
  }

  /// Reads a file that has the length that it had when it was opened, with one call (`pread(2)`).
  ///
  /// - Returns: nil for any other file, such as one that grows or has no length.
  private borrowing func readAtOnce() -> [UInt8]? {
    let length = Int(status.size)
    guard length > 0, length <= limit else { return nil }
    // One byte more is asked for: where it does not come, the file ends.
    var bytes = [UInt8](repeating: 0, count: length + 1)
    let count = unsafe pread(descriptor.rawValue, &bytes, length + 1, 0)
    guard count == length else { return nil }
    bytes.removeLast()
    return bytes
  }

  /// Asks for the status now (`fstat(2)`); no links left means that the file was replaced.
  ///
  /// - Throws: `FileError`.
  package borrowing func currentStatus() throws(FileError) -> FileStatus {
    try FileStatus.of(descriptor.rawValue, path: path)
  }
}
