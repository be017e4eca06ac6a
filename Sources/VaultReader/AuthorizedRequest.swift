/// A request to an API that is sent with an access token, and once more after a rejection.
///
/// It sends nothing itself: a closure does, with whatever client the program has, and throws
/// `AccessTokenRejected` when the resource says 401. Then what is published now is read. Where that
/// is another token, as after a renewal meanwhile, the closure is called once more with it. Else
/// the host is told, which renews the session at most once per 30 s or a quarter of the token's
/// lifetime; its next token is waited for, 5 s at most. The closure is called twice at most.
///
/// ```swift
/// let api = AuthorizedRequest(vault)
/// let profile = try await api.send { token in
///   let answer = try await http.get("https://api.example/me", bearer: token)
///   if answer.status == 401 { throw AccessTokenRejected() }
///   return answer.body
/// }
/// ```
///
/// One value for a namespace is enough for a whole program: any thread or task may use it, and its
/// tasks ask the host together.
public struct AuthorizedRequest: Sendable {
  let notice: RejectionNotice
  private let validity: Duration?
  #if Tasks
    let shared = SharedRejection()
  #endif

  /// Makes a request of a vault's namespace; nothing is read yet.
  ///
  /// - Parameters:
  ///   - vault: the vault.
  ///   - namespace: the namespace's name.
  ///   - validity: how long a token must be good when it is sent; nil for the default margin.
  public init(
    _ vault: TokenVault, namespace: String = "primary", validFor validity: Duration? = nil
  ) {
    self.init(vault, namespace: namespace, validFor: validity, limit: RejectionNotice.patience)
  }

  /// Makes a request that waits for the host for a given time.
  ///
  /// - Parameters:
  ///   - vault: the vault.
  ///   - namespace: the namespace's name.
  ///   - validity: how long a token must be good when it is sent; nil for the default margin.
  ///   - limit: how long the next token is waited for.
  package init(
    _ vault: TokenVault, namespace: String, validFor validity: Duration?, limit: Duration
  ) {
    notice = RejectionNotice(vault: vault, namespace: namespace, limit: limit)
    self.validity = validity
  }

  /// Sends the request, and waits for the host on the caller's thread where that is needed.
  ///
  /// - Parameter request: sends the request with the token that it is given, and throws
  ///   `AccessTokenRejected` when the resource rejects it; what it did before has to bear being
  ///   done again.
  /// - Returns: what the closure returned.
  /// - Throws: `AccessTokenError` when there is no token to send; `AuthorizedRequestError` when a
  ///   token was rejected and nothing more is tried; what else the closure throws.
  public func send<Response>(
    _ request: (_ accessToken: String) throws -> Response
  ) throws -> Response {
    let first = try firstToken()
    do {
      return try request(first.accessToken)
    } catch is AccessTokenRejected {}
    var step = try nextStep(after: first, answer: nil)
    if case .askHost(let generation) = step {
      step = try nextStep(after: first, answer: notice.send(generation: generation, of: first))
    }
    let second = try token(of: step)
    do {
      return try request(second.accessToken)
    } catch is AccessTokenRejected {
      throw error(.rejectedAgain)
    }
  }

  /// The token that a request is sent with at first.
  func firstToken() throws(AccessTokenError) -> PublishedToken {
    let sighting = try notice.vault.tokenSighting(namespace: notice.namespace, validFor: validity)
    if let refusal = sighting.refusal { throw refusal }
    return sighting.token
  }

  /// Looks at what is published now and decides about a rejection.
  func nextStep(
    after rejected: PublishedToken, answer: RejectionAnswer?
  ) throws(AccessTokenError) -> RejectionStep {
    RejectionStep.next(
      after: rejected,
      try notice.vault.tokenSighting(namespace: notice.namespace, validFor: validity),
      answer: answer)
  }

  /// The token that the last step allows.
  func token(of step: RejectionStep) throws -> PublishedToken {
    switch step {
    case .sendAgain(let token): return token
    case .refuse(let refusal): throw refusal
    case .giveUp(let reason): throw error(reason)
    case .askHost: throw error(.notReplaced("the host has published no other one"))
    }
  }

  /// An error with the state as it is now.
  func error(_ reason: AuthorizedRequestError.Reason) -> AuthorizedRequestError {
    AuthorizedRequestError(
      reason: reason, state: notice.vault.state(namespace: notice.namespace))
  }
}
