import SnapshotFormat

extension GroupKey {
  /// Reads a key from a copy of a key file's bytes.
  convenience init(file bytes: [UInt8]) throws(GroupKeyError) {
    var copy = bytes
    try self.init(wiping: &copy)
  }
}
