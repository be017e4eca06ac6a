internal import Glibc
internal import Synchronization

/// The answer to a request that is not known yet when the request has been read.
///
/// The request's thread waits for it, so the server needs a thread for each connection.
package final class LateAnswer: Sendable {
  private enum State {
    case awaited
    case given(LoopbackResponse)
    case over
  }

  private let latch: StopLatch
  private let state = Mutex(State.awaited)

  /// Makes an answer that is yet to come, or returns nil when the process is out of descriptors.
  package init?() {
    guard let latch = StopLatch() else { return nil }
    self.latch = latch
  }

  /// Gives the answer.
  ///
  /// - Returns: Whether it is sent; false when one was given before or the wait is over.
  package func give(_ response: LoopbackResponse) -> Bool {
    let isFirst = state.withLock { state in
      guard case .awaited = state else { return false }
      state = .given(response)
      return true
    }
    if isFirst { latch.open() }
    return isFirst
  }

  /// Waits for the answer, for no longer than a duration and no longer than the server runs.
  ///
  /// - Returns: The answer, nil when none came.
  func wait(for limit: Duration, orLatch stop: StopLatch) -> LoopbackResponse? {
    _ = latch.wait(for: limit, orLatch: stop)
    let given = state.withLock { state -> LoopbackResponse? in
      defer { state = .over }
      if case .given(let response) = state { return response }
      return nil
    }
    return given
  }
}
