/// Sends requests to providers: nothing followed, remembered, decompressed or taken from the
/// environment.
///
/// Each request has a connection and a thread of its own, which both end with it.
package struct HTTPClient: Sendable {
  /// What applies to every request of a client.
  package struct Configuration: Sendable {
    /// The URL of a proxy; nil goes direct, whatever the environment says.
    package var proxy: String?
    /// A PEM file of certificates to trust instead of the system's.
    package var caFile: String?
    /// The value of the `User-Agent` field.
    package var userAgent: String

    /// Makes a configuration.
    package init(
      proxy: String? = nil, caFile: String? = nil, userAgent: String = "TokenVault"
    ) {
      self.proxy = proxy
      self.caFile = caFile
      self.userAgent = userAgent
    }
  }

  private let configuration: Configuration

  /// Makes a client.
  package init(_ configuration: Configuration = Configuration()) {
    self.configuration = configuration
  }

  /// Removes what libcurl would obey in the environment; to be called before any thread starts.
  ///
  /// `SSLKEYLOGFILE` makes libcurl write the secrets of every TLS session to a file.
  package static func hardenProcessEnvironment() {
    CurlLibrary.removeKeyLog()
  }

  /// Sends a request and waits for the whole answer.
  ///
  /// Cancelling the task ends the transfer at once. A redirect is returned, not followed.
  ///
  /// - Throws: `HTTPError` when there is no complete answer.
  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    let address = try WebAddress(request.url)
    guard request.headers.allSatisfy(Self.isSafe) else {
      throw HTTPError(
        .setup, requestWasSent: false, endpoint: address.endpoint,
        reason: "a header field holds a line break or a NUL")
    }
    guard CurlLibrary.isReady else {
      throw HTTPError(
        .setup, requestWasSent: false, endpoint: address.endpoint,
        reason: "libcurl could not be initialised")
    }
    let bell = TransferBell()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        TransferThread.start(
          Transfer(request: request, address: address, configuration: configuration, bell: bell)
        ) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      bell.ring()
    }
    return try result.get()
  }

  private static func isSafe(_ field: (name: String, value: String)) -> Bool {
    !field.name.isEmpty
      && (Array(field.name.utf8) + Array(field.value.utf8))
        .allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }
}
