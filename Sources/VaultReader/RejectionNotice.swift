import FileSupport
import HostControl
import SessionModel

/// Tells the host that a resource has rejected a token, and waits for the next one; it blocks.
struct RejectionNotice: Sendable {
  /// How long the host may take.
  static let patience = Duration.seconds(5)
  private static let pause = Duration.milliseconds(100)

  /// The vault that the token is from.
  let vault: TokenVault
  /// The namespace's name.
  let namespace: String
  /// How long all of it may take.
  let limit: Duration

  /// Tells the host once, and waits until another token is published or the time is over.
  ///
  /// - Parameters:
  ///   - generation: the newest generation that is known to hold the token.
  ///   - rejected: the token.
  /// - Returns: what came of it.
  func send(generation: UInt64, of rejected: PublishedToken) -> RejectionAnswer {
    if isReplaced(rejected) { return .replaced }
    let deadline = Deadline(after: limit)
    guard let name = Namespace(namespace), let directory = vault.hostDirectory(of: namespace)
    else { return .unchanged("no host of this user has published it") }
    do throws(ControlError) {
      let event = try ControlClient.answer(
        to: .rejected(name, generation: generation), in: directory, within: limit,
        now: bootClockNanoseconds)
      switch event {
      case .renewed: return .replaced
      case .failed(.rateLimited, let message):
        // Somebody else has the host renew it, or it has just been tried: what is published tells.
        return waitForToken(otherThan: rejected, until: deadline)
          ?? .unchanged("the host: \(message)")
      case .failed(_, let message): return .unchanged("the host: \(message)")
      default: return .unchanged("the host gave no answer that fits")
      }
    } catch {
      if case .unreachable(let path) = error { return .unchanged("no host listens at \(path)") }
      return .unchanged(error.description)
    }
  }

  private func waitForToken(
    otherThan rejected: PublishedToken, until deadline: Deadline
  ) -> RejectionAnswer? {
    while deadline.rest > .zero {
      // A signal ends the pause early, which only means to look once more.
      _ = try? waitForInput([-1], timeout: min(Self.pause, deadline.rest))
      if isReplaced(rejected) { return .replaced }
    }
    return nil
  }

  // Whoever asks together with others may come late; no token at all is news too.
  private func isReplaced(_ rejected: PublishedToken) -> Bool {
    let sighting = try? vault.tokenSighting(namespace: namespace, validFor: nil)
    return sighting.map { !$0.token.isSameToken(as: rejected) } ?? true
  }
}
