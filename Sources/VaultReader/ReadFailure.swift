import FileSupport
import SessionModel
import SnapshotFormat

/// Why a snapshot that is there could not be read: a state, and the sentence that explains it.
struct ReadFailure: Error, Sendable, Hashable {
  /// One of the error states.
  let state: SessionState
  /// What is wrong with which file, with its mend where there is one.
  let detail: String

  /// A failure of the file system, or a file that must not be trusted.
  init(_ error: FileError) {
    detail = error.description
    state =
      switch error.nature {
      case .denied: .permission
      case .damaged: .corrupt
      case .failed(let number): .storage(errno: number.rawValue)
      }
  }

  /// A file that is no snapshot, or none that can be opened.
  init(_ error: SnapshotError, path: String) {
    state = error.sessionState
    detail = "\(path): \(error)"
  }

  /// A key file that holds no key.
  init(_ error: GroupKeyError, path: String) {
    state = .keyUnavailable
    detail = "\(path): \(error)"
  }

  /// A key file that is not there.
  init(missingKey path: String) {
    state = .keyUnavailable
    detail = "\(path): the access group's key is not there"
  }
}
