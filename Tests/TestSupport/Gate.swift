import Synchronization

/// A door that opens once: whoever waits before that goes on then, whoever comes later passes.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var nextIdentifier = 0
    var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    var cancelledEarly: Set<Int> = []

    mutating func take() -> Int {
      nextIdentifier += 1
      return nextIdentifier
    }
  }

  private let state = Mutex(State())

  /// Creates a closed gate.
  package init() {}

  /// Whether `open()` has been called.
  package var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Lets every present and later waiter pass.
  package func open() {
    let released = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [:] }
      return Array(state.waiting.values)
    }
    for continuation in released { continuation.resume(returning: true) }
  }

  /// Suspends until the gate is open.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  package func wait() async throws(CancellationError) {
    let identifier = state.withLock { $0.take() }
    let passed = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in enter(identifier, continuation) }
    } onCancel: {
      leave(identifier)
    }
    guard passed else { throw CancellationError() }
  }

  /// Suspends until the gate is open, also when the task is cancelled.
  package func waitUncancelled() async {
    _ = await withCheckedContinuation { continuation in
      enter(state.withLock { $0.take() }, continuation)
    }
  }

  private func enter(_ identifier: Int, _ continuation: CheckedContinuation<Bool, Never>) {
    let answer: Bool? = state.withLock { state in
      if state.isOpen { return true }
      if state.cancelledEarly.remove(identifier) != nil { return false }
      state.waiting[identifier] = continuation
      return nil
    }
    if let answer { continuation.resume(returning: answer) }
  }

  private func leave(_ identifier: Int) {
    let continuation = state.withLock { state in
      // The handler may run before the continuation exists: remember it, or the wait never ends.
      if !state.isOpen && state.waiting[identifier] == nil {
        state.cancelledEarly.insert(identifier)
      }
      return state.waiting.removeValue(forKey: identifier)
    }
    continuation?.resume(returning: false)
  }
}
