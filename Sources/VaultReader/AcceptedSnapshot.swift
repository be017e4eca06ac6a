import SessionModel
import SnapshotFormat

/// The newest genuine snapshot that a reader has seen of a namespace, with what follows from it.
final class AcceptedSnapshot: Sendable {
  /// What the snapshot says.
  let snapshot: Snapshot
  /// Its session record; nil for a tombstone and for an unknown kind.
  let session: AcceptedSession?
  /// How long its access token is good.
  let validity: TokenValidity
  /// Whether it was published in the present boot; nil where the system does not say which it is.
  let isPresentBoot: Bool?

  /// Takes a snapshot.
  ///
  /// - Parameters:
  ///   - snapshot: a genuine snapshot.
  ///   - boot: the present boot, where it is known.
  init(_ snapshot: Snapshot, boot: BootIdentifier?) {
    self.snapshot = snapshot
    if case .session(let record) = snapshot.content {
      session = AcceptedSession(record, accountName: snapshot.header.accountName)
    } else {
      session = nil
    }
    isPresentBoot = boot.map { $0 == snapshot.header.published.bootIdentifier }
    validity = TokenValidity(snapshot.header, isPresentBoot: isPresentBoot == true)
  }

  /// The session's state at a moment.
  func sessionState(at now: ClockReading) -> SessionState {
    switch snapshot.content {
    case .session: validity.state(at: now)
    case .signedOut: .signedOut
    case .reauthenticationRequired(let reason): .reauthenticationRequired(reason)
    case .unknown: .unsupportedRecord
    }
  }

  /// Whether the host should have published again by now.
  func isOverdue(at now: ClockReading) -> Bool {
    guard let left = timeToPublish(at: now) else { return true }
    return left < .zero
  }

  /// How long until the passing of time alone changes what is said of this snapshot.
  ///
  /// - Parameter now: both clocks.
  /// - Returns: the time until the margin, the end or the deadline has been passed; nil when all
  ///   of them are past.
  func nextChange(after now: ClockReading) -> Duration? {
    var next: Duration?
    func note(_ span: Duration) {
      guard span >= .zero else { return }
      next = min(next ?? span, span)
    }
    if session != nil, let remaining = validity.remaining(at: now) {
      note(remaining - validity.margin)
      note(remaining)
    }
    if let left = timeToPublish(at: now) { note(left) }
    // Just past the moment: at the margin itself a token is still good.
    return next.map { $0 + .milliseconds(1) }
  }

  // Nil for a snapshot of another boot, whose deadline says nothing any more.
  private func timeToPublish(at now: ClockReading) -> Duration? {
    let deadline = snapshot.header.nextPublication
    return switch isPresentBoot {
    case true?: deadline.boot.sinceBoot - now.boot
    case false?: nil
    case nil: .seconds(deadline.wall.rawValue) - now.wall
    }
  }

  /// How long a host that waits goes on doing so; nil for one that does not wait.
  ///
  /// - Parameter now: both clocks.
  /// - Returns: the rest of the wait, zero or less when it is over.
  func timeToRetry(at now: ClockReading) -> Duration? {
    let header = snapshot.header
    guard case .waiting(let until) = header.hostState else { return nil }
    let byWall = .seconds(until.rawValue) - now.wall
    guard isPresentBoot == true else { return byWall }
    // Both times come from the host's wall clock, so their distance stays right when it is set; it
    // does not when it was set just before.
    let passed = now.boot - header.published.boot.sinceBoot
    let byBoot = until.since(header.published.wall) - passed
    return byBoot > .zero ? byBoot : byWall
  }

  /// Why the token is not handed out; nil when it is.
  func refusal(for promise: Duration?, at now: ClockReading) -> AccessTokenError.Reason? {
    switch snapshot.content {
    case .session: validity.refusal(for: promise, at: now)
    case .signedOut: .signedOut
    case .reauthenticationRequired(let reason): .reauthenticationRequired(reason)
    case .unknown: .unsupportedRecord
    }
  }
}

/// A session's record, handed around as one reference: a token is asked for often.
final class AcceptedSession: Sendable {
  /// The record.
  let record: StoredSessionV1
  /// The name of its account, where the snapshot gives one.
  let accountName: String?
  /// Its access token.
  var accessToken: String { record.accessToken }

  /// Takes a record and what its snapshot says of the account.
  init(_ record: StoredSessionV1, accountName: String?) {
    self.record = record
    self.accountName = accountName
  }
}
