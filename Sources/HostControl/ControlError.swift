package import FileSupport
import SessionModel

/// Why a client and the host could not talk; what the host itself says comes as an event.
package enum ControlError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No host listens at this path.
  case unreachable(path: String)
  /// The socket or its directory cannot be used.
  case file(FileError)
  /// The host of this directory is a system service, which serves its own user alone.
  case otherUser(directory: String, user: UInt32)
  /// A call on the connection failed.
  case connection(call: String, Errno)
  /// The host closed the connection before its answer was complete.
  case closed
  /// The host did not answer within this time.
  case timedOut(after: Duration)
  /// The host sent something that is no answer.
  case malformed(String)
  /// The wait was given up because the caller's own descriptor became readable.
  case interrupted

  /// One sentence that says what happened and what to do next.
  package var description: String {
    switch self {
    case .unreachable(let path):
      "no host listens at \(path); start it with: tokenvault-host"
    case .file(let error): error.description
    case .otherUser(let directory, let user):
      "the host in \(directory) is a system service and serves user \(user) alone; whoever administers"
        + " it runs this as that user, with: sudo -u '#\(user)'"
    case .connection(let call, let number): "the connection to the host broke: \(call): \(number)"
    case .closed:
      "the host closed the connection without a complete answer; its log says why"
    case .timedOut(let duration):
      "the host did not answer within \(DurationText.format(duration)); its log may say why"
    case .malformed(let problem): "\(problem); the host may be of another version"
    case .interrupted: "the wait for the host was given up"
    }
  }
}
