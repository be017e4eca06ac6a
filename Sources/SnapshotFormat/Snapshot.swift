package import SessionModel

/// A snapshot whose reader box has opened: every byte of the file is the host's.
package struct Snapshot: Sendable, Hashable {
  /// What can be said without the record.
  package let header: SnapshotHeader
  /// What the reader box held.
  package let content: SnapshotContent

  // Only the verifier makes one.
  init(header: SnapshotHeader, content: SnapshotContent) {
    self.header = header
    self.content = content
  }
}

/// What a snapshot says of its namespace.
package enum SnapshotContent: Sendable, Hashable {
  /// There is a session.
  case session(StoredSessionV1)
  /// The person signed out.
  case signedOut
  /// A person has to sign in again.
  case reauthenticationRequired(ReauthenticationReason)
  /// A later host wrote a record of a kind that this program does not know.
  case unknown(RecordKind)

  /// The number that stands in the header.
  package var kind: RecordKind {
    switch self {
    case .session: .session
    case .signedOut: .signedOut
    case .reauthenticationRequired: .reauthenticationRequired
    case .unknown(let kind): kind
    }
  }
}
