import CLinux
import Glibc

/// A descriptor that one thread rings and another polls (`eventfd(2)`).
package final class Doorbell: Sendable {
  private let descriptor: FileDescriptor

  /// Makes a doorbell.
  ///
  /// - Throws: the error number.
  package init() throws(Errno) {
    let number = clinux_eventfd()
    guard number >= 0 else { throw .current }
    descriptor = FileDescriptor(owning: number)
  }

  /// The descriptor's number, readable once the bell was rung.
  package var rawDescriptor: Int32 { descriptor.rawValue }

  /// Rings; any number of rings before an answer count as one.
  package func ring() {
    var one: UInt64 = 1
    unsafe _ = write(descriptor.rawValue, &one, 8)
  }

  /// Answers: the descriptor is not readable any more until the next ring.
  package func silence() {
    var count: UInt64 = 0
    unsafe _ = read(descriptor.rawValue, &count, 8)
  }
}

/// What `poll(2)` found on one descriptor.
package struct Readiness: OptionSet, Sendable {
  /// The bits of `revents`.
  package let rawValue: Int16
  /// Creates a set from the bits of `revents`.
  package init(rawValue: Int16) { self.rawValue = rawValue }
  /// Something can be read (`POLLIN`).
  package static let readable = Readiness(rawValue: Int16(POLLIN))
  /// Something can be written (`POLLOUT`).
  package static let writable = Readiness(rawValue: Int16(POLLOUT))
  /// Something exceptional is there, such as a change of the mounts (`POLLPRI`).
  package static let exceptional = Readiness(rawValue: Int16(POLLPRI))
  /// The other end is gone or broken (`POLLHUP`, `POLLERR`).
  package static let hungUp = Readiness(rawValue: Int16(POLLHUP | POLLERR))
}

/// A descriptor and what is waited for on it; that the other end is gone is always told.
package struct PollSource: Sendable {
  /// The number; a negative one is skipped.
  package let descriptor: Int32
  /// What is waited for.
  package let interest: Readiness

  /// Makes a source.
  package init(_ descriptor: Int32, for interest: Readiness = .readable) {
    self.descriptor = descriptor
    self.interest = interest
  }
}

/// Waits until one of several descriptors is ready or hung up (`poll(2)`).
///
/// - Parameters:
///   - sources: what to wait for.
///   - timeout: how long to wait at most, rounded up to milliseconds; nil waits without end.
/// - Returns: a readiness for each source, in order, all empty after the timeout or a signal.
/// - Throws: the error number.
package func waitUntilReady(
  _ sources: [PollSource], timeout: Duration?
) throws(Errno) -> [Readiness] {
  var entries = sources.map {
    pollfd(fd: $0.descriptor, events: $0.interest.rawValue, revents: 0)
  }
  let count = unsafe poll(&entries, nfds_t(entries.count), timeout.map(pollMilliseconds) ?? -1)
  guard count >= 0 else {
    if errno == EINTR { return sources.map { _ in [] } }
    throw .current
  }
  return entries.map { Readiness(rawValue: $0.revents) }
}

/// Waits until a descriptor is readable or hung up (`poll(2)`).
///
/// - Parameters:
///   - descriptor: the number; a negative one only has the time pass.
///   - timeout: how long to wait at most, rounded up to milliseconds; nil waits without end.
/// - Returns: whether it is so; not after the timeout or a signal.
/// - Throws: the error number.
package func waitForInput(_ descriptor: Int32, timeout: Duration?) throws(Errno) -> Bool {
  var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
  let count = unsafe poll(&entry, 1, timeout.map(pollMilliseconds) ?? -1)
  guard count >= 0 else {
    if errno == EINTR { return false }
    throw .current
  }
  return count > 0
}

/// Waits until one of several descriptors is readable or hung up (`poll(2)`).
///
/// - Parameters:
///   - descriptors: the numbers; a negative one is skipped.
///   - others: numbers of descriptors that are only written to: of these a hang-up alone counts.
///   - timeout: how long to wait at most, rounded up to milliseconds; nil waits without end.
/// - Returns: a readiness for each descriptor, in order, all empty after the timeout or a signal.
/// - Throws: the error number.
package func waitForInput(
  _ descriptors: [Int32], hangUpsOf others: [Int32] = [], timeout: Duration?
) throws(Errno) -> [Readiness] {
  try waitUntilReady(
    descriptors.map { PollSource($0) } + others.map { PollSource($0, for: []) },
    timeout: timeout)
}

/// Rounds a duration up to `poll(2)`'s milliseconds, so that a wait is never too short to matter.
package func pollMilliseconds(_ duration: Duration) -> Int32 {
  guard duration > .zero else { return 0 }
  let (seconds, attoseconds) = duration.components
  guard seconds < 2_000_000 else { return 2_000_000_000 }
  let milliseconds = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  return Int32(seconds * 1000 + milliseconds)
}
