import Glibc

/// How much of inotify a user may have (`inotify(7)`), and whether there is any left.
package struct InotifyLimits: Sendable, Hashable {
  /// How many instances all programs of a user may have together.
  package let instances: Int
  /// How many watches all programs of a user may have together.
  package let watches: Int
  /// Whether a further instance can be had now.
  package let isInstanceFree: Bool

  /// Makes limits.
  package init(instances: Int, watches: Int, isInstanceFree: Bool) {
    self.instances = instances
    self.watches = watches
    self.isInstanceFree = isInstanceFree
  }

  /// Reads the limits of this user and tries to have an instance (`inotify_init1(2)`).
  ///
  /// - Returns: nil where `/proc` does not tell.
  package static func current() -> InotifyLimits? {
    guard let instances = setting("max_user_instances"), let watches = setting("max_user_watches")
    else { return nil }
    let number = inotify_init1(Int32(O_CLOEXEC))
    if number >= 0 { close(number) }
    return InotifyLimits(instances: instances, watches: watches, isInstanceFree: number >= 0)
  }

  private static func setting(_ name: String) -> Int? {
    let bytes = (try? readSystemFile("/proc/sys/fs/inotify/" + name, limit: 32)) ?? []
    return Int(String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self))
  }
}
