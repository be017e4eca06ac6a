/// How a session came out of a run without a timer, the best first.
package enum RunOutcome: Sendable, Comparable {
  /// Everything that was due is done.
  case done
  /// Something is left to be done by a later run.
  case temporary
  /// A person has to sign in again.
  case reauthenticationRequired
  /// The key could not be had, so nothing was done.
  case locked
  /// Something could not be stored or published.
  case storage
}
