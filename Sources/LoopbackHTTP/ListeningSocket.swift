internal import Glibc

/// A socket that listens on one loopback address and on no other.
package struct ListeningSocket {
  /// The descriptor; its owner closes it.
  package let descriptor: Int32

  /// The address it is bound to.
  package let address: LoopbackAddress

  /// The port it is bound to.
  package let port: UInt16

  /// Opens the first address that binds, as RFC 8252 7.3 recommends.
  ///
  /// - Parameters:
  ///   - candidates: The addresses in order.
  ///   - port: The exact port, or 0 for any free one.
  ///   - bind: Opens one address; replaced in tests.
  /// - Returns: The socket.
  /// - Throws: The error of the first candidate, which is the one a person can act on.
  package static func open(
    candidates: [LoopbackAddress], port: UInt16,
    bind: (LoopbackAddress, UInt16) throws(LoopbackServerError) -> ListeningSocket
  ) throws(LoopbackServerError) -> ListeningSocket {
    var first: LoopbackServerError?
    for address in candidates {
      do {
        return try bind(address, port)
      } catch {
        // The same port of the other address would be another server than the one asked for.
        if case .portInUse = error { throw error }
        first = first ?? error
      }
    }
    throw first ?? .system(call: "bind", errno: EADDRNOTAVAIL, origin: "no loopback address")
  }

  /// Binds and listens (socket, bind, listen, getsockname).
  package static func listen(
    on address: LoopbackAddress, port: UInt16
  ) throws(LoopbackServerError) -> ListeningSocket {
    let origin = address.origin(port: port)
    let family = address == .ipv4 ? AF_INET : AF_INET6
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else {
      throw .system(call: "socket", errno: errno, origin: origin)
    }
    // A port whose last connections are still in TIME_WAIT can be bound again; two listeners on
    // one port stay impossible on Linux.
    var on: Int32 = 1
    _ = unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    do throws(FailedCall) {
      let bound =
        try address == .ipv4 ? bindIPv4(descriptor, port) : bindIPv6(descriptor, port)
      guard Glibc.listen(descriptor, 128) == 0 else { throw FailedCall("listen") }
      return ListeningSocket(descriptor: descriptor, address: address, port: bound)
    } catch {
      close(descriptor)
      if error.number == EADDRINUSE { throw .portInUse(origin: origin) }
      throw .system(call: error.name, errno: error.number, origin: origin)
    }
  }

  private struct FailedCall: Error {
    let name: String
    let number: Int32

    init(_ name: String) {
      self.name = name
      number = errno
    }
  }

  private static func bindIPv4(
    _ descriptor: Int32, _ port: UInt16
  ) throws(FailedCall) -> UInt16 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    try bindAndName(descriptor, &address)
    return UInt16(bigEndian: address.sin_port)
  }

  private static func bindIPv6(
    _ descriptor: Int32, _ port: UInt16
  ) throws(FailedCall) -> UInt16 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    try bindAndName(descriptor, &address)
    return UInt16(bigEndian: address.sin6_port)
  }

  private static func bindAndName<Address>(
    _ descriptor: Int32, _ address: inout Address
  ) throws(FailedCall) {
    let failure: FailedCall? = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        var length = socklen_t(MemoryLayout<Address>.size)
        guard unsafe bind(descriptor, generic, length) == 0 else { return FailedCall("bind") }
        guard unsafe getsockname(descriptor, generic, &length) == 0 else {
          return FailedCall("getsockname")
        }
        return nil
      }
    }
    if let failure { throw failure }
  }
}
