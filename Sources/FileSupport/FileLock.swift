import CLinux
import Glibc

/// An exclusive lock on a file of its own, held until its owner ends (`fcntl(2)`, `F_OFD_SETLK`).
///
/// The file stays, empty; the kernel releases the lock when the process ends in any way.
package final class FileLock: Sendable {
  private let descriptor: FileDescriptor

  /// Takes the lock without waiting.
  ///
  /// - Parameters:
  ///   - name: the lock file's name, made if it is missing.
  ///   - directory: where it is.
  /// - Throws: `locked` when somebody has it, or another `FileError`.
  package init(_ name: String, in directory: Directory) throws(FileError) {
    let path = directory.path + "/" + name
    let number = unsafe openat(
      directory.rawDescriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .system(call: "open", path: path, .current) }
    descriptor = FileDescriptor(owning: number)
    try directory.policy.check(file: FileStatus.of(number, path: path), path: path)
    guard clinux_ofd_lock(number) != 0 else { return }
    let cause = Errno.current
    switch cause.rawValue {
    case EAGAIN, EACCES: throw .locked(path: path)
    default: throw .system(call: "fcntl", path: path, cause)
    }
  }

  deinit {
    // Closing would not be enough: a child between fork(2) and execve(2) has the same description.
    _ = clinux_ofd_unlock(descriptor.rawValue)
  }

  /// Asks whether anybody holds a lock, without taking it (`F_OFD_GETLK`).
  ///
  /// A lock file that is missing is not held.
  /// - Throws: `FileError`, when nobody can tell, as without a descriptor to ask with.
  package static func isHeld(_ name: String, in directory: Directory) throws(FileError) -> Bool {
    var path: String { directory.path + "/" + name }
    let number = directory.openForReading(name)
    guard number >= 0 else {
      let cause = Errno.current
      if cause.rawValue == ENOENT { return false }
      throw .system(call: "open", path: path, cause)
    }
    let descriptor = FileDescriptor(owning: number)
    let answer = clinux_ofd_is_held(descriptor.rawValue)
    guard answer >= 0 else {
      let cause = Errno.current
      throw .system(call: "fcntl", path: path, cause)
    }
    return answer == 1
  }
}
