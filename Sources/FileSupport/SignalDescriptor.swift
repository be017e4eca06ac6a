import CLinux

/// A descriptor that becomes readable when one of some signals is pending (`signalfd(2)`).
package struct SignalDescriptor: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Blocks the signals in the calling thread and opens a descriptor for them.
  ///
  /// To be called before other threads start: they inherit what is blocked.
  /// - Throws: the error number.
  package init(blocking signals: [Int32]) throws(Errno) {
    let number = unsafe clinux_signalfd(signals, Int32(signals.count))
    guard number >= 0 else { throw .current }
    descriptor = FileDescriptor(owning: number)
  }

  /// The descriptor's number, readable while a signal is pending.
  package var rawDescriptor: Int32 { descriptor.rawValue }

  /// Takes the next pending signal without waiting.
  ///
  /// - Returns: the signal's number; nil when none is pending.
  /// - Throws: the error number.
  package borrowing func next() throws(Errno) -> Int32? {
    let signal = clinux_signalfd_read(descriptor.rawValue)
    guard signal >= 0 else { throw .current }
    return signal == 0 ? nil : signal
  }
}
