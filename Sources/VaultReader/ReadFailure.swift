import FileSupport
import SessionModel
import SnapshotFormat

/// Why a snapshot that is there could not be read: a state, and the sentence that explains it.
struct ReadFailure: Error, Sendable, Hashable {
  /// What a person does about it.
  enum Mend: Sendable, Hashable {
    /// What the sentence says, if anything.
    case inDetail
    /// Have the host publish once more.
    case publication
    /// Move the key file away, which the host never overwrites, and have the host publish.
    case movingKeyAway
  }

  /// One of the error states.
  let state: SessionState
  /// What is wrong with which file, with its mend where there is one.
  let detail: String
  /// What a person does about it.
  let mend: Mend
  /// Whether the snapshot's own bytes are at fault, which will say the same for as long as they stay.
  let isOfBytes: Bool

  /// A failure of the file system, or a file that must not be trusted.
  init(_ error: FileError) {
    detail = error.description
    isOfBytes = false
    switch error.nature {
    case .denied:
      state = .permission
      mend = .inDetail
    case .damaged:
      state = .corrupt
      mend = .publication
    case .failed(let number):
      state = .storage(errno: number.rawValue)
      mend = .inDetail
    }
  }

  /// A file that is no snapshot, or none that can be opened.
  init(_ error: SnapshotError, path: String) {
    state = error.sessionState
    detail = "\(path): \(error)"
    mend = state == .unsupportedVersion ? .inDetail : .publication
    isOfBytes = state != .keyUnavailable
  }

  /// A key file that holds no key.
  init(_ error: GroupKeyError, path: String) {
    state = .keyUnavailable
    detail = "\(path): \(error)"
    mend = error == .damaged ? .movingKeyAway : .inDetail
    isOfBytes = false
  }

  /// A key file that is not there.
  init(missingKey path: String) {
    state = .keyUnavailable
    detail = "\(path): the access group's key is not there"
    mend = .publication
    isOfBytes = false
  }
}
