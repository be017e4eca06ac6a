package import FileSupport
package import SecretMemory
package import SecureStore

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

  /// One sentence that names the thing and the mend.
  package var description: String {
    switch self {
    case .file(let error): error.description
    case .alreadyRunning(let directory):
      "\(directory): another tokenvault-host is running here; stop it, or give this one directories"
        + " of its own (TOKENVAULT_STATE_DIR, TOKENVAULT_RUNTIME_DIR)"
    case .noHome(let variable): "neither \(variable) nor HOME is set; set one of them"
    case .store(let error): error.description
    }
  }
}

/// The host's private directory: its lock, the encrypted store and the keys that open it.
package final class StateDirectory: Sendable {
  /// The encrypted store.
  package let store: EncryptedStore
  /// The parents that a group may write to, for a warning.
  package let groupWritableParents: [String]
  /// Where a store was put whose key is gone; nil in the ordinary way.
  package let setAside: String?
  private let lock: FileLock
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
    groupWritableParents = try startCall { () throws(FileError) in
      try ParentDirectories.check(above: statePath)
    }
    lock = try takeHostLock("host.lock", in: state)
    let keys = try startCall { () throws(FileError) in
      try Directory.create(path: keysPath, policy: .ownerOnly)
    }
    do {
      var setAside: String?
      if let key = try MasterKey.load(from: keys, machine: machine) {
        master = key
      } else {
        // A new key must never be made silently over a store that another key has sealed.
        setAside = try StateDirectory.setStoreAside(in: state)
        master = try MasterKey.create(in: keys, machine: machine)
      }
      self.setAside = setAside
      let directory = try StateDirectory.storeDirectory(in: state)
      store = try EncryptedStore(directory: directory, key: master.subkey("TVstores"))
    } catch {
      throw .store(error)
    }
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

  private static func storeDirectory(
    in state: Directory
  ) throws(SecureStoreError) -> Directory {
    do {
      return try state.createDirectory(storeName)
    } catch {
      throw .file(error)
    }
  }

  private static func setStoreAside(in state: Directory) throws(SecureStoreError) -> String? {
    do {
      let names = try state.names()
      guard names.contains(storeName) else { return nil }
      var number = 1
      while names.contains("store.without-key-\(number)") { number += 1 }
      try state.renameFile(storeName, to: "store.without-key-\(number)")
      try state.synchronize()
      return "\(state.path)/store.without-key-\(number)"
    } catch {
      throw .file(error)
    }
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
