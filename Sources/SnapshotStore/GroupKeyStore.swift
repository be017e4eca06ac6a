import FileSupport
import Glibc
import SecretMemory
import SnapshotFormat

/// An access group's directory with its key: made once, never overwritten, made again when lost.
struct GroupKeyStore: Sendable {
  /// The group's directory.
  let directory: Directory
  /// The group's key.
  let key: GroupKey
  private let file: KeyFile

  /// Opens the key in a group's directory; a missing one is made before this returns.
  ///
  /// - Parameters:
  ///   - directory: the group's directory.
  ///   - held: the key that a lost file had, which is then written again.
  /// - Throws: `SnapshotStoreError`; `key` for a bad file, which stays as it is.
  init(in directory: Directory, held: GroupKey?) throws(SnapshotStoreError) {
    self.directory = directory
    if let file = try KeyFile(in: directory) {
      self.file = file
      key = try file.key()
      return
    }
    if let held { key = held } else { key = try GroupKeyStore.newKey() }
    try GroupKeyStore.write(key, in: directory)
    guard let file = try KeyFile(in: directory) else {
      let path = directory.path + "/" + SnapshotLayout.key
      throw .file(.system(call: "open", path: path, Errno(rawValue: ENOENT)))
    }
    self.file = file
  }

  /// Makes sure that readers find the key of the next snapshot: written again if it is gone, read
  /// again if it is another file.
  ///
  /// - Throws: `SnapshotStoreError`.
  mutating func refresh() throws(SnapshotStoreError) {
    guard !file.isInPlace(in: directory) else { return }
    self = try GroupKeyStore(in: directory, held: key)
  }

  /// Reads the key in a group's directory.
  ///
  /// - Returns: nil when there is none.
  /// - Throws: `SnapshotStoreError`.
  static func existingKey(in directory: Directory) throws(SnapshotStoreError) -> GroupKey? {
    try KeyFile(in: directory)?.key()
  }

  private static func newKey() throws(SnapshotStoreError) -> GroupKey {
    do {
      return try GroupKey(try SecretBytes(randomCount: AuthenticatedCipher.keyLength))
    } catch {
      throw .encoding(.cipher(error))
    }
  }

  // Durable, unlike snapshots: where the runtime directory is on a disk, a key file that a power
  // loss left empty would look like a damaged one.
  private static func write(
    _ key: GroupKey, in directory: Directory
  ) throws(SnapshotStoreError) {
    var bytes = key.fileBytes
    defer { wipe(&bytes) }
    try reportingFileErrors { () throws(FileError) in
      try directory.replaceFile(
        SnapshotLayout.key, with: bytes, durability: .durable,
        mode: directory.policy.fileMode)
    }
  }
}

/// A key file, held open so that its inode's number is not given to another file meanwhile.
private final class KeyFile: Sendable {
  private let file: OpenFile
  private let path: String

  /// Opens the key file of a group; nil when there is none.
  init?(in directory: Directory) throws(SnapshotStoreError) {
    let opened = try reportingFileErrors { () throws(FileError) in
      try directory.openFile(SnapshotLayout.key, sizeLimit: SnapshotLimits.fileLength)
    }
    guard let opened else { return nil }
    file = opened
    path = directory.path + "/" + SnapshotLayout.key
  }

  /// Reads the key; to be called once.
  ///
  /// - Throws: `SnapshotStoreError`.
  func key() throws(SnapshotStoreError) -> GroupKey {
    var bytes = try reportingFileErrors { () throws(FileError) in try file.read() }
    do {
      return try GroupKey(wiping: &bytes)
    } catch {
      throw .key(path: path, error)
    }
  }

  /// Whether the name still leads to this file, and nobody has written to it or changed its mode.
  func isInPlace(in directory: Directory) -> Bool {
    let present = try? FileStatus(of: SnapshotLayout.key, in: directory.rawDescriptor)
    return present == file.status
  }
}

extension GroupKey {
  /// The key's file, in one piece of memory that whoever asks for it has to wipe.
  package var fileBytes: [UInt8] {
    var writer = ByteWriter(capacity: GroupKeyFile.length)
    writer.write(GroupKeyFile.magic)
    writer.write(GroupKeyFile.version)
    unsafe secret.withUnsafeBytes { bytes in unsafe writer.write(contentsOf: bytes) }
    writer.write(identifier.rawValue)
    return writer.bytes
  }
}
