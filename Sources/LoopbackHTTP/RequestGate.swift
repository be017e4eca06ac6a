/// Turns what arrived on the wire into a request for the handler, or into a refusal.
struct RequestGate: Sendable {
  /// The values of `Host` that are served.
  let hosts: [String]

  /// Makes the gate of a server bound to an address.
  init(rule: LoopbackServer.HostRule, address: LoopbackAddress, port: UInt16) {
    let names =
      switch rule {
      case .boundAddress: [address.literal]
      case .boundAddressOrLocalhost: [address.literal, "localhost"]
      }
    // The port is left out of Host where it is the scheme's own (RFC 9110 7.2).
    hosts = names.flatMap { port == 80 ? ["\($0):80", $0] : ["\($0):\(port)"] }
  }

  /// What became of a request.
  enum Outcome: Sendable {
    /// The handler answers.
    case accepted(LoopbackRequest)

    /// The server answers by itself.
    case refused(LoopbackResponse)
  }

  /// Checks a request that has arrived completely.
  ///
  /// - Parameters:
  ///   - method: The method.
  ///   - target: The request target as sent.
  ///   - headers: The header fields, nil when one of them is not UTF-8.
  ///   - body: The body, nil when it was longer than the limit.
  /// - Returns: The request for the handler, or the server's own answer.
  func admit(
    method: String, target: [UInt8], headers: [LoopbackRequest.Field]?, body: [UInt8]?
  ) -> Outcome {
    guard let body else { return .refused(.text(413, "The body is too long.")) }
    guard let headers else { return .refused(.text(400, "A header field is not UTF-8.")) }
    let sent = headers.filter { $0.name.lowercased() == "host" }
    guard sent.count == 1, hosts.contains(where: { $0.utf8.elementsEqual(sent[0].value.utf8) })
    else { return .refused(.text(400, "This server answers to its own address only.")) }
    let parts = target.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = String(validating: parts[0], as: UTF8.self),
      let query = FormItem.decode(parts.count > 1 ? parts[1] : [])
    else { return .refused(.text(400, "The query is not a well-formed form.")) }
    return .accepted(
      LoopbackRequest(method: method, path: path, query: query, headers: headers, body: body))
  }
}
