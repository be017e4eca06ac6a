package import FileSupport
import SecureStore
package import SessionModel

/// The host's private directory while its store cannot be opened, as when its key is gone.
package enum UnopenedState {
  /// Erases everything that this machine has of a namespace.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - directories: where state and runtime files are.
  ///   - log: where problems are reported.
  /// - Returns: whether there was anything.
  /// - Throws: `HostStartError`.
  package static func forget(
    _ namespace: Namespace, directories: VaultDirectories, log: HostLog
  ) throws(HostStartError) -> Bool {
    guard let statePath = directories.state else {
      throw .noHome(variable: "TOKENVAULT_STATE_DIR")
    }
    let state = try startCall { () throws(FileError) in
      try Directory.create(path: statePath, policy: .ownerOnly)
    }
    let lock = try takeHostLock(HostService.lockName, in: state)
    defer { withExtendedLifetime(lock) {} }
    let runtime = try RuntimePresence(directories: directories, log: log)
    defer { runtime.release() }
    let isPublished = try runtime.removeSnapshots(of: namespace)
    let isStored = try startCall { () throws(FileError) in
      try EncryptedStore.forget(
        namespace, in: state.createDirectory(StoreRekeying.storeName))
    }
    return isStored || isPublished
  }
}
