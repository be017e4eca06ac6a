import CLinux
import Glibc

/// Stream sockets in the file system (`unix(7)`), reached through an open directory.
///
/// `sun_path` holds 107 bytes; a path through `/proc/self/fd` always fits, however deep the
/// directory is, and cannot be redirected on the way.
package enum UnixSocket {
  /// The user, group and process at the other end (`SO_PEERCRED`).
  package struct Peer: Sendable, Hashable {
    /// The peer's effective user when it connected.
    package let user: UInt32
    /// The peer's effective group when it connected.
    package let group: UInt32
    /// The peer's process, for logs only: numbers are used again.
    package let process: Int32
  }

  /// Binds a socket in a directory and listens; an old socket of that name is replaced.
  ///
  /// Only the holder of the lock on the directory may call it.
  /// - Throws: `FileError`.
  package static func listen(
    _ name: String, in directory: Directory, backlog: Int32 = 64
  ) throws(FileError) -> FileDescriptor {
    let path = directory.path + "/" + name
    try directory.removeFile(name)
    let descriptor = try makeSocket(path: path)
    // The mode is right from the start: a socket takes its bits from fchmod before bind(2).
    _ = fchmod(descriptor.rawValue, 0o600)
    let status = unsafe withAddress(name, directory) { address, length in
      unsafe bind(descriptor.rawValue, address, length)
    }
    guard status == 0 else { throw .system(call: "bind", path: path, .current) }
    guard unsafe fchmodat(directory.rawDescriptor, name, 0o600, 0) == 0 else {
      throw .system(call: "fchmodat", path: path, .current)
    }
    guard Glibc.listen(descriptor.rawValue, backlog) == 0 else {
      throw .system(call: "listen", path: path, .current)
    }
    return descriptor
  }

  /// Connects to a socket in a directory; the descriptor blocks.
  ///
  /// - Parameters:
  ///   - name: the socket's name.
  ///   - directory: where it is.
  ///   - timeout: how long connecting and each later write may take (`SO_SNDTIMEO`); nil: no limit.
  /// - Returns: the connected descriptor.
  /// - Throws: `FileError`, with `ENOENT` or `ECONNREFUSED` when nobody listens, with `EAGAIN`
  ///   when the listener's backlog stayed full.
  package static func connect(
    _ name: String, in directory: Directory, timeout: Duration? = nil
  ) throws(FileError) -> FileDescriptor {
    let path = directory.path + "/" + name
    let descriptor = try makeSocket(path: path)
    if let timeout {
      let (seconds, attoseconds) = timeout.components
      var limit = timeval(
        tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
      let length = socklen_t(MemoryLayout<timeval>.size)
      guard
        unsafe setsockopt(descriptor.rawValue, SOL_SOCKET, SO_SNDTIMEO, &limit, length) == 0
      else { throw .system(call: "setsockopt", path: path, .current) }
    }
    let status = unsafe withAddress(name, directory) { address, length in
      unsafe Glibc.connect(descriptor.rawValue, address, length)
    }
    guard status == 0 else { throw .system(call: "connect", path: path, .current) }
    return descriptor
  }

  /// Accepts a waiting connection (`accept4(2)`).
  ///
  /// - Throws: the error number.
  package static func accept(on listener: Int32) throws(Errno) -> FileDescriptor {
    // Close-on-exec from the start: another thread may be starting a program.
    let number = try retryingInterrupted { clinux_accept(listener) }
    return FileDescriptor(owning: number)
  }

  /// Asks who is at the other end (`SO_PEERCRED`).
  ///
  /// - Throws: the error number.
  package static func peer(of descriptor: Int32) throws(Errno) -> Peer {
    var user: UInt32 = 0
    var group: UInt32 = 0
    var process: Int32 = 0
    guard unsafe clinux_peer_credentials(descriptor, &user, &group, &process) == 0 else {
      throw .current
    }
    return Peer(user: user, group: group, process: process)
  }

  private static func makeSocket(path: String) throws(FileError) -> FileDescriptor {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let number = socket(AF_UNIX, type, 0)
    guard number >= 0 else { throw .system(call: "socket", path: path, .current) }
    return FileDescriptor(owning: number)
  }

  private static func withAddress(
    _ name: String, _ directory: Directory,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array("/proc/self/fd/\(directory.rawDescriptor)/\(name)".utf8)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
      guard path.count < field.count else { return false }
      unsafe field.copyBytes(from: path)
      return true
    }
    guard fits else {
      errno = ENAMETOOLONG
      return -1
    }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { rebound in
        unsafe body(rebound, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
