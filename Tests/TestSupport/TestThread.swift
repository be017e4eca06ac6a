internal import Glibc

/// A thread for calls that block, so that none of the few threads of the tasks is held.
package enum TestThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a thread of its own.
  ///
  /// - Throws: `pthread_create(3)`'s error.
  package static func start(
    _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws(SystemCallError) {
    let work = unsafe Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard failure == 0 else {
      unsafe work.release()
      throw SystemCallError("pthread_create", name, failure)
    }
    pthread_detach(thread)
  }

  /// Runs a blocking call on a thread of its own and returns its result.
  ///
  /// - Throws: `pthread_create(3)`'s error, or what `body` throws.
  package static func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      do {
        try start("blocking call") { continuation.resume(with: Swift.Result(catching: body)) }
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }
}
