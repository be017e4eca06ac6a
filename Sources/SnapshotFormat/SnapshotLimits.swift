/// The constants of the snapshot file, format version 1.
package enum SnapshotLimits {
  /// The format version that this module reads.
  package static let formatVersion: UInt16 = 1
  /// The greatest length of a snapshot file in bytes.
  package static let fileLength = 256 << 10
  /// The greatest length of one token in bytes.
  package static let tokenLength = 64 << 10
  /// The greatest length of an account name in bytes.
  package static let accountNameLength = 256
  /// The greatest length of a reauthentication reason's word in bytes.
  package static let reasonLength = 64
  /// What is sealed is padded to a multiple of this many bytes.
  package static let paddingBlock = 1024
  /// The first six bytes of a snapshot.
  package static let magic = Array("TVSNAP".utf8)
  /// What follows the preceding bytes in the reader box's associated data.
  package static let readerBoxName = Array("reader".utf8)
  /// What follows the preceding bytes in the host box's associated data.
  package static let hostBoxName = Array("host".utf8)
}

/// The names of what is below a runtime directory.
package enum SnapshotLayout {
  /// The directory of the access groups.
  package static let groups = "groups"
  /// An access group's key file, in the group's directory.
  package static let key = "key"
  /// The directory of a group's namespaces.
  package static let namespaces = "ns"
  /// The snapshot, in its namespace's directory.
  package static let session = "session"
  /// The file that a running host holds locked, in the runtime directory.
  package static let hostLock = "host.lock"
}
