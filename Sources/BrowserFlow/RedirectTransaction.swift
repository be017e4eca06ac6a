internal import LoopbackHTTP
internal import SecretMemory

/// The rules of one wait for an authorization response: request in, page and result out.
struct RedirectTransaction: Sendable {
  /// What a request leads to.
  struct Step: Sendable {
    /// The page that is shown; for a response that is taken, the one that is shown when its
    /// sign-in takes too long to end.
    let page: RedirectPage

    /// The result that ends the wait, if this request is the response.
    let result: Result<RedirectParameters, RedirectError>?

    /// Where the browser is sent, if it departs from here.
    var location: String?

    /// Whether the browser waits to be told how the sign-in ends.
    var isHeld = false
  }

  /// Decides about a response that belongs to this sign-in.
  private let judge: @Sendable (RedirectParameters) -> RedirectVerdict
  /// The path of the redirect URI.
  let path: String
  private let state: String
  private let purpose: RedirectPurpose
  /// Where a browser is sent that asks for a path, until it has asked.
  var departure: (path: String, location: String)?
  private(set) var isOver = false

  /// Starts to wait for the response that carries `state` to `path`.
  init(
    path: String, state: String, purpose: RedirectPurpose = .authorization,
    judge: @escaping @Sendable (RedirectParameters) -> RedirectVerdict
  ) {
    self.purpose = purpose
    self.path = path
    self.state = state
    self.judge = judge
  }

  /// Takes one request; the first that is the response ends the wait (RFC 9700 4.2.4).
  ///
  /// A response without this sign-in's state ends it too: the provider answers once, so that
  /// nothing better can follow, and whoever forged it got nothing. That lets a process of this
  /// machine end a sign-in, which the person is told of and begins again; a page that is open in
  /// the browser cannot do even that, because its requests are no navigations.
  ///
  /// - Parameters:
  ///   - method: The request's method.
  ///   - path: Its path.
  ///   - query: Its decoded query.
  ///   - isNavigation: Whether a person's browser may have been sent here.
  /// - Returns: The page, and the result when the wait is over.
  mutating func receive(
    method: String, path: String, query: [FormItem], isNavigation: Bool = true
  ) -> Step {
    if let departure, method == "GET", constantTimeEqual(path, departure.path) {
      self.departure = nil
      return Step(page: .departing, result: nil, location: departure.location)
    }
    guard path.utf8.elementsEqual(self.path.utf8) else { return Step(page: .notFound, result: nil) }
    guard method == "GET" else { return Step(page: .wrongMethod, result: nil) }
    guard !isOver else { return Step(page: .over, result: nil) }
    if purpose == .endOfSession { return receiveEnd(query, isNavigation: isNavigation) }
    let states = query.values(named: "state")
    guard states.count == 1, constantTimeEqual(states[0], state) else {
      guard isNavigation, Self.looksLikeResponse(query) else {
        return Step(page: .notOurs, result: nil)
      }
      isOver = true
      return Step(page: .stopped, result: .failure(.foreignState))
    }
    guard let parameters = try? RedirectParameters(query), parameters.isResponse else {
      // A shell ends an address that is not quoted at its first &: that costs no sign-in.
      guard isNavigation else { return Step(page: .malformed, result: nil) }
      isOver = true
      return Step(page: .malformed, result: .failure(.malformed))
    }
    let verdict = judge(parameters)
    if verdict == .ignored { return Step(page: .notOurs, result: nil) }
    isOver = true
    return Step(page: .received, result: .success(parameters), isHeld: true)
  }

  /// The session here is over already, so that whatever a browser comes back with ends the wait; an
  /// address that is brought by hand needs the state.
  private mutating func receiveEnd(_ query: [FormItem], isNavigation: Bool) -> Step {
    let states = query.values(named: "state")
    let isOurs = states.count == 1 && constantTimeEqual(states[0], state)
    guard isNavigation || isOurs, let parameters = try? RedirectParameters(query) else {
      return Step(page: .notOurs, result: nil)
    }
    isOver = true
    return Step(page: .signedOut, result: .success(parameters))
  }

  private static func looksLikeResponse(_ query: [FormItem]) -> Bool {
    (query.values(named: "code") + query.values(named: "error")).contains { !$0.isEmpty }
  }

  /// Ends the wait from outside; later requests find nobody waiting.
  mutating func end() {
    isOver = true
  }
}

/// What the caller makes of a response that carries the right state.
package enum RedirectVerdict: Sendable {
  /// It ends the wait, a refusal too; the person is told how the sign-in ends.
  case taken

  /// It is not from the provider that was asked (RFC 9207 2.4): the wait goes on.
  case ignored
}

/// Why no authorization response came.
package enum RedirectError: Error, Equatable, Sendable {
  /// The deadline passed.
  case timedOut

  /// The waiting task was cancelled or the listener closed.
  case cancelled

  /// The response repeats a parameter, or carries neither a code nor an error, or both.
  case malformed

  /// A response came whose `state` is missing or not that of the request.
  case foreignState
}

extension RedirectError: CustomStringConvertible {
  /// One sentence with the mend.
  package var description: String {
    switch self {
    case .timedOut: "no answer came from the browser in time: start the sign-in again"
    case .cancelled: "the sign-in was cancelled: start it again when ready"
    case .malformed:
      "the provider's answer in the browser is malformed: start the sign-in again,"
        + " and report it to the provider if it happens again"
    case .foreignState:
      "an answer came that does not carry the state of this sign-in, so it was stopped:"
        + " start the sign-in again"
    }
  }
}
