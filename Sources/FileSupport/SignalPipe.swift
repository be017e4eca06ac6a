import CLinux
import Glibc

/// A descriptor that becomes readable when one of some signals has come (`sigaction(2)`).
///
/// A `signalfd(2)` would not do: libdispatch lets the main thread of a program with tasks wait in
/// `sigsuspend(2)` with no signal blocked, so that one would end the program.
package struct SignalPipe: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Catches the signals from now on; a process has one pipe at a time, the latest.
  ///
  /// - Throws: the error number.
  package init(catching signals: [Int32]) throws(Errno) {
    let number = unsafe clinux_signal_pipe(signals, Int32(signals.count))
    guard number >= 0 else { throw .current }
    descriptor = FileDescriptor(owning: number)
  }

  /// The descriptor's number, readable while a signal waits.
  package var rawDescriptor: Int32 { descriptor.rawValue }

  /// Takes the next signal without waiting.
  ///
  /// - Returns: the signal's number; nil when none has come.
  /// - Throws: the error number.
  package borrowing func next() throws(Errno) -> Int32? {
    var signal: UInt8 = 0
    do {
      let count = try retryingInterrupted { unsafe read(descriptor.rawValue, &signal, 1) }
      return count == 1 ? Int32(signal) : nil
    } catch {
      guard error.rawValue == EAGAIN else { throw error }
      return nil
    }
  }
}
