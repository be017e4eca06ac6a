import Glibc

/// The check of the directories above one that must be trusted: who can replace it.
package enum ParentDirectories {
  /// Checks every directory above a path, symbolic links followed.
  ///
  /// - Returns: the parents that a group may write to, which deserve a warning.
  /// - Throws: `insecure` for a parent that everybody may write to and that is not sticky.
  package static func check(above path: String) throws(FileError) -> [String] {
    var groupWritable: [String] = []
    var parent = path
    while let slash = parent.lastIndex(of: "/"), parent != "/" {
      parent = slash == parent.startIndex ? "/" : String(parent[..<slash])
      var status = stat()
      guard unsafe stat(parent, &status) == 0 else {
        throw .system(call: "stat", path: parent, .current)
      }
      guard status.st_mode & UInt32(S_ISVTX) == 0 else { continue }
      if status.st_mode & 0o002 != 0 {
        throw .insecure(path: path, .parentWritableByAll(parent))
      }
      if status.st_mode & 0o020 != 0 { groupWritable.append(parent) }
    }
    return groupWritable
  }
}
