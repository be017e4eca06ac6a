import CLinux

/// A descriptor of a process, readable once a child has ended (`pidfd_open(2)`).
package struct ProcessDescriptor: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Opens the descriptor of a child that was not waited for yet, or of whoever has the number.
  ///
  /// - Throws: the error number.
  package init(of process: Int32) throws(Errno) {
    let number = clinux_pidfd_open(process)
    guard number >= 0 else { throw .current }
    descriptor = FileDescriptor(owning: number)
  }

  /// The descriptor's number, readable once the child has ended.
  package var rawDescriptor: Int32 { descriptor.rawValue }

  /// Sends a signal to the process, and never to another one that has its number by now
  /// (`pidfd_send_signal(2)`).
  ///
  /// - Parameter signal: the signal's number.
  /// - Throws: the error number.
  package borrowing func send(_ signal: Int32) throws(Errno) {
    guard clinux_pidfd_send_signal(descriptor.rawValue, signal) == 0 else { throw .current }
  }
}
