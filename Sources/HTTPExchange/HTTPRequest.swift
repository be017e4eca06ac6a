/// One request to a provider: what is sent, how long it may take, how much may come back.
package struct HTTPRequest: Sendable {
  /// The request methods that a session source needs.
  package enum Method: String, Sendable {
    case get = "GET"
    case post = "POST"
  }

  /// The default cap on an answer's body: one mebibyte.
  package static let defaultMaximumBodyLength = 1_048_576

  /// The request method.
  package var method: Method
  /// The absolute URL, with its query if it has one.
  package var url: String
  /// Header fields in the order they are sent.
  package var headers: [(name: String, value: String)]
  /// The body; nil sends none (a POST then has an empty one).
  package var body: [UInt8]?
  /// The time for everything, from the name look-up to the last byte.
  package var timeout: Duration
  /// The time for look-up, connection and TLS handshake.
  package var connectTimeout: Duration
  /// The number of body bytes after which the answer is given up.
  package var maximumBodyLength: Int

  /// Describes a request.
  package init(
    method: Method = .get,
    url: String,
    headers: [(name: String, value: String)] = [],
    body: [UInt8]? = nil,
    timeout: Duration = .seconds(30),
    connectTimeout: Duration = .seconds(10),
    maximumBodyLength: Int = HTTPRequest.defaultMaximumBodyLength
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.connectTimeout = connectTimeout
    self.maximumBodyLength = maximumBodyLength
  }
}
