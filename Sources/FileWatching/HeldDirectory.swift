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
    guard let status = try? FileStatus(of: file, in: rawDescriptor) else { return nil }
    return FileMark(
      identity: FileIdentity(device: status.device, inode: status.inode), size: status.size,
      modified: status.modified)
  }
}
