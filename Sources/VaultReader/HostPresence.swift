import FileSupport
import SnapshotFormat
import Synchronization

/// Whether a host runs, asked of its lock file once in a while and without taking a lock.
final class HostPresence: Sendable {
  private struct Answer {
    let runtime: String
    let asked: Duration
    let isRunning: Bool
  }

  private let last = Mutex<Answer?>(nil)

  /// Whether the host of a runtime directory runs (`F_OFD_GETLK`).
  ///
  /// - Parameters:
  ///   - runtime: the runtime directory.
  ///   - boot: the boot clock's reading.
  ///   - lookInterval: how long an answer counts.
  ///   - isNew: whether a snapshot has come since the last question: somebody made it, so that an
  ///     earlier no says nothing any more.
  /// - Returns: what the lock file says, or said less than the interval ago; nil where it cannot be
  ///   asked.
  func isRunning(
    in runtime: Directory, at boot: Duration, lookInterval: Duration, afterNewSnapshot isNew: Bool
  ) -> Bool? {
    last.withLock { last in
      if let last, last.runtime == runtime.path, boot >= last.asked,
        boot - last.asked < lookInterval, last.isRunning || !isNew
      {
        return last.isRunning
      }
      guard let isRunning = try? FileLock.isHeld(SnapshotLayout.hostLock, in: runtime) else {
        return nil
      }
      last = Answer(runtime: runtime.path, asked: boot, isRunning: isRunning)
      return isRunning
    }
  }
}
