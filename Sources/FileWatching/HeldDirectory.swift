import FileSupport
import Glibc

/// A directory held open for as long as something refers to it (`O_PATH`).
final class HeldDirectory {
  private let descriptor: FileDescriptor
  /// Which directory it is.
  let identity: FileIdentity

  /// The descriptor's number.
  var rawDescriptor: Int32 { descriptor.rawValue }

  /// Opens a directory without reading it (`openat(2)`).
  ///
  /// - Throws: the error number.
  init(_ name: String, in base: Int32, followsLinks: Bool) throws(Errno) {
    let flags = O_DIRECTORY | O_CLOEXEC | openPathOnly | (followsLinks ? 0 : O_NOFOLLOW)
    let number = unsafe openat(base, name, flags)
    guard number >= 0 else { throw .current }
    descriptor = FileDescriptor(owning: number)
    let status = try FileStatus(of: number)
    identity = FileIdentity(device: status.device, inode: status.inode)
  }

  /// Asks for the mark of a file in this directory, a link not followed (`fstatat(2)`).
  ///
  /// - Returns: nil when there is none.
  func mark(of file: String) -> FileMark? {
    var status = stat()
    guard unsafe fstatat(rawDescriptor, file, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return nil
    }
    let seconds = Int64(status.st_mtim.tv_sec)
    return FileMark(
      identity: FileIdentity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)),
      size: Int64(status.st_size),
      modified: seconds &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
  }
}
