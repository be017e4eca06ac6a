import GrantModel
import HTTPExchange

/// When to poll next and when to stop (RFC 8628 3.5): an answer in, a decision out.
package struct DevicePolling: Sendable {
  /// What to do.
  package enum Step: Sendable, Equatable {
    /// Wait this long, then poll.
    case wait(Duration)
    /// The code is over: nothing is sent any more.
    case expired
    /// The answer ends the sign-in.
    case stop(ExchangeFailure)
  }

  /// The time between two polls; it never gets shorter.
  package private(set) var interval: Duration
  private let deadline: Duration

  /// Starts to wait.
  ///
  /// - Parameters:
  ///   - authorization: what the provider answered.
  ///   - now: the time on the clock that `step` is given too.
  package init(_ authorization: DeviceAuthorization, now: Duration) {
    interval = authorization.interval
    deadline = now + authorization.instructions.validFor
  }

  /// The wait before the first poll.
  package func first(now: Duration) -> Step {
    step(after: interval, now: now)
  }

  /// Decides after a poll that brought no token.
  package mutating func step(after failure: ExchangeFailure, now: Duration) -> Step {
    switch failure {
    case .oauth(.authorizationPending, _, _):
      return step(after: interval, now: now)
    case .oauth(.slowDown, _, _):
      interval += .seconds(5)
      return step(after: interval, now: now)
    case .transport(let error) where error.code != .cancelled && error.code != .tls:
      interval *= 2
      return step(after: interval, now: now)
    case .unavailable(_, let retryAfter):
      interval *= 2
      return step(after: max(interval, retryAfter ?? .zero), now: now)
    default:
      return .stop(failure)
    }
  }

  /// A poll that would come at the deadline or after it is not made.
  private func step(after wait: Duration, now: Duration) -> Step {
    now + wait < deadline ? .wait(wait) : .expired
  }
}
