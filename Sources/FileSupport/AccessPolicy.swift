import Glibc

/// Who must own a file or directory, and which permission bits it may have at most.
package struct AccessPolicy: Sendable, Hashable {
  /// The owner that is accepted.
  package let owner: UInt32
  /// The widest permission bits for a directory.
  package let directoryMode: UInt32
  /// The widest permission bits for a file.
  package let fileMode: UInt32
  /// The Unix group that everything has to belong to; nil where that does not matter.
  package let group: UInt32?
  /// Whether others use what is made: a directory then gets its whole mode, and its group.
  package let isShared: Bool

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

  /// What the host of a system service keeps to in its runtime directory: 0711, files 0600.
  package static var serviceRuntime: AccessPolicy {
    AccessPolicy(owner: geteuid(), directoryMode: 0o711, fileMode: 0o600, isShared: true)
  }

  /// What the host of a system service keeps to in the directory of an access group whose readers
  /// are the members of a Unix group.
  ///
  /// - Parameter group: the Unix group.
  /// - Returns: the policy: directories 2750, files 0640, of that group.
  package static func members(of group: UInt32) -> AccessPolicy {
    AccessPolicy(
      owner: geteuid(), directoryMode: 0o2750, fileMode: 0o640, group: group, isShared: true)
  }

  /// Creates a policy.
  package init(
    owner: UInt32, directoryMode: UInt32, fileMode: UInt32, group: UInt32? = nil,
    isShared: Bool = false
  ) {
    self.owner = owner
    self.directoryMode = directoryMode
    self.fileMode = fileMode
    self.group = group
    self.isShared = isShared
  }

  /// Checks an open directory.
  ///
  /// - Throws: `insecure`.
  package func check(directory status: FileStatus, path: String) throws(FileError) {
    try checkOwnerAndMode(ofDirectory: status, path: path)
    try checkGroup(status, path: path)
  }

  /// Whether an open directory has exactly the mode, and the group, that it is given when it is made.
  package func isWhole(directory status: FileStatus) -> Bool {
    status.permissions == directoryMode && (group == nil || status.group == group)
  }

  /// Gives an open directory that was made to those whom it is for (`fchown(2)`, `fchmod(2)`).
  ///
  /// The umask, or the end of the process that made it, may have left it without. One of another
  /// user's, or with a mode that lets others in, is not mended but refused.
  /// - Throws: `FileError`.
  func complete(directory descriptor: Int32, path: String) throws(FileError) {
    guard isShared else { return }
    let status = try FileStatus.of(descriptor, path: path)
    try checkOwnerAndMode(ofDirectory: status, path: path)
    guard !isWhole(directory: status) else { return }
    if let group, status.group != group {
      guard fchown(descriptor, .max, group) == 0 else {
        throw .system(call: "chown to group \(group)", path: path, .current)
      }
    }
    // After the group, as fchown(2) may take the set-group-ID bit away.
    guard fchmod(descriptor, directoryMode) == 0 else {
      throw .system(call: "chmod", path: path, .current)
    }
  }

  private func checkOwnerAndMode(
    ofDirectory status: FileStatus, path: String
  ) throws(FileError) {
    guard status.isDirectory else {
      throw .insecure(path: path, .kind(expected: "a directory"))
    }
    try check(status, allowed: directoryMode, path: path)
  }

  private func checkGroup(
    _ status: FileStatus, path: @autoclosure () -> String
  ) throws(FileError) {
    guard let group, status.group != group else { return }
    throw .insecure(path: path(), .group(status.group, expected: group))
  }

  /// Checks an open file: regular, one name, owner, mode.
  ///
  /// - Throws: `insecure`.
  package func check(
    file status: FileStatus, path: @autoclosure () -> String
  ) throws(FileError) {
    guard status.isRegularFile else {
      throw .insecure(path: path(), .kind(expected: "a regular file"))
    }
    guard status.linkCount <= 1 else { throw .insecure(path: path(), .linked) }
    try check(status, allowed: fileMode, path: path())
    try checkGroup(status, path: path())
  }

  private func check(
    _ status: FileStatus, allowed: UInt32, path: @autoclosure () -> String
  ) throws(FileError) {
    guard status.owner == owner else {
      throw .insecure(path: path(), .owner(status.owner, expected: owner))
    }
    guard status.permissions & ~allowed == 0 else {
      throw .insecure(path: path(), .mode(status.permissions, allowed: allowed))
    }
  }
}
