#if Tasks
  import FileSupport
  import Synchronization

  /// The notices of rejected generations that are under way, each shared by all who wait for it.
  final class SharedRejection: Sendable {
    private typealias Waiter = CheckedContinuation<RejectionAnswer?, Never>

    private struct State {
      var lastCaller = 0
      // A generation stays listed while its thread runs, also when everybody has left.
      var waiting: [UInt64: [Int: Waiter]] = [:]
    }

    private let state = Mutex(State())

    /// Waits for the answer to a notice, which is sent unless one is under way.
    ///
    /// - Parameters:
    ///   - generation: the rejected generation.
    ///   - notice: sends the notice, on a thread of its own; it may block.
    /// - Returns: the answer.
    /// - Throws: `CancellationError` when the task is cancelled first; the notice goes on.
    func answer(
      for generation: UInt64, notice: @escaping @Sendable () -> RejectionAnswer
    ) async throws(CancellationError) -> RejectionAnswer {
      let caller = state.withLock { state in
        state.lastCaller += 1
        return state.lastCaller
      }
      let answer = await withTaskCancellationHandler {
        await withCheckedContinuation { waiter in
          enter(caller, for: generation, waiter, notice)
        }
      } onCancel: {
        state.withLock { $0.waiting[generation]?.removeValue(forKey: caller) }?
          .resume(returning: nil)
      }
      guard let answer else { throw CancellationError() }
      return answer
    }

    private func enter(
      _ caller: Int, for generation: UInt64, _ waiter: Waiter,
      _ notice: @escaping @Sendable () -> RejectionAnswer
    ) {
      let isFirst: Bool? = state.withLock { state in
        // Whoever is cancelled after this look finds the waiter in the table.
        guard !Task.isCancelled else { return nil }
        let isFirst = state.waiting[generation] == nil
        state.waiting[generation, default: [:]][caller] = waiter
        return isFirst
      }
      guard let isFirst else { return waiter.resume(returning: nil) }
      guard isFirst else { return }
      do {
        try DedicatedThread.start("vault-rejection") { self.finish(generation, notice()) }
      } catch {
        finish(generation, .unchanged("the host cannot be asked: pthread_create: \(error)"))
      }
    }

    private func finish(_ generation: UInt64, _ answer: RejectionAnswer) {
      let waiters = state.withLock { $0.waiting.removeValue(forKey: generation) } ?? [:]
      for waiter in waiters.values { waiter.resume(returning: answer) }
    }
  }
#endif
