import Glibc

/// Whether a write must survive a power loss, or only a crash of the process.
package enum Durability: Sendable, Hashable {
  /// `fsync(2)` of the file before and of the directory after the rename.
  case durable
  /// No `fsync(2)`: for files that are made again at start, as on tmpfs.
  case volatile
}

extension Directory {
  /// Replaces a file in one step: readers find the old bytes or the new ones, never anything else.
  ///
  /// A temporary file in the same directory is written whole, made durable and renamed over the
  /// name. Whatever fails, the temporary file is removed and the old file stays.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - bytes: its new contents.
  ///   - durability: whether the bytes must survive a power loss.
  ///   - mode: the permission bits, at most what the policy allows.
  /// - Throws: `FileError`.
  package func replaceFile(
    _ name: String, with bytes: [UInt8], durability: Durability, mode: UInt32 = 0o600
  ) throws(FileError) {
    try replaceFile(name, with: bytes, durability: durability, mode: mode) {
      UInt64.random(in: .min ... .max)
    }
  }

  /// Replaces a file by way of a temporary one whose name has a given number in it.
  ///
  /// - Parameters:
  ///   - name: the file's name.
  ///   - bytes: its new contents.
  ///   - durability: whether the bytes must survive a power loss.
  ///   - mode: the permission bits, at most what the policy allows.
  ///   - number: makes the number, which nobody may foresee; asked again where the name is taken.
  /// - Throws: `FileError`.
  package func replaceFile(
    _ name: String, with bytes: [UInt8], durability: Durability, mode: UInt32 = 0o600,
    number: () -> UInt64
  ) throws(FileError) {
    var temporary = ""
    let descriptor = try createTemporary(
      for: name, mode: mode, number: number, temporary: &temporary)
    var isRenamed = false
    defer {
      if !isRenamed { unsafe _ = unlinkat(rawDescriptor, temporary, 0) }
    }
    try system("write", name) { () throws(Errno) in try descriptor.writeAll(bytes) }
    if durability == .durable {
      // A failed fsync is never repeated on the same descriptor: the kernel may have dropped the
      // dirty pages, so a second success would say nothing. The next write takes a new file.
      try system("fsync", name) { () throws(Errno) in
        guard fsync(descriptor.rawValue) == 0 else { throw .current }
      }
    }
    do {
      try descriptor.closeReporting()
    } catch {
      throw .system(call: "close", path: path + "/" + name, error)
    }
    guard unsafe renameat(rawDescriptor, temporary, rawDescriptor, name) == 0 else {
      throw .system(call: "rename", path: path + "/" + name, .current)
    }
    isRenamed = true
    if durability == .durable { try synchronize() }
  }

  /// Makes renames and removals in this directory durable (`fsync(2)` of the directory).
  ///
  /// - Throws: `FileError`.
  package func synchronize() throws(FileError) {
    guard fsync(rawDescriptor) == 0 else {
      throw .system(call: "fsync", path: path, .current)
    }
  }

  /// Removes temporary files that a killed writer left behind.
  ///
  /// Only the one writer of the directory may call it, while it holds the lock that makes it so.
  /// - Throws: `FileError`.
  package func sweepTemporaryFiles() throws(FileError) {
    for name in try names() where Directory.isTemporary(name) { try removeFile(name) }
  }

  /// Whether a file of this name is one that `replaceFile` has not renamed yet.
  package static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(".") && name.hasSuffix(".tmp")
  }

  private func createTemporary(
    for name: String, mode: UInt32, number: () -> UInt64, temporary: inout String
  ) throws(FileError) -> FileDescriptor {
    while true {
      temporary = ".\(name).\(String(number(), radix: 16)).tmp"
      let number = unsafe openat(
        rawDescriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
      if number >= 0 {
        // The umask may have taken bits away, as it must not from a file for a Unix group.
        _ = fchmod(number, mode)
        return FileDescriptor(owning: number)
      }
      let cause = Errno.current
      guard cause.rawValue == EEXIST || cause.rawValue == EINTR else {
        throw .system(call: "open", path: path + "/" + name, cause)
      }
    }
  }

  private func system(
    _ call: String, _ name: String, _ body: () throws(Errno) -> Void
  ) throws(FileError) {
    do {
      try body()
    } catch {
      throw .system(call: call, path: path + "/" + name, error)
    }
  }
}
