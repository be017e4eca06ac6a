package import FileSupport
import Glibc

/// A signal that a program of the project answers to.
package enum ProcessSignal: Sendable, CaseIterable {
  /// End soon and cleanly (`SIGTERM`).
  case terminate
  /// A person pressed Ctrl-C (`SIGINT`).
  case interrupt
  /// Read the configuration again, or the terminal is gone (`SIGHUP`).
  case hangUp
  /// The program's own use (`SIGUSR1`).
  case user1

  /// The number.
  package var number: Int32 {
    switch self {
    case .terminate: SIGTERM
    case .interrupt: SIGINT
    case .hangUp: SIGHUP
    case .user1: SIGUSR1
    }
  }

  /// The signal of a number, nil for one that is none of these.
  package init?(number: Int32) {
    guard let found = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = found
  }
}

/// Turns signals into values: none is ever handled in the middle of something else.
///
/// They are written into a pipe and read from there. A program makes one monitor, early.
package final class SignalMonitor: Sendable {
  private let pipe: SignalPipe

  /// Catches signals from now on and ignores `SIGPIPE`.
  ///
  /// - Parameter signals: What the program answers to.
  /// - Throws: The error number.
  package init(_ signals: [ProcessSignal] = ProcessSignal.allCases) throws(Errno) {
    pipe = try SignalPipe(catching: signals.map(\.number))
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// A descriptor to poll together with others: readable while a signal waits.
  package var rawDescriptor: Int32 { pipe.rawDescriptor }

  /// Takes the next signal without waiting.
  ///
  /// - Returns: The signal, nil when none has come.
  package func next() -> ProcessSignal? {
    while let number = (try? pipe.next()) ?? nil {
      if let signal = ProcessSignal(number: number) { return signal }
    }
    return nil
  }

  /// Waits for a signal in a program without tasks.
  ///
  /// - Returns: The signal, nil when there is no waiting for one (`poll(2)`).
  package func wait() -> ProcessSignal? {
    while true {
      if let signal = next() { return signal }
      guard (try? waitForInput(rawDescriptor, timeout: nil)) != nil else { return nil }
    }
  }
}
