#if Tasks
  extension AuthorizedRequest {
    /// Sends the request, and waits for the host without holding a thread of the tasks.
    ///
    /// Requests of one value that are rejected at the same time ask the host once.
    /// - Parameter request: sends the request with the token that it is given, and throws
    ///   `AccessTokenRejected` when the resource rejects it; what it did before has to bear being
    ///   done again.
    /// - Returns: what the closure returned.
    /// - Throws: `AccessTokenError` when there is no token to send; `AuthorizedRequestError` when a
    ///   token was rejected and nothing more is tried; `CancellationError` when the task is
    ///   cancelled while it waits for the host; what else the closure throws.
    public func send<Response>(
      _ request: (_ accessToken: String) async throws -> Response
    ) async throws -> Response {
      let first = try firstToken()
      do {
        return try await request(first.accessToken)
      } catch is AccessTokenRejected {}
      var step = try nextStep(after: first, answer: nil)
      if case .askHost(let generation) = step {
        let answer = try await shared.answer(for: generation) { [notice] in
          notice.send(generation: generation, of: first)
        }
        step = try nextStep(after: first, answer: answer)
      }
      let second = try token(of: step)
      do {
        return try await request(second.accessToken)
      } catch is AccessTokenRejected {
        throw error(.rejectedAgain)
      }
    }
  }
#endif
