internal import Glibc

/// A directory of its own for one test, mode 0700, removed with everything in it.
package final class TemporaryDirectory: Sendable {
  /// The directory's absolute path, without links in it.
  package let path: String

  /// Makes a new directory under `$TMPDIR` or `/tmp`.
  ///
  /// - Parameter parent: where to make it instead, such as a directory on another file system.
  /// - Throws: the call that failed, when it can't be made.
  package init(in parent: String? = nil) throws(SystemCallError) {
    let root = parent ?? Environment.value("TMPDIR") ?? "/tmp"
    var template = Array("\(root)/tokenvault-test.XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
      // mkdtemp(3) makes it 0700 whatever the umask is.
      guard let name = buffer.baseAddress, let made = unsafe mkdtemp(name) else {
        return nil
      }
      return unsafe String(cString: made)
    }
    guard let made else { throw SystemCallError("mkdtemp", root) }
    guard let resolved = unsafe realpath(made, nil) else { throw SystemCallError("realpath", made) }
    defer { unsafe free(resolved) }
    path = unsafe String(cString: resolved)
  }

  deinit { remove() }

  /// Returns the path of something in the directory.
  package func file(_ name: String) -> String { "\(path)/\(name)" }

  /// Makes a directory inside and returns its path.
  ///
  /// - Throws: the call that failed.
  package func makeDirectory(
    _ name: String, mode: UInt32 = 0o700
  ) throws(SystemCallError) -> String {
    let made = file(name)
    guard unsafe mkdir(made, mode) == 0 else { throw SystemCallError("mkdir", made) }
    // mkdir(2) applies the umask.
    guard unsafe chmod(made, mode) == 0 else { throw SystemCallError("chmod", made) }
    return made
  }

  /// Writes a file inside and returns its path.
  ///
  /// - Throws: the call that failed.
  @discardableResult
  package func write(
    _ bytes: [UInt8], to name: String, mode: UInt32 = 0o600
  ) throws(SystemCallError) -> String {
    try TestFile.write(bytes, to: file(name), mode: mode)
    return file(name)
  }

  /// Writes a text file inside and returns its path.
  ///
  /// - Throws: the call that failed.
  @discardableResult
  package func write(
    _ text: String, to name: String, mode: UInt32 = 0o600
  ) throws(SystemCallError) -> String {
    try write(Array(text.utf8), to: name, mode: mode)
  }

  /// Makes a symbolic link inside.
  ///
  /// - Throws: the call that failed.
  package func link(_ name: String, to target: String) throws(SystemCallError) {
    guard unsafe symlink(target, file(name)) == 0 else {
      throw SystemCallError("symlink", file(name))
    }
  }

  /// Reads a file inside.
  ///
  /// - Throws: the call that failed.
  package func read(_ name: String) throws(SystemCallError) -> [UInt8] {
    try TestFile.read(file(name))
  }

  /// Removes the directory and everything in it, now rather than at the end of its life.
  package func remove() { TestFile.removeAll(path) }
}

/// Runs `body` with a new directory and removes it afterwards, whatever happens.
///
/// - Throws: what `body` throws, or the call that kept the directory from being made.
package func withTemporaryDirectory<Result>(
  _ body: (TemporaryDirectory) async throws -> Result
) async throws -> Result {
  let directory = try TemporaryDirectory()
  defer { directory.remove() }
  return try await body(directory)
}
