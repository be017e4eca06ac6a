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
/// The signals are blocked and taken from a `signalfd(2)`. To be made before threads start.
package final class SignalMonitor: Sendable {
  private let descriptor: SignalDescriptor
  private let bell: Doorbell

  /// Blocks signals from now on and ignores `SIGPIPE`.
  ///
  /// - Parameter signals: What the program answers to.
  /// - Throws: The error number.
  package init(_ signals: [ProcessSignal] = ProcessSignal.allCases) throws(Errno) {
    descriptor = try SignalDescriptor(blocking: signals.map(\.number))
    bell = try Doorbell()
    _ = signal(SIGPIPE, SIG_IGN)
  }

  /// A descriptor to poll together with others: readable while a signal is pending.
  package var rawDescriptor: Int32 { descriptor.rawDescriptor }

  /// Takes the next pending signal without waiting.
  ///
  /// - Returns: The signal, nil when none is pending.
  package func next() -> ProcessSignal? {
    while let number = (try? descriptor.next()) ?? nil {
      if let signal = ProcessSignal(number: number) { return signal }
    }
    return nil
  }

  /// Waits for a signal in a program without tasks.
  ///
  /// - Parameter timeout: How long to wait at most, nil for ever.
  /// - Returns: The signal, nil after the timeout.
  package func wait(timeout: Duration? = nil) -> ProcessSignal? {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    while true {
      if let signal = next() { return signal }
      let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
      if let rest, rest <= .zero { return nil }
      guard (try? waitForInput([rawDescriptor], timeout: rest)) != nil else { return nil }
    }
  }

  /// The signals from now on, taken by a thread of their own until the stream's consumer is gone.
  ///
  /// - Returns: A stream for one consumer; a program asks for one only.
  /// - Throws: The error number of the thread.
  package func signals() throws(Errno) -> AsyncStream<ProcessSignal> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: ProcessSignal.self, bufferingPolicy: .bufferingNewest(16))
    let bell = bell
    continuation.onTermination = { _ in bell.ring() }
    try DedicatedThread.start("signals") { [self] in
      while let ready = try? waitForInput([rawDescriptor, bell.rawDescriptor], timeout: nil) {
        while let signal = next() { continuation.yield(signal) }
        if ready[1].contains(.readable) { break }
      }
      bell.silence()
      continuation.finish()
    }
    return stream
  }
}
