internal import Glibc
internal import Synchronization

/// TCP ports on 127.0.0.1.
package enum LoopbackPort {
  private static let taken = Mutex<Set<UInt16>>([])

  /// Returns a port that nobody listens on and that no other test of this process was given: whoever
  /// asks binds to it later.
  ///
  /// It lies below the range from which the system takes ports for outgoing connections, so that
  /// none of those gets in between.
  ///
  /// - Returns: the port's number.
  /// - Throws: `bind(2)`'s error when no port is free.
  package static func free() throws(SystemCallError) -> UInt16 {
    for _ in 0..<200 {
      let port = UInt16.random(in: 20_000..<32_000)
      if taken.withLock({ $0.insert(port).inserted }), isFree(port) { return port }
    }
    throw SystemCallError("bind", "127.0.0.1, any of the ports 20000 to 32000", EADDRINUSE)
  }

  /// Whether the port could be listened on at this moment.
  package static func isFree(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // As a server does it, so that connections that are just closing don't count.
    var reuse: Int32 = 1
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, size) == 0
      }
    }
  }
}
