package import FileSupport
import SecretMemory

/// Why the store could not be read or written.
package enum SecureStoreError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A file could not be read or written.
  case file(FileError)
  /// An entry is damaged, or was not written by this store.
  case corrupt(path: String)
  /// An entry was sealed with another master key.
  case otherKey(path: String)
  /// The key file has a format that is not known.
  case keyFile(path: String)
  /// The key file was made on another machine.
  case otherMachine(path: String)
  /// No memory for a secret could be had.
  case memory

  /// One sentence that names the thing and, where there is one, the mend.
  package var description: String {
    switch self {
    case .file(let error): error.description
    case .corrupt(let path): "\(path): damaged; it is left as it is"
    case .otherKey(let path): "\(path): sealed with another master key; put that key back"
    case .keyFile(let path):
      "\(path): not a master key of TokenVault; put the right one back, or move this one away and"
        + " sign in again"
    case .otherMachine(let path):
      "\(path): made on another machine; move it away and sign in again here, as copied state is"
        + " of no use"
    case .memory: SecretMemoryError.outOfMemory.description
    }
  }
}
