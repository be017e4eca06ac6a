/// Why a request has no answer: what happened, to which endpoint, and whether it may have arrived.
///
/// The endpoint is scheme, host, port and path. A query, user information, header or body never
/// gets in here, so an error can be logged as it is.
package struct HTTPError: Error, Equatable, CustomStringConvertible {
  /// The kinds of failure.
  package enum Code: String, Sendable, CaseIterable {
    /// The host's name has no address.
    case resolve
    /// No connection could be made.
    case connect
    /// The TLS handshake failed: the server is not the one it should be, or cannot do TLS 1.2.
    case tls
    /// The time was up.
    case timeout
    /// The connection ended before the answer did.
    case connectionLost
    /// The answer was not HTTP.
    case malformed
    /// The answer was larger than allowed.
    case bodyTooLarge
    /// The URL is not https and not http on a loopback literal, or is no URL at all.
    case forbiddenURL
    /// The configured proxy could not be reached or refused.
    case proxyFailed
    /// The task was cancelled.
    case cancelled
    /// The transfer could not be set up on this machine.
    case setup
  }

  /// What happened.
  package let code: Code
  /// Whether bytes of the request may have reached the server.
  ///
  /// False promises that they did not, so that a refresh token in it is still unused.
  package let requestWasSent: Bool
  /// The endpoint without query and user information.
  package let endpoint: String
  /// A short reason from a fixed vocabulary; empty when the code says it all.
  package let reason: String

  /// Makes an error.
  package init(_ code: Code, requestWasSent: Bool, endpoint: String, reason: String = "") {
    self.code = code
    self.requestWasSent = requestWasSent
    self.endpoint = endpoint
    self.reason = reason
  }

  /// One sentence without a full stop: what happened to what, and the reason.
  package var description: String {
    let what =
      switch code {
      case .resolve: "the host name of \(endpoint) could not be resolved"
      case .connect: "no connection to \(endpoint)"
      case .tls: "no trusted TLS connection to \(endpoint)"
      case .timeout: "\(endpoint) did not answer in time"
      case .connectionLost: "the connection to \(endpoint) ended before the answer was complete"
      case .malformed: "\(endpoint) did not answer in HTTP"
      case .bodyTooLarge: "the answer of \(endpoint) is larger than allowed"
      case .forbiddenURL: "\(endpoint) is neither https nor http on a loopback address"
      case .proxyFailed: "the proxy gave no connection to \(endpoint)"
      case .cancelled: "the request to \(endpoint) was cancelled"
      case .setup: "the request to \(endpoint) could not be prepared"
      }
    return reason.isEmpty ? what : "\(what): \(reason)"
  }
}
