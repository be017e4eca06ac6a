package import FileSupport
package import SnapshotFormat

/// Why a snapshot or a key could not be stored or read back.
package enum SnapshotStoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A file or directory could not be used.
  case file(FileError)
  /// The draft cannot become a snapshot.
  case encoding(SnapshotEncodingError)
  /// A key file is there but is no key; it is never overwritten.
  case key(path: String, GroupKeyError)
  /// A snapshot is there but cannot be read back.
  case snapshot(path: String, SnapshotError)

  /// One sentence that names the thing and, where there is one, the mend.
  package var description: String {
    switch self {
    case .file(let error): error.description
    case .encoding(let error): error.description
    case .key(let path, let error):
      "\(path): \(error); move it away and start the host again to have a new one made"
    case .snapshot(let path, let error): "\(path): \(error)"
    }
  }
}

/// Runs file operations whose errors become the store's.
///
/// - Throws: `file`.
func reportingFileErrors<Result: ~Copyable>(
  _ body: () throws(FileError) -> Result
) throws(SnapshotStoreError) -> Result {
  do {
    return try body()
  } catch {
    throw .file(error)
  }
}

/// Runs an encoding whose errors become the store's.
///
/// - Throws: `encoding`.
func reportingEncodingErrors<Result>(
  _ body: () throws(SnapshotEncodingError) -> Result
) throws(SnapshotStoreError) -> Result {
  do {
    return try body()
  } catch {
    throw .encoding(error)
  }
}
