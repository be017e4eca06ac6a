import Glibc

/// A process of a user, as `/proc` shows it (`proc_pid_status(5)`).
package struct UserProcess: Sendable, Hashable {
  /// Its number.
  package let id: Int32
  /// The first 15 bytes of its program's name.
  package let name: String

  /// Lists the processes of a user that can be seen, by their numbers.
  ///
  /// What is asked for is the effective user: the owner of a directory in `/proc` is root's for a
  /// process that cannot be traced, as a host is.
  package static func all(of user: UInt32) -> [UserProcess] {
    systemDirectoryNames("/proc").compactMap { Int32($0) }.sorted().compactMap { id in
      guard let text = try? readSystemFile("/proc/\(id)/status", limit: 1 << 16) else { return nil }
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
      func words(_ field: String) -> [Substring]? {
        lines.first { $0.hasPrefix(field) }?.dropFirst(field.count).split(separator: "\t")
      }
      guard let name = words("Name:")?.first, let users = words("Uid:"), users.count == 4,
        UInt32(users[1]) == user
      else { return nil }
      return UserProcess(id: id, name: String(name))
    }
  }

  /// How many of its descriptors are inotify instances; nothing where they cannot be seen.
  package var inotifyInstances: Int {
    systemDirectoryNames("/proc/\(id)/fd").count {
      readSystemLink("/proc/\(id)/fd/\($0)") == "anon_inode:inotify"
    }
  }
}
