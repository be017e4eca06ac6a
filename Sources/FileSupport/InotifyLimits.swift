import Glibc

/// How much of inotify a user may have (`inotify(7)`), and whether there is any left.
package struct InotifyLimits: Sendable, Hashable {
  /// How many instances all programs of a user may have together.
  package let instances: Int
  /// How many watches all programs of a user may have together.
  package let watches: Int
  /// How many instances the user's programs are seen to have.
  package let instancesInUse: Int
  /// Whether a further instance can be had now.
  package let isInstanceFree: Bool
  /// Whether a further watch can be had now; as far as is known without an instance.
  package let isWatchFree: Bool

  /// Makes limits.
  package init(
    instances: Int, watches: Int, instancesInUse: Int = 0, isInstanceFree: Bool = true,
    isWatchFree: Bool = true
  ) {
    self.instances = instances
    self.watches = watches
    self.instancesInUse = instancesInUse
    self.isInstanceFree = isInstanceFree
    self.isWatchFree = isWatchFree
  }

  /// Reads the limits and tries to have an instance and a watch (`inotify_init1(2)`,
  /// `inotify_add_watch(2)`).
  ///
  /// - Parameter processes: the user's, of which those that can be seen are counted.
  /// - Returns: nil where `/proc` does not tell.
  package static func current(among processes: [UserProcess]) -> InotifyLimits? {
    guard let instances = setting("max_user_instances"), let watches = setting("max_user_watches")
    else { return nil }
    let number = inotify_init1(Int32(O_CLOEXEC))
    var isWatchFree = true
    if number >= 0 {
      let watch = unsafe inotify_add_watch(number, "/", UInt32(IN_DELETE_SELF))
      isWatchFree = watch >= 0 || errno != ENOSPC
      close(number)
    }
    return InotifyLimits(
      instances: instances, watches: watches,
      instancesInUse: processes.reduce(0) { $0 + $1.inotifyInstances },
      isInstanceFree: number >= 0, isWatchFree: isWatchFree)
  }

  private static func setting(_ name: String) -> Int? {
    let bytes = (try? readSystemFile("/proc/sys/fs/inotify/" + name, limit: 32)) ?? []
    return Int(String(decoding: bytes.filter { $0 > 0x20 }, as: UTF8.self))
  }
}
