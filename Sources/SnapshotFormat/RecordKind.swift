/// What kind of record a snapshot holds: an open list, so that a reader meets kinds it cannot know.
package struct RecordKind: RawRepresentable, Sendable, Hashable {
  /// The number in the header, at least 1.
  package let rawValue: UInt16

  /// Creates a kind from its number.
  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// A session with a usable or expired access token.
  package static let session = RecordKind(rawValue: 1)
  /// A tombstone: the person signed out.
  package static let signedOut = RecordKind(rawValue: 2)
  /// A tombstone with a reason: a person has to sign in again.
  package static let reauthenticationRequired = RecordKind(rawValue: 3)
}
