package import FileSupport
import Glibc
import SessionModel

/// Messages for people and for the journal: one line each, on standard error, never a secret.
package struct Log: Sendable {
  /// How much a message matters.
  package enum Level: String, Sendable, CaseIterable, Comparable {
    /// Something failed and stays so.
    case error
    /// Something is not as it should be.
    case warning
    /// Something worth knowing happened.
    case info
    /// What a person needs who looks for a fault.
    case debug

    /// Whether the left level is the less important one.
    package static func < (left: Self, right: Self) -> Bool { left.priority < right.priority }

    /// The priority of syslog(3) that the journal reads from `<3>` before a line (sd-daemon(3)).
    package var priority: Int {
      switch self {
      case .error: 3
      case .warning: 4
      case .info: 6
      case .debug: 7
      }
    }
  }

  /// How a line looks.
  package enum Style: Sendable, Equatable {
    /// For a person: the program's name, the level, the message.
    case plain(Terminal)
    /// For the journal, which knows the program: the priority in angle brackets, the message.
    case journal
  }

  /// The least important level that is written.
  package let threshold: Level
  private let program: String
  private let style: Style
  private let sink: @Sendable (String) -> Void

  /// Makes a log.
  ///
  /// - Parameters:
  ///   - program: The program's name.
  ///   - threshold: The least important level that is written.
  ///   - style: How a line looks.
  ///   - sink: Takes each line with its end.
  package init(
    program: String, threshold: Level, style: Style, sink: @escaping @Sendable (String) -> Void
  ) {
    self.program = program
    self.threshold = threshold
    self.style = style
    self.sink = sink
  }

  /// The log of a program on its standard error.
  ///
  /// - Parameters:
  ///   - program: The program's name.
  ///   - threshold: The least important level that is written.
  ///   - environment: `JOURNAL_STREAM` says whether the journal is at the other end.
  /// - Returns: The log.
  package static func standardError(
    program: String, threshold: Level = .info, environment: Environment
  ) -> Log {
    let stream = StandardStream.error
    let status = try? FileStatus(of: stream.descriptor)
    let style: Style =
      leadsToJournal(status, environment)
      ? .journal : .plain(Terminal(descriptor: stream.descriptor, environment: environment))
    // A log that nobody reads any more must not end the program.
    return Log(program: program, threshold: threshold, style: style) { try? stream.write($0) }
  }

  /// Writes a message where its level is wanted.
  ///
  /// - Parameters:
  ///   - level: How much the message matters.
  ///   - message: What happened, to what, and what to do; made only when it is written.
  package func write(_ level: Level, _ message: @autoclosure () -> String) {
    guard level <= threshold else { return }
    sink(line(level, message()))
  }

  /// Writes an error.
  package func error(_ message: @autoclosure () -> String) { write(.error, message()) }
  /// Writes a warning.
  package func warning(_ message: @autoclosure () -> String) { write(.warning, message()) }
  /// Writes what is worth knowing.
  package func info(_ message: @autoclosure () -> String) { write(.info, message()) }
  /// Writes what helps to find a fault.
  package func debug(_ message: @autoclosure () -> String) { write(.debug, message()) }

  /// Whether standard error is the stream that `JOURNAL_STREAM` names (systemd.exec(5)).
  ///
  /// The variable alone proves nothing: a child inherits it together with another standard error.
  ///
  /// - Parameters:
  ///   - status: What standard error is.
  ///   - environment: The environment with `JOURNAL_STREAM`, `DEVICE:INODE`.
  /// - Returns: Whether both numbers agree.
  package static func leadsToJournal(_ status: FileStatus?, _ environment: Environment) -> Bool {
    guard let status, let named = environment["JOURNAL_STREAM"] else { return false }
    return named == "\(status.device):\(status.inode)"
  }

  private func line(_ level: Level, _ message: String) -> String {
    let text = PrintableText.oneLine(message)
    switch style {
    case .journal: return "<\(level.priority)>\(text)\n"
    case .plain(let terminal):
      let name =
        switch level {
        case .error: terminal.styled("error: ", .red)
        case .warning: terminal.styled("warning: ", .yellow)
        case .info: ""
        case .debug: terminal.styled("debug: ", .faint)
        }
      return "\(program): \(name)\(text)\n"
    }
  }
}
