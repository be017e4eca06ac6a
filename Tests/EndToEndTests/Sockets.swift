import FileSupport
import Glibc
import TestSupport

/// The socket on which a service manager hears from its services (sd_notify(3)).
final class NotifySocket: Sendable {
  private let descriptor: FileDescriptor

  init(at path: String) throws {
    let number = socket(
      AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw SystemCallError("socket", path) }
    descriptor = FileDescriptor(owning: number)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let status = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard status == 0 else { throw SystemCallError("bind", path) }
    // A service that says nothing fails the test instead of hanging it.
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    unsafe _ = setsockopt(
      number, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Waits for the next message.
  func next() async throws -> String {
    try await TestThread.run { [self] in
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = try retryingInterrupted {
        unsafe recv(descriptor.rawValue, &bytes, bytes.count, 0)
      }
      return String(decoding: bytes[..<count], as: UTF8.self)
    }
  }

  /// Waits for the next message for a time; nil when none came.
  func next(within limit: Duration) async throws -> String? {
    try await TestThread.run { [self] in
      let ready = try waitForInput([descriptor.rawValue], timeout: limit)
      guard !ready[0].isEmpty else { return nil }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = try retryingInterrupted {
        unsafe recv(descriptor.rawValue, &bytes, bytes.count, 0)
      }
      return String(decoding: bytes[..<count], as: UTF8.self)
    }
  }
}

/// A caller of the control socket that says nothing, or only what it is told to.
final class SocketCaller: Sendable {
  private let descriptor: FileDescriptor

  init(in directory: Directory) throws {
    descriptor = try UnixSocket.connect("host.sock", in: directory)
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    unsafe _ = setsockopt(
      descriptor.rawValue, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Sends a frame.
  func send(_ text: String) throws {
    try descriptor.writeAll(Array(text.utf8))
  }

  /// Reads until the host hangs up.
  func readToEnd() throws -> String {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      // The signal of a child of another test may interrupt it.
      let count = try retryingInterrupted {
        unsafe recv(descriptor.rawValue, &buffer, buffer.count, 0)
      }
      if count == 0 { return String(decoding: received, as: UTF8.self) }
      received += buffer.prefix(count)
    }
  }
}
