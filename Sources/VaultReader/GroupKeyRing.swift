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
    let bytes: [UInt8]?
    do {
      bytes = try group.readFile(SnapshotLayout.key, sizeLimit: GroupKeyFile.length)
    } catch {
      if case .tooLarge = error { throw ReadFailure(GroupKeyError.damaged, path: path) }
      throw ReadFailure(error)
    }
    guard let bytes else { throw ReadFailure(missingKey: path) }
    do {
      return try GroupKey(file: bytes)
    } catch {
      throw ReadFailure(error, path: path)
    }
  }
}
