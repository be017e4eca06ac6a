package import FileSupport
package import SecureStore
import Synchronization

/// The host's private directories: their lock and the key file, whether or not anything is open.
package final class StateHome: Sendable {
  let state: Directory
  let keys: Directory
  /// The parents of state and keys that a group may write to, for a warning.
  package let groupWritableParents: [String]
  let machine: [UInt8]
  private let lock: Mutex<FileLock?>

  /// Opens the directories, made if they are missing; one host at a time.
  ///
  /// - Parameters:
  ///   - directories: where state and keys are.
  ///   - machine: the machine's identifier (`machine-id(5)`), empty where there is none.
  /// - Throws: `HostStartError`.
  package init(directories: VaultDirectories, machine: [UInt8]) throws(HostStartError) {
    guard let statePath = directories.state else {
      throw .noHome(variable: "TOKENVAULT_STATE_DIR")
    }
    guard let keysPath = directories.keys else { throw .noHome(variable: "TOKENVAULT_KEY_DIR") }
    state = try startCall { () throws(FileError) in
      try Directory.create(path: statePath, policy: .ownerOnly)
    }
    let stateParents = try StateHome.checkedParents(of: statePath)
    lock = Mutex(try takeHostLock(HostService.lockName, in: state))
    keys = try startCall { () throws(FileError) in
      try Directory.create(path: keysPath, policy: .ownerOnly)
    }
    let keyParents = try StateHome.checkedParents(of: keysPath)
    groupWritableParents = stateParents + keyParents.filter { !stateParents.contains($0) }
    self.machine = machine
    BackupMark.write(in: keys)
  }

  /// Lets another host have the state; this one must not write to it any more.
  package func release() {
    lock.withLock { $0 = nil }
  }

  /// The path of the key file.
  package var keyPath: String { keys.path + "/" + MasterKey.fileName }

  /// Where what opens the key is kept now.
  ///
  /// - Returns: nil when there is no key yet.
  /// - Throws: `HostStartError`.
  package func keyStorage() throws(HostStartError) -> KeyStorage? {
    do {
      return try MasterKey.storage(in: keys)
    } catch {
      throw .store(error)
    }
  }

  /// Opens the store's directory, made if it is missing; it needs no key.
  func storeDirectory() throws(FileError) -> Directory {
    try state.createDirectory(StoreRekeying.storeName)
  }

  /// Whether there is a store, with or without a key.
  package func hasStore() throws(HostStartError) -> Bool {
    try startCall { () throws(FileError) in try state.names() }
      .contains(StoreRekeying.storeName)
  }

  private static func checkedParents(of path: String) throws(HostStartError) -> [String] {
    try startCall { () throws(FileError) in try ParentDirectories.check(above: path) }
  }
}

/// Marks a directory so that backup programs skip it (`CACHEDIR.TAG`; tar, restic, borg, rsnapshot).
private enum BackupMark {
  static func write(in directory: Directory) {
    let name = "CACHEDIR.TAG"
    // Whoever took it away, or cannot be written for, keeps the key in the backup: no harm to the host.
    guard (try? directory.names().contains(name)) == false else { return }
    let text = """
      Signature: 8a477f597d28d172789f06886806bc55
      # The key of TokenVault's state: a backup that holds both opens the sessions.

      """
    try? directory.replaceFile(name, with: Array(text.utf8), durability: .volatile)
  }
}
