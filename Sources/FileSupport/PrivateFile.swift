import Glibc

/// A file that somebody else may have put in place, such as a secret that a service manager mounts.
package enum PrivateFile {
  /// Reads a whole file by its path, symbolic links followed, and checks what was opened.
  ///
  /// It must be regular and belong to this user, mode 0600 at most, or to root, mode 0640 at most.
  /// - Parameters:
  ///   - path: the file's path.
  ///   - sizeLimit: the greatest number of bytes that is accepted.
  /// - Returns: its bytes.
  /// - Throws: `FileError`.
  package static func read(path: String, sizeLimit: Int) throws(FileError) -> [UInt8] {
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard number >= 0 else { throw .system(call: "open", path: path, .current) }
    let descriptor = FileDescriptor(owning: number)
    let status = try FileStatus.of(number, path: path)
    guard status.isRegularFile else {
      throw .insecure(path: path, .kind(expected: "a regular file"))
    }
    let user = geteuid()
    guard status.owner == user || status.owner == 0 else {
      throw .insecure(path: path, .owner(status.owner, expected: user))
    }
    let allowed: UInt32 = status.owner == user ? 0o600 : 0o640
    guard status.permissions & ~allowed == 0 else {
      throw .insecure(path: path, .mode(status.permissions, allowed: allowed))
    }
    return try readToEnd(of: descriptor.rawValue, limit: sizeLimit, path: path)
  }
}
