import Glibc

/// A listening stream socket in the file system that this process inherited and did not make.
package struct ActivatedSocket: Sendable, Hashable {
  /// The number; whoever serves the socket closes it.
  package let descriptor: Int32
  /// Where callers reach it.
  package let path: String

  /// Looks at an inherited descriptor (`getsockname(2)`, `SO_ACCEPTCONN`); nil for anything else
  /// than such a socket.
  ///
  /// - Parameter descriptor: the number.
  package init?(descriptor: Int32) {
    var isListening: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard
      unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0,
      isListening == 1
    else { return nil }
    var type: Int32 = 0
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0,
      type == Int32(SOCK_STREAM.rawValue)
    else { return nil }
    var address = sockaddr_un()
    length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &length)
      }
    }
    guard status == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    let path = unsafe withUnsafeBytes(of: &address.sun_path) { field in
      unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
    }
    guard path.hasPrefix("/") else { return nil }
    self.descriptor = descriptor
    self.path = path
  }

  /// Whether callers that look for a name in a directory reach this socket.
  ///
  /// - Parameters:
  ///   - name: the socket's name.
  ///   - directory: where they look.
  /// - Returns: whether the socket is in that very directory, by that name.
  package func isReached(by name: String, in directory: Directory) -> Bool {
    guard path.hasSuffix("/" + name),
      let here = try? directory.status(),
      let there = try? FileStatus(of: String(path.dropLast(name.utf8.count + 1)), in: AT_FDCWD)
    else { return false }
    return here.isSameFile(as: there)
  }

  /// Takes the descriptor over; to be called once.
  package func take() -> FileDescriptor { FileDescriptor(owning: descriptor) }
}
