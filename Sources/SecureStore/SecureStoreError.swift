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
  /// The key is sealed, and what opens it was not given.
  case keyNeeded(path: String, KeyStorage)
  /// What was given does not open the key: another key, or another passphrase.
  case keyRefused(path: String, KeyStorage)
  /// The key file asks for more time or memory than a passphrase may cost.
  case keyTooCostly(path: String)
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
    case .keyNeeded(let path, let storage):
      "\(path): made with keyStorage = \"\(storage.word)\", so that it opens with nothing but that;"
        + " see the configuration"
    case .keyRefused(let path, .passphrase): "\(path): the passphrase is not the right one"
    case .keyRefused(let path, let storage):
      "\(path): the \(storage.word) gave another key than the one that opens it; put that one back,"
        + " or move this file away and sign in again"
    case .keyTooCostly(let path):
      "\(path): asks for more memory or time than a passphrase may cost, so somebody has changed it;"
        + " put the right one back, or move it away and sign in again"
    case .memory: SecretMemoryError.outOfMemory.description
    }
  }
}
