internal import Glibc
internal import Synchronization

/// A small HTTP server on a loopback literal: it listens from its init to `stop()`.
///
/// The handler runs on libmicrohttpd's thread and may block there. It must not hold the server
/// itself, nor stop it: `stop()` waits for the handler's thread.
package final class LoopbackServer: Sendable {
  /// Answers one request.
  package typealias Handler = @Sendable (LoopbackRequest) -> LoopbackResponse

  /// The largest body accepted; a longer one is answered with 413.
  package static let bodyLimit = 65_536

  /// The memory for one request line and its headers; more is answered with 431 or 414.
  package static let headerLimit = 32_768

  /// Which values of the `Host` header are served; any other is answered with 400.
  ///
  /// A page on the web whose name resolves to 127.0.0.1 (DNS rebinding) sends its own name there.
  package enum HostRule: Sendable {
    /// The literal and port the server is bound to.
    case boundAddress

    /// That, and the same port of `localhost`.
    case boundAddressOrLocalhost
  }

  /// How a server behaves; the defaults suit the receiver of an authorization response.
  package struct Options: Sendable {
    /// Which values of the `Host` header are served.
    package var hosts = HostRule.boundAddress

    /// Whether each connection has a thread, so that one delayed answer holds up no other.
    package var threadPerConnection = false

    /// How many connections may be open; the oldest that sent nothing yields to a new one.
    package var connectionLimit = 64

    /// How long a connection may take to send a whole request, however slowly it drips.
    package var requestDeadline = Duration.seconds(5)

    /// The addresses tried in order.
    package var addresses = LoopbackAddress.allCases

    /// Makes the default options.
    package init() {}
  }

  /// The address the server is bound to.
  package let address: LoopbackAddress

  /// The port the server is bound to.
  package let port: UInt16

  /// The server's origin, for example `http://127.0.0.1:8400`.
  package var origin: String { address.origin(port: port) }

  private let daemon: Mutex<MicroHTTPDaemon?>

  /// Binds, listens and starts to answer.
  ///
  /// - Parameters:
  ///   - port: The exact port, or 0 for any free one.
  ///   - options: How the server behaves.
  ///   - handler: Answers each request.
  /// - Throws: `LoopbackServerError` when no address can be bound.
  package init(
    port: UInt16 = 0, options: Options = Options(), handler: @escaping Handler
  ) throws(LoopbackServerError) {
    let socket = try ListeningSocket.open(candidates: options.addresses, port: port) {
      address, port throws(LoopbackServerError) in
      try ListeningSocket.listen(on: address, port: port)
    }
    self.address = socket.address
    self.port = socket.port
    daemon = Mutex(try MicroHTTPDaemon(socket: socket, options: options, handler: handler))
  }

  /// Closes the port at once; requests that have come are answered.
  package func closePort() {
    daemon.withLock { $0?.closePort() }
  }

  /// Closes the port at once, cuts delays short, and ends every connection and thread.
  package func stop() {
    let running = daemon.withLock { daemon in
      let running = daemon
      daemon = nil
      return running
    }
    running?.stop()
  }

  deinit {
    stop()
  }
}
