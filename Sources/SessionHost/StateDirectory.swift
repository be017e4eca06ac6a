package import FileSupport
package import SecretMemory
package import SecureStore
import Synchronization

/// Where the host cannot begin; each with a sentence for the person.
package enum HostStartError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A directory or file cannot be used.
  case file(FileError)
  /// Another host has this directory.
  case alreadyRunning(directory: String)
  /// `HOME` is not set and neither is the directory's own variable.
  case noHome(variable: String)
  /// The store or its key cannot be used.
  case store(SecureStoreError)
  /// The runtime directory is there, but its snapshots cannot be written; the text says why.
  case snapshots(path: String, String)
  /// A later version wrote this entry of the store.
  case newerState(path: String, member: String)

  /// One sentence that names the thing and the mend.
  package var description: String {
    switch self {
    case .file(let error): error.description
    case .alreadyRunning(let directory):
      "\(directory): another tokenvault-host is running here; stop it, or give this one directories"
        + " of its own (TOKENVAULT_STATE_DIR, TOKENVAULT_KEY_DIR, TOKENVAULT_RUNTIME_DIR)"
    case .noHome(let variable): "neither \(variable) nor HOME is set; set one of them"
    case .store(let error): error.description
    case .snapshots(let path, let why): "\(path): snapshots cannot be written: \(why)"
    case .newerState(let path, let member):
      "\(path): written by a newer tokenvault-host (\(member)); update this one, or move the file"
        + " away and sign in again"
    }
  }
}

/// The host's private directory: its lock, the encrypted store and the keys that open it.
package final class StateDirectory: Sendable {
  /// The encrypted store.
  package let store: EncryptedStore
  /// The parents of state and keys that a group may write to, for a warning.
  package let groupWritableParents: [String]
  /// Where a store was put whose key is gone; nil in the ordinary way.
  package let setAside: String?
  private let lock: Mutex<FileLock?>
  private let master: MasterKey

  /// Opens the state, made if it is missing; one host at a time.
  ///
  /// - Parameters:
  ///   - directories: where state and keys are.
  ///   - machine: the machine's identifier (`machine-id(5)`), empty where there is none.
  /// - Throws: `HostStartError`.
  package init(
    directories: VaultDirectories, machine: [UInt8]
  ) throws(HostStartError) {
    guard let statePath = directories.state else {
      throw .noHome(variable: "TOKENVAULT_STATE_DIR")
    }
    guard let keysPath = directories.keys else { throw .noHome(variable: "TOKENVAULT_KEY_DIR") }
    let state = try startCall { () throws(FileError) in
      try Directory.create(path: statePath, policy: .ownerOnly)
    }
    let stateParents = try StateDirectory.checkedParents(of: statePath)
    lock = Mutex(try takeHostLock("host.lock", in: state))
    let keys = try startCall { () throws(FileError) in
      try Directory.create(path: keysPath, policy: .ownerOnly)
    }
    let keyParents = try StateDirectory.checkedParents(of: keysPath)
    groupWritableParents = stateParents + keyParents.filter { !stateParents.contains($0) }
    var setAside: String?
    do {
      master = try StateDirectory.masterKey(in: keys, machine, of: state, setAside: &setAside)
      self.setAside = setAside
      let directory = try fileCall { () throws(FileError) in
        try state.createDirectory(StateDirectory.storeName)
      }
      store = try EncryptedStore(directory: directory, key: master.subkey("TVstores"))
    } catch {
      switch error {
      // Another host with a state of its own makes the key that both share.
      case .file(.locked): throw .alreadyRunning(directory: keysPath)
      default: throw .store(error)
      }
    }
  }

  /// Lets another host have the state; this one must not write to it any more.
  func release() {
    lock.withLock { $0 = nil }
  }

  /// Derives a key for one use from the master key.
  ///
  /// - Parameter context: 8 ASCII characters, different for every use.
  /// - Returns: the key, 32 bytes.
  /// - Throws: `SecureStoreError`.
  package func subkey(_ context: StaticString) throws(SecureStoreError) -> SecretBytes {
    try master.subkey(context)
  }

  private static let storeName = "store"
  private static let keyLockName = "keys.lock"

  private static func masterKey(
    in keys: Directory, _ machine: [UInt8], of state: Directory, setAside: inout String?
  ) throws(SecureStoreError) -> MasterKey {
    if let key = try MasterKey.load(from: keys, machine: machine) { return key }
    // Hosts with different states may share the keys; only one of them may make the key.
    let lock = try fileCall { () throws(FileError) in try FileLock(keyLockName, in: keys) }
    defer { withExtendedLifetime(lock) {} }
    if let key = try MasterKey.load(from: keys, machine: machine) { return key }
    // A new key must never be made silently over a store that another key has sealed.
    setAside = try fileCall { () throws(FileError) in try setStoreAside(in: state) }
    return try MasterKey.create(in: keys, machine: machine)
  }

  private static func setStoreAside(in state: Directory) throws(FileError) -> String? {
    let names = try state.names()
    guard names.contains(storeName) else { return nil }
    var number = 1
    while names.contains("store.without-key-\(number)") { number += 1 }
    try state.renameFile(storeName, to: "store.without-key-\(number)")
    try state.synchronize()
    return "\(state.path)/store.without-key-\(number)"
  }

  private static func checkedParents(of path: String) throws(HostStartError) -> [String] {
    try startCall { () throws(FileError) in try ParentDirectories.check(above: path) }
  }
}

/// Takes the lock that makes this the only host of a directory.
func takeHostLock(_ name: String, in directory: Directory) throws(HostStartError) -> FileLock {
  do {
    return try FileLock(name, in: directory)
  } catch {
    if case .locked = error { throw .alreadyRunning(directory: directory.path) }
    throw .file(error)
  }
}

private func fileCall<Result: ~Copyable>(
  _ body: () throws(FileError) -> Result
) throws(SecureStoreError) -> Result {
  do { return try body() } catch { throw .file(error) }
}

/// Runs a call that throws `FileError` and wraps what it throws.
func startCall<Result: ~Copyable>(
  _ body: () throws(FileError) -> Result
) throws(HostStartError) -> Result {
  do {
    return try body()
  } catch {
    throw .file(error)
  }
}
