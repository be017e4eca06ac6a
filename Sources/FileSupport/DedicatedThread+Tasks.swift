#if Tasks
  extension DedicatedThread {
    /// Has a thread of its own do something that blocks, and waits for what comes of it.
    ///
    /// - Parameters:
    ///   - name: what `ps -T` shows, cut after 15 bytes.
    ///   - stackSize: the bytes of the thread's stack.
    ///   - body: what it does; a caller that is cancelled waits for it all the same.
    /// - Returns: what the closure returned.
    /// - Throws: the error number, when there is no thread to be had.
    package static func value<Value: Sendable>(
      of name: String, stackSize: Int = 256 << 10, _ body: @escaping @Sendable () -> Value
    ) async throws(Errno) -> Value {
      let result: Result<Value, Errno> = await withCheckedContinuation { continuation in
        do throws(Errno) {
          try start(name, stackSize: stackSize) { continuation.resume(returning: .success(body())) }
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
      return try result.get()
    }
  }
#endif
