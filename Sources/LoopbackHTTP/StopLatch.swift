internal import Glibc

/// A latch that any number of threads can wait on, opened once: a socket pair of which one end
/// is closed.
final class StopLatch: Sendable {
  /// The end to poll; it reports a hang-up once the latch is open.
  let descriptor: Int32
  private let writeEnd: Int32

  /// Makes a closed latch (socketpair), or returns nil when the process is out of descriptors.
  init?() {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    descriptor = ends[0]
    writeEnd = ends[1]
  }

  /// Opens the latch; to be called at most once.
  func open() {
    close(writeEnd)
  }

  /// Waits for the latch, but no longer than a duration (poll).
  ///
  /// - Returns: Whether the latch is open.
  func wait(for duration: Duration) -> Bool {
    let deadline = ContinuousClock.now + duration
    while true {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return false }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&polled, 1, left.pollTimeout) > 0 { return true }
    }
  }

  deinit {
    close(descriptor)
  }
}

extension Duration {
  /// The duration in whole milliseconds for `poll`, rounded up and capped at a minute.
  var pollTimeout: Int32 {
    guard self > .zero else { return 0 }
    guard self < .seconds(60) else { return 60_000 }
    let (seconds, attoseconds) = components
    return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
