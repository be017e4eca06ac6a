import CLinux
import Glibc
import Synchronization

/// A doorbell that can be set to ring by itself (`timerfd_create(2)`, `epoll_create1(2)`).
package final class TimedDoorbell: Sendable {
  private let bell: Doorbell
  private let timer: FileDescriptor
  private let either: FileDescriptor
  private let isSet = Atomic(false)

  /// Makes a doorbell.
  ///
  /// - Throws: the error number.
  package init() throws(Errno) {
    let bell = try Doorbell()
    let number = clinux_timer()
    guard number >= 0 else { throw .current }
    let timer = FileDescriptor(owning: number)
    let both = clinux_either_readable(bell.rawDescriptor, timer.rawValue)
    guard both >= 0 else { throw .current }
    self.bell = bell
    self.timer = timer
    either = FileDescriptor(owning: both)
  }

  /// The descriptor's number, readable once the bell was rung or has rung by itself.
  package var rawDescriptor: Int32 { either.rawValue }

  /// Rings; any number of rings before an answer count as one.
  package func ring() { bell.ring() }

  /// Sets the bell to ring by itself once a while has passed, unless it is answered before.
  package func ring(after pause: Duration) {
    isSet.store(true, ordering: .relaxed)
    _ = clinux_set_timer(timer.rawValue, max(nanoseconds(pause), 1))
  }

  /// Answers: the descriptor is not readable any more until the next ring.
  package func silence() {
    bell.silence()
    // Setting a timer makes what it has counted so far unread too.
    guard isSet.exchange(false, ordering: .relaxed) else { return }
    _ = clinux_set_timer(timer.rawValue, 0)
  }
}
