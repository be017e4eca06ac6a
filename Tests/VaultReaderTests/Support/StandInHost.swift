import FileSupport
import Glibc
import TestSupport

/// A control socket whose host says what a test has it say, one request a connection.
final class StandInHost: Sendable {
  /// What is done about a request.
  struct Answer: Sendable {
    /// The line that is sent; nil says nothing for as long as the caller waits.
    let line: String?
    /// What happens once the caller has hung up.
    var afterwards: @Sendable () -> Void = {}
  }

  /// The requests, as they were sent.
  let requests = EventRecorder<String>()
  private let listener: FileDescriptor

  init(
    in runtime: Directory, _ answer: @escaping @Sendable (_ number: Int) -> Answer
  ) throws {
    listener = try UnixSocket.listen("host.sock", in: runtime)
    let (number, requests) = (listener.rawValue, requests)
    try TestThread.start("stand-in host") {
      while let connection = try? UnixSocket.accept(on: number) {
        let request = Self.receive(from: connection.rawValue)
        guard request.hasSuffix("\n") else { continue }
        requests.record(String(request.dropLast()))
        let answer = answer(requests.events.count)
        if let line = answer.line.map({ Array("\($0)\n".utf8) }) {
          unsafe _ = send(connection.rawValue, line, line.count, Int32(MSG_NOSIGNAL))
        }
        _ = Self.receive(from: connection.rawValue)
        answer.afterwards()
      }
    }
  }

  deinit { _ = shutdown(listener.rawValue, Int32(SHUT_RDWR)) }

  /// Reads a line, or what there is until the caller hangs up.
  private static func receive(from connection: Int32) -> String {
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while received.last != UInt8(ascii: "\n"),
      let count = try? retryingInterrupted({
        unsafe recv(connection, &buffer, buffer.count, 0)
      }), count > 0
    {
      received += buffer.prefix(count)
    }
    return String(decoding: received, as: UTF8.self)
  }
}
