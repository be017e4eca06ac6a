/// What a request's closure throws when the resource has rejected the access token.
///
/// Over HTTP that is status 401 (RFC 6750 3.1, `invalid_token`), over gRPC `UNAUTHENTICATED`. A
/// 403 says that the token is good and does not suffice: another token would not either.
public struct AccessTokenRejected: Error, Sendable, Hashable {
  /// Makes the error.
  public init() {}
}

/// Why a request was given up after the resource had rejected its access token.
///
/// The description is one sentence for a person. It never holds a token.
public struct AuthorizedRequestError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What became of the first rejection.
  public enum Reason: Sendable, Hashable {
    /// The resource rejected a second token as well.
    case rejectedAgain
    /// No other token came within 5 s; why, as the end of a sentence.
    case notReplaced(String)
    /// Another account was signed in meanwhile, for which the request was not made.
    case accountChanged
  }

  /// What became of the first rejection.
  public let reason: Reason
  /// The namespace's state when the request was given up.
  public let state: VaultState

  /// Makes an error of what became of a rejection and of the state at the end.
  init(reason: Reason, state: VaultState) {
    self.reason = reason
    self.state = state
  }

  /// What happened, one sentence without a full stop.
  public var message: String {
    switch reason {
    case .rejectedAgain: "two access tokens of \(state.namespace) were rejected one after the other"
    case .notReplaced(let why): "the access token of \(state.namespace) was rejected: \(why)"
    case .accountChanged:
      "\(state.namespace) was signed in to another account while a request was under way"
    }
  }

  /// What to do next, one sentence without a full stop; nil when nothing has to be done.
  public var nextStep: String? {
    switch reason {
    case .rejectedAgain:
      "compare what the resource wants with: tokenvault introspect \(state.namespace)"
    case .notReplaced: state.nextStep
    case .accountChanged: nil
    }
  }

  /// The message, and what to do next behind a semicolon.
  public var description: String {
    nextStep.map { "\(message); \($0)" } ?? message
  }
}
