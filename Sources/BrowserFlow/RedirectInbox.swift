internal import LoopbackHTTP
internal import Synchronization

/// Where the server's thread leaves the result and the waiting task finds it.
final class RedirectInbox: Sendable {
  private typealias Outcome = Result<RedirectParameters, RedirectError>

  private struct State {
    var transaction: RedirectTransaction
    var outcome: Outcome?
    var waiter: CheckedContinuation<Outcome, Never>?
    /// What the browser that brought the response is waiting for.
    var lateAnswer: LateAnswer?
  }

  private let state: Mutex<State>
  private let patience: Duration

  /// Makes an empty inbox for one transaction.
  ///
  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - patience: How long a browser waits to be told how the sign-in ended.
  init(_ transaction: RedirectTransaction, patience: Duration = .zero) {
    self.patience = patience
    state = Mutex(State(transaction: transaction))
  }

  /// Answers a request.
  ///
  /// A response that is taken is handed over at once; the page that says how its sign-in ended
  /// comes later. Any other result waits until its page has left, so that closing the port cannot
  /// cut the page short.
  func receive(_ request: LoopbackRequest) -> LoopbackResponse {
    let step = state.withLock { state in
      state.transaction.receive(
        method: request.method, path: request.path, query: request.query,
        isNavigation: request.mayBeNavigation)
    }
    var response = step.page.response
    if let location = step.location {
      response.status = 303
      response.headers.append(.init(name: "Location", value: location))
    }
    if step.isHeld, let result = step.result, let late = LateAnswer() {
      response.delay = patience
      response.late = late
      state.withLock { $0.lateAnswer = late }
      settle(result)
    } else if let result = step.result {
      response.whenSent = { [weak self] in self?.settle(result) }
    }
    return response
  }

  /// Sets where a browser is sent that asks for a path.
  func setDeparture(path: String, location: String) {
    state.withLock { $0.transaction.departure = (path, location) }
  }

  /// Takes a response that came by another way than the port.
  ///
  /// - Throws: `RedirectDeliveryError` when it does not end the wait.
  func deliver(_ items: [FormItem]) throws(RedirectDeliveryError) {
    let step = state.withLock { state in
      // What a person pastes by mistake must not cost the sign-in.
      state.transaction.receive(
        method: "GET", path: state.transaction.path, query: items, isNavigation: false)
    }
    guard let result = step.result else {
      throw step.page == .malformed ? .incomplete : .notThisSignIn
    }
    settle(result)
  }

  /// Tells the browser that brought the response how the sign-in ended.
  ///
  /// Returns when the page has left, at once where no browser waits for one.
  func conclude(_ ending: RedirectEnding) async {
    guard let late = state.withLock({ $0.lateAnswer.take() }) else { return }
    await withCheckedContinuation { continuation in
      var response = RedirectPage(ending).response
      response.whenSent = { continuation.resume() }
      if !late.give(response) { continuation.resume() }
    }
  }

  /// Ends the wait without a response.
  func end(with error: RedirectError) {
    state.withLock { $0.transaction.end() }
    settle(.failure(error))
  }

  /// Waits for the result; the first one counts.
  func result() async -> Result<RedirectParameters, RedirectError> {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state in
        if state.outcome == nil { state.waiter = continuation }
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }

  private func settle(_ outcome: Outcome) {
    let waiter = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      let waiter = state.waiter
      state.waiter = nil
      return waiter
    }
    waiter?.resume(returning: outcome)
  }
}

extension LoopbackRequest {
  /// Whether a browser may have been sent here, by what it says of itself (Fetch Metadata): what a
  /// page loads in the background says otherwise, and can't be made to lie.
  fileprivate var mayBeNavigation: Bool {
    headers(named: "sec-fetch-mode").allSatisfy { $0 == "navigate" }
      && headers(named: "sec-fetch-dest").allSatisfy { $0 == "document" }
  }
}
