import FileSupport
import Glibc

/// The signals that ask a program for its end, for one that has to end another one first.
final class EndingSignals: Sendable {
  private let signals: SignalPipe

  /// Catches the signals from now on.
  ///
  /// - Throws: the error number.
  init() throws(Errno) {
    signals = try SignalPipe(catching: [SIGTERM, SIGINT, SIGHUP])
  }

  /// Waits for a signal.
  ///
  /// - Returns: its number; that of SIGTERM where none can be waited for.
  func wait() -> Int32 {
    while true {
      do throws(Errno) {
        _ = try waitForInput(signals.rawDescriptor, timeout: nil)
        if let number = try signals.next() { return number }
      } catch {
        return SIGTERM
      }
    }
  }

  /// Ends the program by a signal, as if it had not been caught.
  ///
  /// - Parameter number: the signal's number.
  func endProgram(by number: Int32) {
    _ = signal(number, SIG_DFL)
    // Threads have every signal blocked: the main one gets it.
    _ = kill(getpid(), number)
  }
}
