import FileSupport
import Glibc

/// A loopback address that stands for the issuer, where nobody has any business to come.
struct IssuerListener: ~Copyable {
  private let socket: FileDescriptor
  /// The issuer, with the port that is listened on.
  let origin: String

  /// Listens on a free port of 127.0.0.1.
  ///
  /// - Throws: `SimulationError`.
  init() throws(SimulationError) {
    let kind =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let number = Glibc.socket(AF_INET, kind, 0)
    guard number >= 0 else { throw .storage("127.0.0.1: socket: \(Errno.current)") }
    let socket = FileDescriptor(owning: number)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return unsafe bind(number, generic, length) == 0 && listen(number, 16) == 0
          && getsockname(number, generic, &length) == 0
      }
    }
    guard isListening else { throw .storage("127.0.0.1: listen: \(Errno.current)") }
    self.socket = socket
    origin = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
  }

  /// The descriptor's number, readable when somebody has come.
  var rawDescriptor: Int32 { socket.rawValue }

  /// Lets everybody in and out again.
  ///
  /// - Returns: how many came.
  func turnAway() -> Int {
    var count = 0
    while let connection = try? UnixSocket.accept(on: socket.rawValue) {
      _ = consume connection
      count += 1
    }
    return count
  }
}
