import Glibc

/// The wish to end, which comes as a signal.
enum Interruption {
  private static let pipe: (reading: Int32, writing: Int32) = {
    var ends: [Int32] = [-1, -1]
    unsafe _ = Glibc.pipe(&ends)
    return (ends[0], ends[1])
  }()

  /// Catches what ends a program; the terminal is to be left in order.
  static func catchSignals() {
    // Made before a signal can come.
    _ = pipe
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in
        var byte: UInt8 = 1
        unsafe _ = Glibc.write(Interruption.pipe.writing, &byte, 1)
      }
    }
    // A reader of the output that goes away is found out by the next write or the next wait.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Whether a signal has come.
  static var hasCome: Bool {
    var polled = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) > 0
  }

  /// Waits until one of several descriptors is readable, a signal comes, time is up, or the output
  /// has no reader any more.
  ///
  /// - Returns: whether somebody may still see what is written.
  static func wait(for descriptors: [Int32], milliseconds: Int32) -> Bool {
    var polled = (descriptors + [pipe.reading]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    // Nothing is asked of the output; that it is broken is told unasked. Who only waits for changes
    // would otherwise outlive, for hours, the program that showed them.
    polled.append(pollfd(fd: STDOUT_FILENO, events: 0, revents: 0))
    unsafe _ = poll(&polled, nfds_t(polled.count), milliseconds)
    return polled.last?.revents == 0
  }
}
