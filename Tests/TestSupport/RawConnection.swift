internal import Glibc

/// A TCP connection to a loopback port that sends exactly the bytes it is given.
package final class RawConnection: Sendable {
  private let descriptor: Int32

  /// Connects, or returns nil when the connection is refused.
  ///
  /// - Parameters:
  ///   - port: The port.
  ///   - ipv6: Whether to connect to ::1 instead of 127.0.0.1.
  package init?(port: UInt16, ipv6: Bool = false) {
    let family = ipv6 ? AF_INET6 : AF_INET
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else { return nil }
    // A server that never answers fails the test instead of hanging it.
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    guard ipv6 ? connectIPv6(port) : connectIPv4(port) else { return nil }
  }

  /// Sends bytes; false when the peer has gone.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = unsafe rest.withUnsafeBytes { buffer in
        unsafe Glibc.send(
          descriptor, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { return false }
      rest = rest.dropFirst(sent)
    }
    return true
  }

  /// Sends text; false when the peer has gone.
  @discardableResult
  package func send(_ text: String) -> Bool {
    send(Array(text.utf8))
  }

  /// Says that nothing more is sent; answers can still be read (`shutdown`).
  package func endSending() {
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Reads until the peer closes, or fails.
  package func readToEnd() -> String {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      received += buffer.prefix(count)
    }
    return String(decoding: received, as: UTF8.self)
  }

  /// Waits for the peer to close or answer, but no longer than a time in milliseconds (`poll`).
  ///
  /// - Returns: Whether it did.
  package func isReadable(within milliseconds: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, milliseconds) > 0
  }

  /// Sends one request with `Connection: close` and reads the whole answer.
  ///
  /// - Returns: The answer, empty when the connection was dropped, nil when it was refused.
  package static func exchange(
    _ requestLine: String, port: UInt16, host: String? = nil, headers: [String] = [],
    body: String = ""
  ) -> String? {
    guard let connection = RawConnection(port: port) else { return nil }
    var lines = ["\(requestLine) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")"]
    lines += ["Connection: close"] + headers
    if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
    connection.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
    return connection.readToEnd()
  }

  private func connectIPv4(_ port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return connect(to: &address)
  }

  private func connectIPv6(_ port: UInt16) -> Bool {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = port.bigEndian
    address.sin6_addr = in6addr_loopback
    return connect(to: &address)
  }

  private func connect<Address>(to address: inout Address) -> Bool {
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        unsafe Glibc.connect(descriptor, generic, socklen_t(MemoryLayout<Address>.size)) == 0
      }
    }
  }

  deinit {
    close(descriptor)
  }
}
