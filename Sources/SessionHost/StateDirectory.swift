package import FileSupport
package import SecretMemory
package import SecureStore
import SessionModel

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
  /// The key is kept in another way than the configuration says.
  case otherKeyStorage(path: String, kept: KeyStorage, configured: KeyStorage)
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
    case .otherKeyStorage(let path, let kept, let configured):
      "\(path): made with keyStorage = \"\(kept.word)\", and the configuration says"
        + " \"\(configured.word)\"; to change it, run: tokenvault-host rekey"
    case .newerState(let path, let member):
      "\(path): written by a newer tokenvault-host (\(member)); update this one, or move the file"
        + " away and sign in again"
    }
  }
}

/// The host's state as long as its key is there: the encrypted store and the keys of other uses.
package final class StateDirectory: Sendable {
  /// The encrypted store.
  package let store: EncryptedStore
  /// Where a store was put whose key is gone; nil in the ordinary way.
  package let setAside: String?
  private let home: StateHome
  private let master: MasterKey

  /// Opens the state with the key file alone.
  ///
  /// - Parameters:
  ///   - directories: where state and keys are.
  ///   - machine: the machine's identifier (`machine-id(5)`), empty where there is none.
  /// - Throws: `HostStartError`.
  package convenience init(
    directories: VaultDirectories, machine: [UInt8]
  ) throws(HostStartError) {
    try self.init(in: StateHome(directories: directories, machine: machine), protection: .file)
  }

  /// Opens the state; what a killed change of the key left is settled, and a key that never was
  /// there is made.
  ///
  /// With a passphrase it blocks for about a second.
  /// - Parameters:
  ///   - home: the directories.
  ///   - protection: how the key is kept, with what opens it.
  /// - Throws: `HostStartError`.
  package init(in home: StateHome, protection: KeyProtection) throws(HostStartError) {
    self.home = home
    var setAside: String?
    do {
      master = try StateDirectory.masterKey(of: home, protection, setAside: &setAside)
      self.setAside = setAside
      try StoreRekeying.settle(state: home.state, keys: home.keys, master: master)
      let directory = try fileCall { () throws(FileError) in
        try home.state.createDirectory(StoreRekeying.storeName)
      }
      store = try EncryptedStore(directory: directory, key: master.subkey("TVstores"))
    } catch {
      throw StateDirectory.startError(error, home)
    }
  }

  /// The parents of state and keys that a group may write to, for a warning.
  package var groupWritableParents: [String] { home.groupWritableParents }

  /// Lets another host have the state; this one must not write to it any more.
  func release() {
    home.release()
  }

  /// Derives a key for one use from the master key.
  ///
  /// What has to stay the same is kept over a change of the master key.
  /// - Parameter context: 8 ASCII characters, different for every use.
  /// - Returns: the key, 32 bytes.
  /// - Throws: `SecureStoreError`.
  package func subkey(_ context: StaticString) throws(SecureStoreError) -> SecretBytes {
    if StateDirectory.carried.contains("\(context)"), let name = Namespace("\(context)"),
      let key = try store.get(.key, name)
    {
      return key
    }
    return try master.subkey(context)
  }

  /// Gives the state another master key, kept in another way; this object must not be used after.
  ///
  /// - Parameters:
  ///   - protection: how the new key is kept.
  ///   - step: called behind each step; what it throws ends the work there.
  /// - Throws: `HostStartError`; nothing is lost by it.
  package func rekey(
    _ protection: KeyProtection,
    step: (StoreRekeying.Step) throws(SecureStoreError) -> Void = { _ in }
  ) throws(HostStartError) {
    do {
      let lock = try fileCall { () throws(FileError) in
        try FileLock(MasterKey.lockName, in: home.keys)
      }
      defer { withExtendedLifetime(lock) {} }
      try StoreRekeying.run(
        state: home.state, keys: home.keys, store: store,
        carried: [
          try carriedKey("TVfprmas"), try carriedKey("TVlatchk"),
        ].compactMap(\.self), machine: home.machine, protection: protection, step: step)
    } catch {
      throw StateDirectory.startError(error, home)
    }
  }

  // Accounts would seem to have changed, and tokens that are spent would not be known any more.
  private static let carried = ["TVfprmas", "TVlatchk"]

  private func carriedKey(
    _ context: StaticString
  ) throws(SecureStoreError) -> (name: Namespace, key: SharedSecret)? {
    guard let name = Namespace("\(context)") else { return nil }
    return (name, SharedSecret(try subkey(context)))
  }

  private static func startError(_ error: SecureStoreError, _ home: StateHome) -> HostStartError {
    // Another host with a state of its own makes the key that both share.
    if case .file(.locked) = error { return .alreadyRunning(directory: home.keys.path) }
    return .store(error)
  }

  private static func masterKey(
    of home: StateHome, _ protection: KeyProtection, setAside: inout String?
  ) throws(SecureStoreError) -> MasterKey {
    let (keys, machine) = (home.keys, home.machine)
    if let key = try MasterKey.load(from: keys, machine: machine, secret: protection.secret) {
      return key
    }
    // Hosts with different states may share the keys; only one of them may make the key.
    let lock = try fileCall { () throws(FileError) in try FileLock(MasterKey.lockName, in: keys) }
    defer { withExtendedLifetime(lock) {} }
    if let key = try MasterKey.load(from: keys, machine: machine, secret: protection.secret) {
      return key
    }
    // A new key must never be made silently over a store that another key has sealed.
    setAside = try fileCall { () throws(FileError) in try StoreRekeying.setAside(in: home.state) }
    return try MasterKey.create(in: keys, machine: machine, protection: protection)
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
