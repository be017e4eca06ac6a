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
    guard let name = Namespace(namespace) else { return .unchanged("no host has published it") }
    do throws(ControlError) {
      let event = try ControlClient.answer(
        to: .rejected(name, generation: generation), in: vault.hostDirectory(of: namespace),
        within: limit,
        now: bootClockNanoseconds)
      switch event {
      case .renewed: return .replaced
      case .failed(.rateLimited, let message):
        // The host is busy with others, who may have it renewed: what is published tells.
        return waitForToken(otherThan: rejected, until: deadline)
          ?? .unchanged("the host: \(message)")
      case .failed(_, let message): return .unchanged("the host: \(message)")
      default: return .unchanged("the host gave no answer that fits")
      }
    } catch {
      return .unchanged(Self.sentence(error))
    }
  }

  // What a widget has to do about it stands in the state's next step.
  private static func sentence(_ error: ControlError) -> String {
    switch error {
    case .unreachable(let path): "no host listens at \(path)"
    case .otherUser(let directory, _):
      "the host in \(directory) is a system service, which no other user can ask for another"
    default: error.description
    }
  }

  private func waitForToken(
    otherThan rejected: PublishedToken, until deadline: Deadline
  ) -> RejectionAnswer? {
    while deadline.rest > .zero {
      // A signal ends the pause early, which only means to look once more.
      _ = try? waitForInput(-1, timeout: min(Self.pause, deadline.rest))
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
