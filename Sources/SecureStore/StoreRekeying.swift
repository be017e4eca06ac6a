package import FileSupport
package import SecretMemory
package import SessionModel

/// Gives a store another master key, kept elsewhere, so that a kill at any moment leaves a key and
/// a store that fit together.
///
/// The new store is complete before its key comes into force by one rename; a start afterwards
/// finds by the new store's check whether that had happened.
package enum StoreRekeying {
  /// What is done one after another; for tests, which end the work behind each.
  package enum Step: Sendable, Hashable, CaseIterable {
    /// The new key is written beside the old one.
    case keyWritten
    /// The entries are sealed anew beside the old ones.
    case entriesCopied
    /// The new store is marked as complete.
    case marked
    /// The new key is in force.
    case keyReplaced
    /// The old store is out of the way.
    case formerMoved
    /// The new store is in its place.
    case promoted
  }

  /// The store's name in the state directory.
  package static let storeName = "store"
  private static let nextName = "store.next"
  private static let formerName = "store.former"
  private static let nextKeyName = "master.key.next"

  /// Carries it out.
  ///
  /// The caller holds the locks of the state and of the keys.
  /// - Parameters:
  ///   - state: the state directory.
  ///   - keys: the directory of the key file.
  ///   - store: the store as it is.
  ///   - carried: the keys that stay what they are, by their names.
  ///   - machine: the machine's identifier.
  ///   - protection: how the new key is kept.
  ///   - step: called behind each step; what it throws ends the work there.
  /// - Throws: `SecureStoreError`; nothing is lost by it.
  package static func run(
    state: Directory, keys: Directory, store: EncryptedStore,
    carried: [(name: Namespace, key: SharedSecret)], machine: [UInt8], protection: KeyProtection,
    step: (Step) throws(SecureStoreError) -> Void = { _ in }
  ) throws(SecureStoreError) {
    try fileCall { () throws(FileError) in
      try keys.removeFile(nextKeyName)
      try removeTree(nextName, in: state)
    }
    let master = try MasterKey.create(
      in: keys, machine: machine, protection: protection, named: nextKeyName)
    try step(.keyWritten)
    let directory = try fileCall { () throws(FileError) in try state.createDirectory(nextName) }
    let next = try EncryptedStore(directory: directory, key: master.subkey("TVstores"))
    try store.copy(to: next)
    for (name, key) in carried { try next.set(key.bytes.copiedBytes(), .key, name) }
    try step(.entriesCopied)
    try next.mark()
    try fileCall { () throws(FileError) in
      try directory.synchronize()
      try state.synchronize()
    }
    try step(.marked)
    try fileCall { () throws(FileError) in
      try keys.renameFile(nextKeyName, to: MasterKey.fileName)
    }
    try step(.keyReplaced)
    try fileCall { () throws(FileError) in try keys.synchronize() }
    try promote(in: state, step)
  }

  /// Ends what a killed host had begun, one way or the other.
  ///
  /// The caller holds the lock of the state.
  /// - Parameters:
  ///   - state: the state directory.
  ///   - keys: the directory of the key file.
  ///   - master: the key that is in force.
  /// - Throws: `SecureStoreError`.
  package static func settle(
    state: Directory, keys: Directory, master: borrowing MasterKey
  ) throws(SecureStoreError) {
    let names = try fileCall { () throws(FileError) in try state.names() }
    if names.contains(nextName) {
      let directory = try fileCall { () throws(FileError) in try state.openDirectory(nextName) }
      if try EncryptedStore.isMarked(directory, by: master.subkey("TVstores")) {
        // Whoever was killed may have left it at the rename: the former store goes only once the
        // former key cannot come back.
        try fileCall { () throws(FileError) in try keys.synchronize() }
        try promote(in: state)
      } else {
        try fileCall { () throws(FileError) in try removeTree(nextName, in: state) }
      }
    } else if names.contains(formerName), names.contains(storeName) {
      try fileCall { () throws(FileError) in try removeTree(formerName, in: state) }
    }
    try fileCall { () throws(FileError) in try removeUnusedKeys(in: keys) }
  }

  /// Removes what a killed change of the key, or a killed first start, left beside the key.
  private static func removeUnusedKeys(in keys: Directory) throws(FileError) {
    let isLeft = try keys.names().contains {
      $0 == nextKeyName || Directory.isTemporary($0)
    }
    guard isLeft else { return }
    do {
      let lock = try FileLock(MasterKey.lockName, in: keys)
      defer { withExtendedLifetime(lock) {} }
      try keys.removeFile(nextKeyName)
      try keys.sweepTemporaryFiles()
    } catch {
      // Another host that shares the keys is at work with them.
      if case .locked = error { return }
      throw error
    }
  }

  /// Puts a store aside whose key is gone, with what a killed host had left beside it.
  ///
  /// - Parameter state: the state directory.
  /// - Returns: where it is now; nil when there is no store.
  /// - Throws: `FileError`.
  package static func setAside(in state: Directory) throws(FileError) -> String? {
    var last: String?
    for name in [formerName, nextName, storeName] {
      let names = try state.names()
      guard names.contains(name) else { continue }
      var number = 1
      while names.contains("store.without-key-\(number)") { number += 1 }
      try state.renameFile(name, to: "store.without-key-\(number)")
      last = "\(state.path)/store.without-key-\(number)"
    }
    if last != nil { try state.synchronize() }
    return last
  }

  private static func promote(
    in state: Directory, _ step: (Step) throws(SecureStoreError) -> Void = { _ in }
  ) throws(SecureStoreError) {
    try fileCall { () throws(FileError) in
      if try state.names().contains(storeName) {
        try removeTree(formerName, in: state)
        try state.renameFile(storeName, to: formerName)
      }
    }
    try step(.formerMoved)
    try fileCall { () throws(FileError) in
      try state.renameFile(nextName, to: storeName)
      try state.synchronize()
    }
    try step(.promoted)
    try fileCall { () throws(FileError) in try removeTree(formerName, in: state) }
  }

  private static func removeTree(_ name: String, in parent: Directory) throws(FileError) {
    guard try parent.names().contains(name) else { return }
    let directory = try parent.openDirectory(name)
    for entry in try directory.names() {
      if EncryptedStore.Kind(rawValue: entry) != nil {
        let home = try directory.openDirectory(entry)
        for file in try home.names() { try home.removeFile(file) }
        try directory.removeDirectory(entry)
      } else {
        try directory.removeFile(entry)
      }
    }
    try parent.removeDirectory(name)
  }
}
