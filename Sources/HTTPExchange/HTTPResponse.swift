/// A complete answer, whatever its status; a redirect is an answer like any other.
package struct HTTPResponse: Sendable {
  /// The status code.
  package let status: Int
  /// The header fields of the final answer, without those of interim answers or of a proxy.
  package let headers: HTTPHeaders
  /// The body as sent: no content coding is asked for and none is undone.
  package let body: [UInt8]
  /// The time from the call to the last byte.
  package let duration: Duration

  /// Makes an answer.
  package init(status: Int, headers: HTTPHeaders, body: [UInt8], duration: Duration = .zero) {
    self.status = status
    self.headers = headers
    self.body = body
    self.duration = duration
  }

  /// The media type without its parameters, in lower case; nil if the answer names none.
  package var contentType: String? {
    guard let value = headers["Content-Type"] else { return nil }
    let type = value.utf8.prefix { $0 != UInt8(ascii: ";") }
    let text = String(Substring(type)).lowercased()
    let trimmed = text.utf8.filter { $0 != 0x20 && $0 != 0x09 }
    return trimmed.isEmpty ? nil : String(decoding: trimmed, as: UTF8.self)
  }

  /// How long the server asks to wait (RFC 9110, 10.2.3): seconds, or a date read against `now`.
  ///
  /// - Parameter now: The Unix time to which a date is compared.
  /// - Returns: The wait, zero for a date in the past; nil if absent or unreadable.
  package func retryAfter(now: Int64) -> Duration? {
    guard let value = headers["Retry-After"] else { return nil }
    let trimmed = String(value.drop { $0 == " " })
    if !trimmed.isEmpty, trimmed.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // More digits than a number holds is still "much later", not "at once".
      return .seconds(Int64(trimmed) ?? Int64(Int32.max))
    }
    guard let date = HTTPDate.unixSeconds(trimmed) else { return nil }
    return .seconds(max(0, date - now))
  }
}
