package import SessionModel

/// Why a snapshot could not be read.
package enum SnapshotError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The bytes are not a whole, genuine snapshot of this place.
  case corrupt(SnapshotDamage)
  /// The file has another format version.
  case unsupportedVersion(UInt16)
  /// The sealed record has another version than `StoredSessionV1`.
  case unsupportedRecordVersion(Int64)
  /// The snapshot was sealed with another key than the one at hand.
  case keyUnavailable
  /// The file is longer than any snapshot.
  case tooLarge

  /// One sentence, without any content of the snapshot.
  package var description: String {
    switch self {
    case .corrupt(let damage):
      "the snapshot is damaged (\(damage)); the host replaces it at its next publication"
    case .unsupportedVersion(let version):
      "the snapshot has format version \(version), and this program reads version 1; update it"
    case .unsupportedRecordVersion(let version):
      "the session record has version \(version), and this program reads version 1; update it"
    case .keyUnavailable:
      "the snapshot was sealed with another key than the access group's"
    case .tooLarge:
      "the snapshot is longer than \(SnapshotLimits.fileLength) bytes"
    }
  }

  /// What a reader reports as the session's state.
  package var sessionState: SessionState {
    switch self {
    case .corrupt, .tooLarge: .corrupt
    case .unsupportedVersion, .unsupportedRecordVersion: .unsupportedVersion
    case .keyUnavailable: .keyUnavailable
    }
  }
}

/// In which way a snapshot is damaged.
package enum SnapshotDamage: Sendable, Hashable, CustomStringConvertible {
  /// The bytes do not have the shape of a snapshot.
  case shape
  /// The reader box does not open: some byte of the file was changed.
  case seal
  /// The snapshot is genuine but belongs to another namespace or access group.
  case misplaced
  /// What was sealed is not a session record.
  case record

  /// A few words.
  package var description: String {
    switch self {
    case .shape: "not the shape of a snapshot"
    case .seal: "its seal is broken"
    case .misplaced: "it belongs to another namespace or access group"
    case .record: "no session record inside"
    }
  }
}
