import Glibc

/// Who must own a file or directory, and which permission bits it may have at most.
package struct AccessPolicy: Sendable, Hashable {
  /// The owner that is accepted.
  package let owner: UInt32
  /// The widest permission bits for a directory.
  package let directoryMode: UInt32
  /// The widest permission bits for a file.
  package let fileMode: UInt32

  /// Nobody but this process's effective user: directories 0700, files 0600.
  package static var ownerOnly: AccessPolicy {
    AccessPolicy(owner: geteuid(), directoryMode: 0o700, fileMode: 0o600)
  }

  /// What a reader accepts of a system service's directory and of the one that holds its groups'
  /// directories: those whom a group is not for go through, and see and change nothing.
  ///
  /// - Parameter owner: the service's user, that is, the owner of the directory.
  /// - Returns: the policy: directories 0711, files none.
  package static func systemServiceTop(owner: UInt32) -> AccessPolicy {
    AccessPolicy(owner: owner, directoryMode: 0o711, fileMode: 0)
  }

  /// What a reader accepts of the directory of a system service's group and in it.
  ///
  /// - Parameter owner: the service's user, that is, the owner of the directory.
  /// - Returns: the policy: directories 2750, files 0640 at most.
  package static func systemService(owner: UInt32) -> AccessPolicy {
    AccessPolicy(owner: owner, directoryMode: 0o2750, fileMode: 0o640)
  }

  /// Creates a policy.
  package init(owner: UInt32, directoryMode: UInt32, fileMode: UInt32) {
    self.owner = owner
    self.directoryMode = directoryMode
    self.fileMode = fileMode
  }

  /// Checks an open directory.
  ///
  /// - Throws: `insecure`.
  package func check(directory status: FileStatus, path: String) throws(FileError) {
    guard status.isDirectory else {
      throw .insecure(path: path, .kind(expected: "a directory"))
    }
    try check(status, allowed: directoryMode, path: path)
  }

  /// Checks an open file: regular, one name, owner, mode.
  ///
  /// - Throws: `insecure`.
  package func check(file status: FileStatus, path: String) throws(FileError) {
    guard status.isRegularFile else {
      throw .insecure(path: path, .kind(expected: "a regular file"))
    }
    guard status.linkCount <= 1 else { throw .insecure(path: path, .linked) }
    try check(status, allowed: fileMode, path: path)
  }

  private func check(
    _ status: FileStatus, allowed: UInt32, path: String
  ) throws(FileError) {
    guard status.owner == owner else {
      throw .insecure(path: path, .owner(status.owner, expected: owner))
    }
    guard status.permissions & ~allowed == 0 else {
      throw .insecure(path: path, .mode(status.permissions, allowed: allowed))
    }
  }
}
