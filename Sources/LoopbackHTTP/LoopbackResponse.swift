/// What a handler answers.
package struct LoopbackResponse: Sendable {
  /// The status code.
  package var status: Int

  /// The header fields; `Content-Length`, `Date` and `Connection` are added by libmicrohttpd.
  package var headers: [LoopbackRequest.Field]

  /// The body.
  package var body: [UInt8]

  /// How long the answer is held back; `LoopbackServer.stop()` cuts the wait short.
  package var delay: Duration?

  /// What is sent in place of this answer, if it comes within `delay`.
  package var late: LateAnswer?

  /// Whether the connection is closed without any answer, after `delay`.
  package var dropConnection: Bool

  /// Called once when the answer has left, or when the connection was lost before that.
  package var whenSent: (@Sendable () -> Void)?

  /// Makes an answer.
  package init(
    status: Int, headers: [LoopbackRequest.Field] = [], body: [UInt8] = [],
    delay: Duration? = nil, dropConnection: Bool = false
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.delay = delay
    self.late = nil
    self.dropConnection = dropConnection
    self.whenSent = nil
  }

  /// Makes a plain-text answer.
  package static func text(_ status: Int, _ text: String) -> LoopbackResponse {
    LoopbackResponse(
      status: status,
      headers: [.init(name: "Content-Type", value: "text/plain; charset=utf-8")],
      body: Array((text + "\n").utf8))
  }
}
