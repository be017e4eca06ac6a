internal import Glibc
internal import Synchronization

/// A latch that any number of threads can wait on, opened once: a socket pair of which one end
/// is closed.
final class StopLatch: Sendable {
  /// The end to poll; it reports a hang-up once the latch is open.
  let descriptor: Int32
  private let writeEnd: Mutex<Int32?>

  /// Makes a closed latch (socketpair), or returns nil when the process is out of descriptors.
  init?() {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    descriptor = ends[0]
    writeEnd = Mutex(ends[1])
  }

  /// Opens the latch for good.
  func open() {
    let end = writeEnd.withLock { $0.take() }
    if let end { close(end) }
  }

  /// Waits for the latch or for another one, but no longer than a duration (poll).
  ///
  /// - Returns: Whether one of them is open.
  func wait(for duration: Duration, orLatch other: StopLatch? = nil) -> Bool {
    let deadline = ContinuousClock.now + duration
    while true {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return false }
      // A negative descriptor is passed over.
      var polled = [descriptor, other?.descriptor ?? -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      if unsafe poll(&polled, nfds_t(polled.count), left.pollTimeout) > 0 { return true }
    }
  }

  deinit {
    open()
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
