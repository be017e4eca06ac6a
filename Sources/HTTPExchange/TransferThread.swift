import CCurl
import FileSupport

/// A thread for one transfer: libcurl's calls block, and Swift's pool must not.
enum TransferThread {
  /// Runs a transfer on a new detached thread and calls back once, from that thread.
  static func start(
    _ transfer: Transfer,
    completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  ) {
    do {
      try DedicatedThread.start("tv-transfer") {
        transfer.run(completion)
        // What OpenSSL took for the certificate bundle goes back to the kernel.
        malloc_trim(0)
      }
    } catch {
      completion(.failure(transfer.failure(.setup, "no thread could be started: \(error)")))
    }
  }
}
