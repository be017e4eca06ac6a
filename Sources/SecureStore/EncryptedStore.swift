package import FileSupport
package import SecretMemory
package import SessionModel

/// The host's encrypted key-value store: one durable file an entry, replaced atomically.
package final class EncryptedStore: Sendable {
  /// What an entry is about; each kind has a directory of its own.
  package enum Kind: String, Sendable, CaseIterable {
    /// The canonical session of a namespace.
    case session
    /// A sign-in that is under way.
    case transaction
    /// A key that stays what it was when the master key changes, by its use.
    case key
  }

  let directory: Directory
  let key: SecretBytes

  /// Opens the store in a directory, whose lock the caller holds.
  ///
  /// Temporary files of killed writers are swept.
  /// - Parameters:
  ///   - directory: the store's directory.
  ///   - key: 32 bytes, derived from the master key.
  /// - Throws: `SecureStoreError`.
  package init(
    directory: Directory, key: consuming SecretBytes
  ) throws(SecureStoreError) {
    self.directory = directory
    self.key = key
    for kind in Kind.allCases {
      try fileCall { () throws(FileError) in
        try directory.createDirectory(kind.rawValue).sweepTemporaryFiles()
      }
    }
  }

  /// Reads an entry.
  ///
  /// - Returns: its value; nil when there is none.
  /// - Throws: `SecureStoreError`; the file is left as it is whatever happens.
  package func get(
    _ kind: Kind, _ namespace: Namespace
  ) throws(SecureStoreError) -> SecretBytes? {
    let home = try home(of: kind)
    let path = home.path + "/" + namespace.name
    let bytes: [UInt8]?
    do {
      bytes = try home.readFile(namespace.name, sizeLimit: SealedEntry.sizeLimit)
    } catch {
      if case .tooLarge = error { throw .corrupt(path: path) }
      throw .file(error)
    }
    guard let bytes else { return nil }
    do {
      return try SealedEntry.open(bytes, name: entryName(kind, namespace), key: key)
    } catch {
      switch error {
      case .corrupt: throw .corrupt(path: path)
      case .otherKey: throw .otherKey(path: path)
      case .memory: throw .memory
      }
    }
  }

  /// Writes an entry; when this returns, it survives a power loss.
  ///
  /// - Throws: `SecureStoreError`; the old value stays when it does.
  package func set(
    _ value: [UInt8], _ kind: Kind, _ namespace: Namespace
  ) throws(SecureStoreError) {
    let home = try home(of: kind)
    let sealed: [UInt8]
    do {
      sealed = try SealedEntry.seal(value, name: entryName(kind, namespace), key: key)
    } catch {
      throw .memory
    }
    try fileCall { () throws(FileError) in
      // What could be written but not read back would be lost at the next start.
      guard sealed.count <= SealedEntry.sizeLimit else {
        throw .tooLarge(path: path(kind, namespace), limit: SealedEntry.sizeLimit)
      }
      try home.replaceFile(namespace.name, with: sealed, durability: .durable)
    }
  }

  /// Removes an entry durably; nothing happens when there is none.
  ///
  /// - Throws: `SecureStoreError`.
  package func remove(_ kind: Kind, _ namespace: Namespace) throws(SecureStoreError) {
    let home = try home(of: kind)
    try fileCall { () throws(FileError) in
      try home.removeFile(namespace.name)
      try home.synchronize()
    }
  }

  /// Removes every entry of a namespace durably, and what was set aside of it, readable or not.
  ///
  /// - Returns: whether there was anything.
  /// - Throws: `SecureStoreError`.
  package func forget(_ namespace: Namespace) throws(SecureStoreError) -> Bool {
    try fileCall { () throws(FileError) in
      try EncryptedStore.forget(namespace, in: directory)
    }
  }

  /// Does without a key what `forget` does.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - directory: the store's directory, whose lock the caller holds.
  /// - Returns: whether there was anything.
  /// - Throws: `FileError`.
  package static func forget(
    _ namespace: Namespace, in directory: Directory
  ) throws(FileError) -> Bool {
    var isFound = false
    for kind in [Kind.session, .transaction] {
      let home = try directory.createDirectory(kind.rawValue)
      for name in try home.names()
      where name.utf8.elementsEqual(namespace.name.utf8)
        || name.hasPrefix(EncryptedStore.setAsidePrefix(of: namespace))
      {
        try home.removeFile(name)
        isFound = true
      }
      try home.synchronize()
    }
    return isFound
  }

  /// Lists the namespaces that have an entry, sorted by their bytes.
  ///
  /// - Throws: `SecureStoreError`.
  package func namespaces(_ kind: Kind) throws(SecureStoreError) -> [Namespace] {
    let home = try home(of: kind)
    return try fileCall { () throws(FileError) in try home.names() }.compactMap { name in
      Namespace(name)  // What was set aside begins with a dot and is no namespace.
    }
  }

  /// Puts a damaged entry aside under a name that is never read again, so that nothing is lost.
  ///
  /// - Returns: the path that it has now.
  /// - Throws: `SecureStoreError`.
  package func setAside(_ kind: Kind, _ namespace: Namespace) throws(SecureStoreError) -> String {
    let home = try home(of: kind)
    return try fileCall { () throws(FileError) in
      let taken = try home.names()
      var number = 1
      let prefix = EncryptedStore.setAsidePrefix(of: namespace)
      while taken.contains(prefix + "\(number)") { number += 1 }
      try home.renameFile(namespace.name, to: prefix + "\(number)")
      try home.synchronize()
      return home.path + "/" + prefix + "\(number)"
    }
  }

  /// The path of an entry's file, for messages.
  package func path(_ kind: Kind, _ namespace: Namespace) -> String {
    "\(directory.path)/\(kind.rawValue)/\(namespace.name)"
  }

  private static func setAsidePrefix(of namespace: Namespace) -> String {
    ".\(namespace.name).corrupt-"
  }

  // Opened anew for each use: a store that was replaced or unmounted shows as an error at once.
  private func home(of kind: Kind) throws(SecureStoreError) -> Directory {
    try fileCall { () throws(FileError) in try directory.createDirectory(kind.rawValue) }
  }

  private func entryName(_ kind: Kind, _ namespace: Namespace) -> String {
    kind.rawValue + "/" + namespace.name
  }
}
