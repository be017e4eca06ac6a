import Glibc

/// The check of the directories above one that must be trusted: who can replace it.
package enum ParentDirectories {
  /// Checks every directory above a path, symbolic links followed.
  ///
  /// - Returns: the parents that a group may write to, which deserve a warning.
  /// - Throws: `insecure` for a parent of another user than root or this one, and for one that
  ///   everybody may write to and that is not sticky.
  package static func check(above path: String) throws(FileError) -> [String] {
    var groupWritable: [String] = []
    let trusted = trustedOwners
    var parent = path
    while let slash = parent.lastIndex(of: "/"), parent != "/" {
      parent = slash == parent.startIndex ? "/" : String(parent[..<slash])
      var status = stat()
      guard unsafe stat(parent, &status) == 0 else {
        throw .system(call: "stat", path: parent, .current)
      }
      // Before the sticky bit, which binds everybody but the directory's owner.
      guard trusted.contains(status.st_uid) else {
        throw .insecure(path: path, .parentOwner(parent, owner: status.st_uid))
      }
      guard status.st_mode & UInt32(S_ISVTX) == 0 else { continue }
      if status.st_mode & 0o002 != 0 {
        throw .insecure(path: path, .parentWritableByAll(parent))
      }
      if status.st_mode & 0o020 != 0 { groupWritable.append(parent) }
    }
    return groupWritable
  }

  // In a user namespace that has no root of the system's, its directories seem to belong to the
  // overflow user (user_namespaces(7)).
  private static var trustedOwners: Set<UInt32> {
    var owners: Set<UInt32> = [0, geteuid()]
    if let map = numbers(in: "/proc/self/uid_map"), map != [0, 0, .max],
      let overflow = numbers(in: "/proc/sys/kernel/overflowuid")?.first
    {
      owners.insert(overflow)
    }
    return owners
  }

  private static func numbers(in path: String) -> [UInt32]? {
    guard let bytes = try? readSystemFile(path, limit: 4096) else { return nil }
    return bytes.split { $0 <= 0x20 }.compactMap { UInt32(String(decoding: $0, as: UTF8.self)) }
  }
}
