package import SecretMemory
import SnapshotFormat

/// Why a draft cannot become a snapshot.
package enum SnapshotEncodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A token is longer than the format allows; which one is named.
  case tokenTooLong(String)
  /// The whole is longer than the format allows.
  case snapshotTooLong
  /// A member of the record is empty or a time negative; which one is named.
  case invalidMember(String)
  /// The generation is 0.
  case generationZero
  /// The reason is no word of 1 to 64 bytes.
  case invalidReason
  /// The cipher or its memory failed.
  case cipher(SecretMemoryError)

  /// One sentence, without any token.
  package var description: String {
    switch self {
    case .tokenTooLong(let name):
      "the \(name) is longer than \(SnapshotLimits.tokenLength) bytes and can't be published"
    case .snapshotTooLong:
      "the session is longer than \(SnapshotLimits.fileLength) bytes and can't be published"
    case .invalidMember(let name): "the session's \(name) has no valid value"
    case .generationZero: "a snapshot can't have the generation 0"
    case .invalidReason:
      "the reason for a new sign-in is no word of 1 to \(SnapshotLimits.reasonLength) bytes"
    case .cipher(let error): error.description
    }
  }
}
