import CLinux

/// What kind of file system holds a directory, as far as it matters for watching (`fstatfs(2)`).
package enum FileSystemKind: Sendable, Hashable {
  /// Changes made by any process of this machine give events.
  case local
  /// Changes can be made elsewhere without any event: NFS, SMB, FUSE, 9P, Ceph and their kin.
  case remote

  /// Asks for the kind of the file system that holds an open directory.
  ///
  /// - Throws: the error number.
  package init(of directory: Directory) throws(Errno) {
    try self.init(ofDescriptor: directory.rawDescriptor)
  }

  /// Asks for the kind of the file system that holds an open file or directory.
  ///
  /// - Throws: the error number.
  package init(ofDescriptor descriptor: Int32) throws(Errno) {
    let magic = clinux_file_system_magic(descriptor)
    guard magic != -1 else { throw .current }
    self =
      FileSystemKind.remoteMagics.contains(UInt32(truncatingIfNeeded: magic)) ? .remote : .local
  }

  // From linux/magic.h: NFS, SMB, SMB2, CIFS, FUSE, 9P, Ceph, AFS, Coda.
  private static let remoteMagics: Set<UInt32> = [
    0x6969, 0x517B, 0xFE53_4D42, 0xFF53_4D42, 0x6573_5546, 0x0102_1997, 0x00C3_6400,
    0x5346_414F, 0x7375_7245,
  ]
}
