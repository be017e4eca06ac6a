import CLinux

/// A descriptor that becomes readable at a time of the boot clock (`timerfd_create(2)`).
package struct BootTimer: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Makes a timer that is not set.
  ///
  /// - Throws: the error number.
  package init() throws(Errno) {
    let number = clinux_timer()
    guard number >= 0 else { throw .current }
    descriptor = FileDescriptor(owning: number)
  }

  /// The descriptor's number, readable once the time has come.
  package var rawDescriptor: Int32 { descriptor.rawValue }

  /// Sets the timer, whatever it was set to and whether it has gone off (`timerfd_settime(2)`).
  ///
  /// - Parameter pause: how long from now; nil for never.
  package borrowing func set(after pause: Duration?) {
    let wait = pause.map { max(nanoseconds($0), 1) } ?? 0
    _ = clinux_set_timer(descriptor.rawValue, wait)
  }
}
