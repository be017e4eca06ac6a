/// One request while it arrives; touched by the thread that serves its connection alone.
final class ConnectionExchange {
  /// The request target as sent.
  var target: [UInt8] = []

  /// Whether the headers have arrived.
  var sawHeaders = false

  /// Called when the answer has left or the connection is lost.
  var whenSent: (@Sendable () -> Void)?

  /// What has arrived of the body, nil once it is longer than the limit.
  private(set) var body: [UInt8]? = []

  /// Keeps a part of the body, or forgets the body when it grows past the limit.
  func append(_ part: UnsafeRawBufferPointer) {
    guard let held = body else { return }
    body = held.count + part.count > LoopbackServer.bodyLimit ? nil : unsafe held + Array(part)
  }
}

/// Keeps the request that a connection is at until it is over, or until the connection is.
///
/// libmicrohttpd forgets to say that a request is over when it refuses it twice, for its cookie and
/// for a missing `Host`.
final class ExchangeHolder {
  /// The request; nil between two.
  var exchange: ConnectionExchange?
}
