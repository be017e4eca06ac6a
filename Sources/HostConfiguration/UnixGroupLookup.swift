package import FileSupport
import Glibc

/// What the name service says of a Unix group (`getgrnam(3)`).
package enum UnixGroupLookup: Sendable, Hashable {
  /// Its number; this process may give files to it.
  case identifier(UInt32)
  /// There is none of that name.
  case unknown
  /// This process, of this user, is not in it.
  case notMember(user: UInt32)
  /// The name service could not say.
  case failed(Errno)

  /// Looks a group up for this process.
  ///
  /// - Parameter name: The group's name.
  /// - Returns: What is known of it.
  package static func system(_ name: String) -> UnixGroupLookup {
    var buffer = [CChar](repeating: 0, count: 1024)
    while true {
      var record = unsafe group()
      var found: UnsafeMutablePointer<group>?
      let status = unsafe getgrnam_r(name, &record, &buffer, buffer.count, &found)
      if status == EINTR { continue }
      // A group of thousands has a long list of members.
      if status == ERANGE, buffer.count < 1 << 24 {
        buffer = [CChar](repeating: 0, count: buffer.count * 4)
        continue
      }
      guard let found = unsafe found else {
        // POSIX lets a name that is not found be told by either of these.
        let isUnknown = [0, ENOENT, ESRCH].contains(status)
        return isUnknown ? .unknown : .failed(Errno(rawValue: status))
      }
      let identifier = unsafe found.pointee.gr_gid
      return isMember(of: identifier) ? .identifier(identifier) : .notMember(user: geteuid())
    }
  }

  // chown(2): a file may be given to a group that its owner is in.
  private static func isMember(of group: UInt32) -> Bool {
    if geteuid() == 0 || getegid() == group { return true }
    let count = getgroups(0, nil)
    guard count > 0 else { return false }
    var groups = [UInt32](repeating: 0, count: Int(count))
    guard unsafe getgroups(count, &groups) >= 0 else { return false }
    return groups.contains(group)
  }
}
