import FileSupport
import SnapshotFormat
import Synchronization

/// The access group's key as it was last read; read again when a snapshot names another one.
final class GroupKeyRing: Sendable {
  private let held = Mutex<GroupKey?>(nil)

  /// Returns the key that a snapshot names.
  ///
  /// The host writes a new key before the first snapshot that needs it, so one more look is enough.
  /// - Parameters:
  ///   - identifier: the name that the snapshot gives.
  ///   - group: the access group's directory.
  /// - Returns: the key in the file; where it has another name, the snapshot says that it does not
  ///   fit.
  /// - Throws: `ReadFailure` when the key file cannot be read.
  func key(
    named identifier: KeyIdentifier, in group: Directory
  ) throws(ReadFailure) -> GroupKey {
    if let key = held.withLock({ $0 }), key.identifier == identifier { return key }
    let key = try load(from: group)
    held.withLock { $0 = key }
    return key
  }

  private func load(from group: Directory) throws(ReadFailure) -> GroupKey {
    let path = group.path + "/" + SnapshotLayout.key
    var bytes = try read(path, from: group)
    do {
      return try GroupKey(wiping: &bytes)
    } catch {
      throw ReadFailure(error, path: path)
    }
  }

  private func read(_ path: String, from group: Directory) throws(ReadFailure) -> [UInt8] {
    do {
      if let file = try group.openFile(SnapshotLayout.key, sizeLimit: GroupKeyFile.length) {
        return try file.read()
      }
    } catch {
      if case .tooLarge = error { throw ReadFailure(GroupKeyError.damaged, path: path) }
      throw ReadFailure(error)
    }
    throw ReadFailure(missingKey: path)
  }
}
