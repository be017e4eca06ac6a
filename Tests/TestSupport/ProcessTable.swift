internal import Glibc

/// What the system knows of other processes.
package enum ProcessTable {
  /// Waits until no process has the identifier, 10 s at most.
  ///
  /// Another program's child can't be waited for, so this looks again every few milliseconds, on a
  /// thread of its own.
  ///
  /// - Returns: whether it is gone.
  package static func waitUntilGone(_ identifier: Int32) async -> Bool {
    let gone = try? await TestThread.run {
      for _ in 0..<2_000 {
        if !TestFile.exists("/proc/\(identifier)") { return true }
        usleep(5_000)
      }
      return false
    }
    return gone ?? false
  }
}
