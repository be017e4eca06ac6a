internal import Glibc

/// A socket pair that wakes the thread watching deadlines.
final class Doorbell: Sendable {
  private let readEnd: Int32
  private let writeEnd: Int32

  /// Makes a doorbell (socketpair), or returns nil when the process is out of descriptors.
  init?() {
    var ends: [Int32] = [-1, -1]
    let kind =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    readEnd = ends[0]
    writeEnd = ends[1]
  }

  /// Wakes the waiting thread; a full buffer has woken it already.
  func ring() {
    var byte: UInt8 = 0
    _ = unsafe write(writeEnd, &byte, 1)
  }

  /// Waits for a ring, for the latch, or for the timeout of `poll`.
  ///
  /// - Returns: Whether the latch is open.
  func wait(orLatch latch: StopLatch, timeout: Int32) -> Bool {
    var polled = [
      pollfd(fd: latch.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
    ]
    _ = unsafe poll(&polled, nfds_t(polled.count), timeout)
    var drained = [UInt8](repeating: 0, count: 64)
    while unsafe read(readEnd, &drained, drained.count) > 0 {}
    return polled[0].revents != 0
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }
}
