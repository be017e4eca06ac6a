import LoopbackHTTP
import Synchronization
import TestSupport

/// The input is what a program sends on a connection to the loopback server; `PORT` stands for its
/// port.
enum ConnectionInput {
  private static let server = start()
  private static let seen = Mutex<[LoopbackRequest]>([])

  static func digest(_ input: [UInt8]) throws(FuzzFinding) {
    seen.withLock { $0 = [] }
    guard let connection = RawConnection(port: server.port) else { return }
    connection.send(replacingPort(in: input))
    connection.endSending()
    let answer = connection.readToEnd()
    try demand(
      answer.isEmpty || answer.hasPrefix("HTTP/1."), "an answer is one of the protocol")
    for request in seen.withLock({ $0 }) {
      try demand(request.body.count <= LoopbackServer.bodyLimit, "a body has a greatest length")
      try demand(
        request.headers.filter { $0.name.lowercased() == "host" }.map(\.value)
          == ["127.0.0.1:\(server.port)"], "only the server's own name is served")
    }
  }

  private static func replacingPort(in input: [UInt8]) -> [UInt8] {
    let parts = input.split(separator: Array("PORT".utf8), omittingEmptySubsequences: false)
    return Array(parts.joined(separator: Array("\(server.port)".utf8)))
  }

  private static func start() -> LoopbackServer {
    do {
      return try LoopbackServer { request in
        seen.withLock { $0.append(request) }
        return .text(200, request.path)
      }
    } catch {
      fatalError("\(error)")
    }
  }
}
