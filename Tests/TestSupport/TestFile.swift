internal import Glibc

/// Whole files, read and written in the plainest way, for preparing and inspecting in tests.
package enum TestFile {
  /// Reads a whole file, also one whose size the system doesn't tell (`/proc`).
  ///
  /// - Throws: the call that failed.
  package static func read(_ path: String) throws(SystemCallError) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemCallError("open", path) }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { throw SystemCallError("read", path) }
      if count == 0 { return content }
      content.append(contentsOf: chunk[..<count])
    }
  }

  /// Reads a whole text file.
  ///
  /// - Throws: the call that failed.
  package static func text(_ path: String) throws(SystemCallError) -> String {
    String(decoding: try read(path), as: UTF8.self)
  }

  /// Writes a whole file, truncating one that is there.
  ///
  /// - Throws: the call that failed.
  package static func write(
    _ bytes: [UInt8], to path: String, mode: UInt32 = 0o600
  ) throws(SystemCallError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw SystemCallError("open", path) }
    defer { close(descriptor) }
    guard fchmod(descriptor, mode) == 0 else { throw SystemCallError("fchmod", path) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else { throw SystemCallError("write", path) }
      rest = rest.dropFirst(count)
    }
  }

  /// Gives a file or directory another name.
  ///
  /// - Throws: the call that failed.
  package static func rename(_ path: String, to newPath: String) throws(SystemCallError) {
    guard unsafe Glibc.rename(path, newPath) == 0 else { throw SystemCallError("rename", path) }
  }

  /// Gives a file one more name, unless something has that name already.
  ///
  /// - Throws: the call that failed, for another reason than that.
  package static func link(_ path: String, as newPath: String) throws(SystemCallError) {
    guard unsafe Glibc.link(path, newPath) != 0, errno != EEXIST else { return }
    throw SystemCallError("link", path)
  }

  /// Removes a file.
  ///
  /// - Throws: the call that failed.
  package static func remove(_ path: String) throws(SystemCallError) {
    guard unsafe unlink(path) == 0 else { throw SystemCallError("unlink", path) }
  }

  /// Removes a file, or a directory with everything in it.
  package static func removeAll(_ path: String) {
    // A link is removed itself; what it points to is not the test's.
    if unsafe unlink(path) == 0 { return }
    // A test may have taken its own permissions away: without them nothing inside is removable.
    _ = unsafe chmod(path, 0o700)
    for name in names(in: path) { removeAll("\(path)/\(name)") }
    _ = unsafe rmdir(path)
  }

  /// Changes the permission bits of a file or directory.
  ///
  /// - Throws: the call that failed.
  package static func setMode(_ mode: UInt32, of path: String) throws(SystemCallError) {
    guard unsafe chmod(path, mode) == 0 else { throw SystemCallError("chmod", path) }
  }

  /// The permission bits of what is at `path`, not following a link.
  ///
  /// - Throws: the call that failed.
  package static func mode(of path: String) throws(SystemCallError) -> UInt32 {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw SystemCallError("lstat", path) }
    return status.st_mode & 0o7777
  }

  /// Whether something is at `path`.
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Returns the names in a directory, sorted, without `.` and `..`; none when it can't be read.
  package static func names(in directory: String) -> [String] {
    guard let stream = unsafe opendir(directory) else { return [] }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // In its place: an entry is shorter than its type, and a copy would read past the last one.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
