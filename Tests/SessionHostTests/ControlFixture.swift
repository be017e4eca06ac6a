import FileSupport
import Glibc
import HostControl
import SessionHost
import TestSupport

/// A control server on a real socket in a temporary directory.
final class ControlFixture: Sendable {
  let directory: TemporaryDirectory
  let log = EventRecorder<String>()
  let server: ControlServer

  init(
    in directory: TemporaryDirectory? = nil, handler: @escaping ControlServer.Handler
  ) throws {
    self.directory = try directory ?? TemporaryDirectory()
    let home = try Directory.open(path: self.directory.path, policy: .ownerOnly)
    let log = log
    server = try ControlServer(
      listener: UnixSocket.listen("host.sock", in: home),
      log: HostLog { level, text in log.record("\(level): \(text)") }, handler: handler)
  }

  /// Connects; the calls of a caller block and belong on a thread of their own.
  func connect() throws -> RawCaller {
    let home = try Directory.open(path: directory.path, policy: .ownerOnly)
    return RawCaller(try UnixSocket.connect("host.sock", in: home))
  }

  /// Connects a number of callers who each send a text and read nothing yet.
  func callers(_ count: Int, sending text: String) async throws -> [RawCaller] {
    try await TestThread.run {
      try (0..<count).map { _ in
        let caller = try self.connect()
        try caller.send(Array(text.utf8))
        return caller
      }
    }
  }

  /// Sends bytes and reads until the server hangs up.
  func exchange(_ bytes: [UInt8]) async throws -> String {
    try await TestThread.run {
      let caller = try self.connect()
      try caller.send(bytes)
      return try caller.readToEnd()
    }
  }

  /// Sends text and reads until the server hangs up.
  func exchange(_ text: String) async throws -> String {
    try await exchange(Array(text.utf8))
  }
}

/// A caller that sends exactly the bytes it is given.
final class RawCaller: Sendable {
  private let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) {
    // A server that never answers fails the test instead of hanging it.
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    unsafe _ = setsockopt(
      descriptor.rawValue, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    self.descriptor = descriptor
  }

  /// Sends bytes; a server that has hung up in the middle is no failure.
  func send(_ bytes: [UInt8]) throws(Errno) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { buffer in
        unsafe Glibc.send(
          descriptor.rawValue, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else {
        if errno == EPIPE || errno == ECONNRESET { return }
        throw .current
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads until the server hangs up.
  func readToEnd() throws(Errno) -> String {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe recv(descriptor.rawValue, &buffer, buffer.count, 0)
      if count < 0, errno == EINTR { continue }
      if count == 0 || (count < 0 && errno == ECONNRESET) { break }
      guard count > 0 else { throw .current }
      received += buffer.prefix(count)
    }
    return String(decoding: received, as: UTF8.self)
  }
}

/// The lowest descriptor number that is free, which rises when descriptors are left behind.
enum LowestDescriptor {
  static var free: Int32 {
    let number = dup(0)
    close(number)
    return number
  }
}
