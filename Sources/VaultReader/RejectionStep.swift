/// What is done about an access token that a resource has rejected although it looked good.
enum RejectionStep: Sendable, Equatable {
  /// Send the request once more, with this token.
  case sendAgain(PublishedToken)
  /// Tell the host that the token of this generation was rejected, and look once more.
  case askHost(generation: UInt64)
  /// Say that there is no token to try with.
  case refuse(AccessTokenError)
  /// Say why nothing more is tried.
  case giveUp(AuthorizedRequestError.Reason)

  /// Decides what is done next.
  ///
  /// A token that has been replaced meanwhile settles it, whatever the host has said. The token of
  /// another account is never sent: the request was made for the first one.
  /// - Parameters:
  ///   - rejected: the token that was sent.
  ///   - sighting: what is published now.
  ///   - answer: what the host said; nil while it has not been asked.
  /// - Returns: the step.
  static func next(
    after rejected: PublishedToken, _ sighting: TokenSighting, answer: RejectionAnswer?
  ) -> RejectionStep {
    let present = sighting.token
    if present.isOfAnotherAccount(than: rejected) { return .giveUp(.accountChanged) }
    if !present.isSameToken(as: rejected) {
      return sighting.refusal.map { .refuse($0) } ?? .sendAgain(present)
    }
    return switch answer {
    case nil: .askHost(generation: present.generation)
    case .replaced?: .giveUp(.notReplaced("the host has published no other one"))
    case .unchanged(let why)?: .giveUp(.notReplaced(why))
    }
  }
}

/// What came of telling the host that a token was rejected.
package enum RejectionAnswer: Sendable, Equatable {
  /// The host says that another token is published.
  case replaced
  /// There is no other token, for a reason given as the end of a sentence.
  case unchanged(String)
}
