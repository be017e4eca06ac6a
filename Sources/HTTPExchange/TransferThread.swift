import CCurl
import Glibc

/// A thread for one transfer: libcurl's calls block, and Swift's pool must not.
final class TransferThread {
  private static let stackSize = 256 * 1024

  private let transfer: Transfer
  private let completion: @Sendable (Result<HTTPResponse, HTTPError>) -> Void

  private init(
    _ transfer: Transfer,
    _ completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  ) {
    self.transfer = transfer
    self.completion = completion
  }

  /// Runs a transfer on a new detached thread and calls back once, from that thread.
  static func start(
    _ transfer: Transfer,
    completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
  ) {
    let context = unsafe Unmanaged.passRetained(TransferThread(transfer, completion))
    guard unsafe spawn(context.toOpaque()) else {
      unsafe context.release()
      return completion(.failure(transfer.failure(.setup, "no thread could be started")))
    }
  }

  /// Starts the thread with every signal blocked: the process's signals belong to its main loop,
  /// and a write to a closed connection must not raise SIGPIPE.
  private static func spawn(_ context: UnsafeMutableRawPointer) -> Bool {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    var all = sigset_t()
    var before = sigset_t()
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, &attributes,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe tv_name_thread("tv-transfer")
        let this = unsafe Unmanaged<TransferThread>.fromOpaque(context).takeRetainedValue()
        this.transfer.run(this.completion)
        // What OpenSSL took for the certificate bundle goes back to the kernel.
        malloc_trim(0)
        return nil
      }, context)
    return result == 0
  }
}
