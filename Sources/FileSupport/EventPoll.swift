import CLinux

/// A descriptor that is readable while one of several others is ready (`epoll(7)`, level-triggered).
///
/// It may itself be polled, and be one of the others of another one.
package struct EventPoll: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Makes one of descriptors that can be read; of none it is never readable itself.
  ///
  /// - Throws: the error number.
  package init(readable descriptors: [Int32] = []) throws(Errno) {
    let number = clinux_epoll()
    guard number >= 0 else { throw .current }
    let made = FileDescriptor(owning: number)
    for descriptor in descriptors {
      guard EventPoll.add(descriptor, for: .readable, to: made) else { throw .current }
    }
    descriptor = made
  }

  /// The descriptor's number, to be polled and never read.
  package var rawDescriptor: Int32 { descriptor.rawValue }

  /// Adds a descriptor; one that is closed is gone by itself.
  ///
  /// - Parameters:
  ///   - descriptor: the number.
  ///   - events: the bits of `poll(2)` that count, beside errors and hang-ups, which always do.
  /// - Throws: the error number.
  package borrowing func add(
    _ descriptor: Int32, for events: Readiness = .readable
  ) throws(Errno) {
    guard EventPoll.add(descriptor, for: events, to: self.descriptor) else { throw .current }
  }

  /// Removes a descriptor; one that is not there is no error.
  package borrowing func remove(_ descriptor: Int32) {
    _ = clinux_epoll_remove(self.descriptor.rawValue, descriptor)
  }

  private static func add(
    _ descriptor: Int32, for events: Readiness, to poll: borrowing FileDescriptor
  ) -> Bool {
    clinux_epoll_add(poll.rawValue, descriptor, UInt32(truncatingIfNeeded: events.rawValue)) == 0
  }
}
