import Glibc

/// An open directory, through which everything below it is reached, so that no path is walked twice.
package final class Directory: Sendable {
  /// The path it was opened by, for messages and for children that need a path.
  package let path: String
  /// Who may own what is in it, and with which modes.
  package let policy: AccessPolicy
  private let descriptor: FileDescriptor

  private init(path: String, policy: AccessPolicy, descriptor: consuming FileDescriptor) {
    self.path = path
    self.policy = policy
    self.descriptor = descriptor
  }

  /// The descriptor's number, to be lent to a system call and not kept.
  package var rawDescriptor: Int32 { descriptor.rawValue }

  /// Opens an existing directory and checks its owner and mode (`open(2)`, `fstat(2)`).
  ///
  /// The last component must not be a symbolic link.
  /// - Parameters:
  ///   - path: the directory.
  ///   - policy: who may own it and what is in it, and with which modes.
  ///   - isPassage: whether it is only gone through, for which a right to list it is not needed
  ///     (`O_PATH`).
  /// - Returns: the open directory.
  /// - Throws: `FileError`.
  package static func open(
    path: String, policy: AccessPolicy, isPassage: Bool = false
  ) throws(FileError) -> Directory {
    try open(at: AT_FDCWD, name: path, path: path, policy: policy, isPassage: isPassage)
  }

  /// Creates a directory with its missing parents, then opens it (`mkdir(2)`).
  ///
  /// Parents that are made get 0700 too. What exists is never changed, only checked, except where
  /// the policy shares it and it lacks what others need.
  /// - Parameters:
  ///   - path: the directory.
  ///   - policy: who may own it and with which mode; a new one gets the widest.
  ///   - makingParents: whether missing parents are made; else they are an error.
  /// - Returns: the open directory.
  /// - Throws: `FileError`.
  package static func create(
    path: String, policy: AccessPolicy, makingParents: Bool = true
  ) throws(FileError) -> Directory {
    if makingParents {
      for parent in parents(of: path) {
        try make(parent, mode: 0o700, at: AT_FDCWD, path: parent)
      }
    }
    try make(path, mode: policy.directoryMode, at: AT_FDCWD, path: path)
    return try open(
      at: AT_FDCWD, name: path, path: path, policy: policy, isPassage: false, isMade: true)
  }

  /// Opens a directory in this one.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - policy: who may own it, where that is another rule than this directory's.
  ///   - isPassage: whether it is only gone through (`O_PATH`).
  /// - Returns: the open directory.
  /// - Throws: `FileError`.
  package func openDirectory(
    _ name: String, policy: AccessPolicy? = nil, isPassage: Bool = false
  ) throws(FileError) -> Directory {
    try Directory.open(
      at: rawDescriptor, name: name, path: path + "/" + name, policy: policy ?? self.policy,
      isPassage: isPassage)
  }

  /// Opens a directory in this one, if there is one of that name.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - policy: who may own it, where that is another rule than this directory's.
  ///   - isPassage: whether it is only gone through (`O_PATH`).
  /// - Returns: the open directory; nil when nothing has the name.
  /// - Throws: `FileError`.
  package func openIfPresent(
    _ name: String, policy: AccessPolicy? = nil, isPassage: Bool = false
  ) throws(FileError) -> Directory? {
    do {
      return try openDirectory(name, policy: policy, isPassage: isPassage)
    } catch {
      if error.errno?.rawValue == ENOENT { return nil }
      throw error
    }
  }

  /// Opens a directory in this one that may be for its owner alone, or for a Unix group.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - policy: who may own it.
  /// - Returns: the open directory; nil when nothing has the name.
  /// - Throws: `FileError`; `notForThisUser` says whom it is for.
  package func openShared(
    _ name: String, policy: AccessPolicy
  ) throws(FileError) -> Directory? {
    do {
      return try openIfPresent(name, policy: policy)
    } catch {
      guard error.errno?.rawValue == EACCES,
        let status = try? FileStatus(of: name, in: rawDescriptor)
      else { throw error }
      throw .notForThisUser(
        path: path + "/" + name, owner: status.owner,
        group: status.permissions & 0o050 == 0o050 ? status.group : nil)
    }
  }

  /// Opens a directory in this one, made if it is missing.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - policy: who may own it, where that is another rule than this directory's.
  /// - Returns: the open directory.
  /// - Throws: `FileError`.
  package func createDirectory(
    _ name: String, policy: AccessPolicy? = nil
  ) throws(FileError) -> Directory {
    let (made, policy) = (path + "/" + name, policy ?? self.policy)
    try Directory.make(name, mode: policy.directoryMode, at: rawDescriptor, path: made)
    return try Directory.open(
      at: rawDescriptor, name: name, path: made, policy: policy, isPassage: false, isMade: true)
  }

  /// Asks for the status of the directory itself (`fstat(2)`).
  ///
  /// - Throws: `FileError`.
  package func status() throws(FileError) -> FileStatus {
    try FileStatus.of(rawDescriptor, path: path)
  }

  /// Whether the path still leads to this very directory.
  package var isStillInPlace: Bool {
    guard let here = try? FileStatus(of: rawDescriptor),
      let there = try? FileStatus(of: path, in: AT_FDCWD)
    else { return false }
    return here.isSameFile(as: there)
  }

  /// Lists the names in the directory, sorted by their bytes, without `.` and `..` (`readdir(3)`).
  ///
  /// - Throws: `FileError`.
  package func names() throws(FileError) -> [String] {
    let number = unsafe openat(rawDescriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .system(call: "openat", path: path, .current) }
    guard let stream = unsafe fdopendir(number) else {
      let cause = Errno.current
      close(number)
      throw .system(call: "fdopendir", path: path, cause)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
        unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    // The end of the list and a failure both give a null pointer.
    guard errno == 0 else { throw .system(call: "readdir", path: path, .current) }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func open(
    at base: Int32, name: String, path: String, policy: AccessPolicy, isPassage: Bool,
    isMade: Bool = false
  ) throws(FileError) -> Directory {
    let access = isPassage ? openPathOnly : O_RDONLY
    let number = unsafe openat(base, name, access | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else {
      let cause = Errno.current
      if cause.rawValue == ENOTDIR || cause.rawValue == ELOOP {
        throw .insecure(path: path, .kind(expected: "a directory"))
      }
      throw .system(call: "open", path: path, cause)
    }
    let descriptor = FileDescriptor(owning: number)
    if isMade { try policy.complete(directory: number, path: path) }
    try policy.check(directory: FileStatus.of(number, path: path), path: path)
    return Directory(path: path, policy: policy, descriptor: descriptor)
  }

  private static func make(
    _ name: String, mode: UInt32, at base: Int32, path: String
  ) throws(FileError) {
    guard unsafe mkdirat(base, name, mode) == 0 else {
      guard errno != EEXIST else { return }
      throw .system(call: "mkdir", path: path, .current)
    }
    do {
      try synchronizeParent(of: path)
    } catch {
      // The next try would find it and take it for durable.
      unsafe _ = unlinkat(base, name, AT_REMOVEDIR)
      throw error
    }
  }

  // What is made durable in a directory is lost all the same while the directory's own name is not.
  private static func synchronizeParent(of path: String) throws(FileError) {
    let slash = path.lastIndex(of: "/")
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let number = unsafe Glibc.open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else {
      // One that may be gone through and written to, but not be read, cannot be synchronized.
      if errno == EACCES { return }
      throw .system(call: "open", path: parent, .current)
    }
    let descriptor = FileDescriptor(owning: number)
    guard fsync(descriptor.rawValue) == 0 else {
      throw .system(call: "fsync", path: parent, .current)
    }
  }

  private static func parents(of path: String) -> [String] {
    var parents: [String] = []
    var current = ""
    for component in path.split(separator: "/").dropLast() {
      current += (current.isEmpty && !path.hasPrefix("/") ? "" : "/") + component
      parents.append(current)
    }
    return parents
  }
}

/// Opens a file or directory without a right to read it (`O_PATH`).
///
/// It is behind `_GNU_SOURCE` and so not in the Glibc module; asm-generic/fcntl.h.
package let openPathOnly: Int32 = 0o10_000_000
