import Glibc
import Synchronization
import TestSupport

/// A server of raw bytes on 127.0.0.1 for answers that no honest HTTP server gives.
///
/// It serves one connection after another on its thread, until `stop()`.
final class RawServer: Sendable {
  /// What a connection gets after its request.
  enum Answer: Sendable {
    /// These bytes; then the connection closes.
    case bytes(String)
    /// These bytes, then zeros without end.
    case endless(String)
    /// These bytes; the connection stays open until the client closes it.
    case silence(String)
    /// A connection reset without a byte.
    case reset
  }

  let port: Int
  private let listener: CInt
  private let bell: (read: CInt, write: CInt)
  private let accepted = Mutex(0)
  private let arrivals = EventRecorder<String>()
  private let answer: @Sendable (Int) -> Answer

  /// Starts a server; the closure is given the number of the request, from 1.
  init(_ answer: @escaping @Sendable (Int) -> Answer) throws {
    self.answer = answer
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let ready = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(listener, pointer, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, pointer, &length) == 0
      }
    }
    var ends: [CInt] = [0, 0]
    guard ready, unsafe pipe(&ends) == 0 else { throw Failure() }
    self.listener = listener
    bell = (ends[0], ends[1])
    port = Int(UInt16(bigEndian: address.sin_port))
    try TestThread.start("raw-server") { [self] in serve() }
  }

  struct Failure: Error {}

  /// The requests so far, whole.
  var requests: [String] { arrivals.events }

  /// Suspends until a number of requests have come whole.
  func waitForRequests(_ count: Int) async throws {
    _ = try await arrivals.wait(count: count)
  }

  /// The number of connections so far.
  var connections: Int { accepted.withLock { $0 } }

  /// The URL of a path on this server.
  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Ends the thread.
  func stop() {
    close(bell.write)
  }

  private func serve() {
    while waitFor(listener) {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { continue }
      let number = accepted.withLock { accepted in
        accepted += 1
        return accepted
      }
      if let request = read(connection) {
        arrivals.record(request)
        give(answer(number), to: connection)
      }
      close(connection)
    }
    close(listener)
    close(bell.read)
  }

  private func give(_ answer: Answer, to connection: CInt) {
    switch answer {
    case .bytes(let text):
      write(text, to: connection)
      shutdown(connection, Int32(SHUT_WR))
      drain(connection)
    case .endless(let text):
      write(text, to: connection)
      while write(String(repeating: "0", count: 16_384), to: connection) {}
    case .silence(let text):
      write(text, to: connection)
      drain(connection)
    case .reset:
      // Sent at once, where a close would wait for a program that another test has just started and
      // that has inherited the connection (connect(2), AF_UNSPEC).
      var nobody = sockaddr()
      nobody.sa_family = sa_family_t(AF_UNSPEC)
      unsafe connect(connection, &nobody, socklen_t(MemoryLayout<sockaddr>.size))
    }
  }

  /// Waits until a descriptor is readable; false once the server is stopped.
  private func waitFor(_ descriptor: CInt) -> Bool {
    var descriptors = [
      pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: bell.read, events: Int16(POLLIN), revents: 0),
    ]
    unsafe poll(&descriptors, 2, -1)
    return descriptors[1].revents == 0
  }

  private func drain(_ connection: CInt) {
    var bytes = [UInt8](repeating: 0, count: 4096)
    while waitFor(connection), unsafe Glibc.read(connection, &bytes, bytes.count) > 0 {}
  }

  private func read(_ connection: CInt) -> String? {
    var text = ""
    var bytes = [UInt8](repeating: 0, count: 4096)
    while waitFor(connection) {
      let count = unsafe Glibc.read(connection, &bytes, bytes.count)
      guard count > 0 else { return nil }
      text += String(decoding: bytes[..<count], as: UTF8.self)
      if Self.isComplete(text) { return text }
    }
    return nil
  }

  private static func isComplete(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let end = Array("\r\n\r\n".utf8)
    guard
      let start = bytes.indices.dropLast(3).first(where: {
        bytes[$0..<($0 + 4)].elementsEqual(end)
      })
    else { return false }
    let field = "content-length:"
    for line in String(decoding: bytes[..<start], as: UTF8.self).split(separator: "\r\n")
    where line.lowercased().hasPrefix(field) {
      let length = Int(line.dropFirst(field.count).filter { $0 != " " }) ?? 0
      return bytes.count - start - 4 >= length
    }
    return true
  }

  @discardableResult
  private func write(_ text: String, to connection: CInt) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      bytes = bytes.dropFirst(count)
    }
    return true
  }
}
