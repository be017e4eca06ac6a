import FileSupport
import SecretMemory
import SessionModel

extension EncryptedStore {
  private static let markName = "complete"

  /// Seals every entry anew in another store; what was set aside is copied as it is.
  ///
  /// - Throws: `SecureStoreError`, also for an entry that cannot be opened.
  func copy(to other: EncryptedStore) throws(SecureStoreError) {
    for kind in Kind.allCases {
      for namespace in try namespaces(kind) {
        guard let value = try get(kind, namespace) else { continue }
        try other.set(value.copiedBytes(), kind, namespace)
      }
      try copyWhatIsAside(kind, to: other)
    }
  }

  /// Says durably that the store has all of its entries.
  ///
  /// - Throws: `SecureStoreError`.
  func mark() throws(SecureStoreError) {
    let sealed: [UInt8]
    do {
      sealed = try SealedEntry.seal([1], name: Self.markName, key: key)
    } catch {
      throw .memory
    }
    try fileCall { () throws(FileError) in
      try directory.replaceFile(Self.markName, with: sealed, durability: .durable)
    }
  }

  /// Whether the store in a directory has all of its entries and a key opens it.
  ///
  /// - Throws: `SecureStoreError` when that cannot be told.
  static func isMarked(
    _ directory: Directory, by key: consuming SecretBytes
  ) throws(SecureStoreError) -> Bool {
    let bytes = try fileCall { () throws(FileError) in
      try directory.readFile(markName, sizeLimit: 256)
    }
    guard let bytes else { return false }
    do {
      _ = try SealedEntry.open(bytes, name: markName, key: key)
      return true
    } catch {
      if case .memory = error { throw .memory }
      return false
    }
  }

  private func copyWhatIsAside(
    _ kind: Kind, to other: EncryptedStore
  ) throws(SecureStoreError) {
    try fileCall { () throws(FileError) in
      let (home, otherHome) = (
        try directory.createDirectory(kind.rawValue),
        try other.directory.createDirectory(kind.rawValue)
      )
      for name in try home.names() where name.hasPrefix(".") && !Directory.isTemporary(name) {
        guard let bytes = try home.readFile(name, sizeLimit: SealedEntry.sizeLimit) else {
          continue
        }
        try otherHome.replaceFile(name, with: bytes, durability: .durable)
      }
    }
  }
}
