import Synchronization

/// Lets a few sessions of one provider renew themselves at a time, the longest waiting first; whoever
/// gives the wait up to see to something else begins anew.
///
/// After a suspend a thousand would ask at once, and a provider that breaks down under that has
/// rotated tokens whose answers never arrive. What a person or a reader asks for does not wait here.
package final class RenewalQueue: Sendable {
  /// How many may renew themselves at a time.
  package static let width = 8

  private struct State {
    var free: Int
    var lastNumber: UInt64 = 0
    var waiting: [(number: UInt64, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let state: Mutex<State>
  private let noteWaiting: @Sendable (Int) -> Void

  /// Creates a queue.
  ///
  /// - Parameters:
  ///   - width: how many may renew themselves at a time.
  ///   - noteWaiting: told how many wait whenever one more does.
  package init(
    width: Int = RenewalQueue.width, noteWaiting: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    state = Mutex(State(free: width))
    self.noteWaiting = noteWaiting
  }

  /// How many wait for their turn.
  package var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Takes a turn if one is free, which is given back with `leave`.
  ///
  /// - Returns: whether there was one.
  package func enterIfFree() -> Bool {
    state.withLock { state in
      guard state.free > 0 else { return false }
      state.free -= 1
      return true
    }
  }

  /// Waits for a turn, which is given back with `leave`.
  ///
  /// - Returns: false when the task was cancelled before; there is nothing to give back then.
  package func enter() async -> Bool {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (answer, waiting): (Bool?, Int) = state.withLock { state in
          guard !Task.isCancelled else { return (false, 0) }
          guard state.free > 0 else {
            state.waiting.append((number, continuation))
            return (nil, state.waiting.count)
          }
          state.free -= 1
          return (true, 0)
        }
        if let answer { continuation.resume(returning: answer) } else { noteWaiting(waiting) }
      }
    } onCancel: {
      let cancelled = state.withLock { state in
        state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
      }
      cancelled?.continuation.resume(returning: false)
    }
  }

  /// Gives a turn back: to whoever waits the longest.
  package func leave() {
    let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume(returning: true)
  }
}
