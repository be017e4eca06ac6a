public import SessionModel

/// Why no access token is handed out, with everything that can be said of the session.
///
/// The description is one sentence for a person: what happened, to what, and what to do next.
/// It never holds a token.
public struct AccessTokenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What stands in the way.
  public enum Reason: Sendable, Hashable {
    /// The name is no namespace: 1 to 64 letters, digits, `.`, `_` and `-`, a letter or digit first.
    case invalidNamespace
    /// No snapshot has ever been published for the namespace, or it is gone.
    case absent
    /// The person signed out.
    case signedOut
    /// A person has to sign in again.
    case reauthenticationRequired(ReauthenticationReason)
    /// The access token has ended.
    case expired
    /// The access token lives for less than was asked for, or than the default margin.
    case tooShort(remaining: Duration, required: Duration)
    /// The provider did not say when the token ends, so no `validFor` can be promised.
    case expiryUnknown
    /// The snapshot is genuine, but of a kind that this version does not know.
    case unsupportedRecord
    /// The access group's key is missing or does not open the snapshot.
    case keyUnavailable
    /// The snapshot is damaged.
    case corrupt
    /// The snapshot has a format version that this version does not know.
    case unsupportedVersion
    /// An owner or mode must not be trusted, or the files may not be read.
    case permission
    /// A system call failed with this `errno`.
    case storage(errno: Int32)
  }

  /// What stands in the way.
  public let reason: Reason
  /// The state at the time, with the host's condition.
  public let state: VaultState

  /// Makes an error of what stands in the way and of the state at the time.
  package init(reason: Reason, state: VaultState) {
    self.reason = reason
    self.state = state
  }

  /// What happened, one sentence without a full stop.
  public var message: String {
    switch reason {
    case .tooShort(let remaining, let required):
      "the access token of \(state.namespace) is good for \(exact(remaining)) more,"
        + " less than the \(exact(required)) needed"
    case .expiryUnknown:
      "the provider did not say when the access token of \(state.namespace) ends,"
        + " so nothing can be promised of it"
    default: state.reason ?? "the access token of \(state.namespace) cannot be had"
    }
  }

  /// What to do next, one sentence without a full stop; nil when nothing has to be done.
  public var nextStep: String? {
    if reason == .expiryUnknown { return "ask for the token without a validity" }
    return state.nextStep
  }

  /// The message, and what to do next behind a semicolon.
  public var description: String {
    nextStep.map { "\(message); \($0)" } ?? message
  }
}

/// A duration for people: whole seconds, unless it is shorter than one.
func brief(_ duration: Duration) -> String {
  let seconds = duration.components.seconds
  return DurationText.format(seconds == 0 ? duration : .seconds(seconds), parts: 3)
}

/// A duration to be compared with another: three units, above ten seconds in whole seconds.
private func exact(_ duration: Duration) -> String {
  let whole: Duration = duration > .seconds(10) ? .seconds(duration.components.seconds) : duration
  return DurationText.format(whole, parts: 3)
}
