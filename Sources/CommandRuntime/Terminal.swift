package import FileSupport
import Glibc

/// What a stream leads to: a terminal with a width and perhaps colours, or something else.
package struct Terminal: Sendable, Equatable {
  /// A colour of the terminal's own sixteen, so that it suits the person's theme.
  package enum Style: String, Sendable {
    /// Bold.
    case bold = "1"
    /// Faint.
    case faint = "2"
    /// Red.
    case red = "31"
    /// Green.
    case green = "32"
    /// Yellow.
    case yellow = "33"
  }

  /// The variables that say how a person wants to have a terminal used.
  package static let variables = ["NO_COLOR", "TERM", "COLUMNS"]

  /// Whether the stream is a terminal.
  package let isTerminal: Bool
  /// The columns of a line: the terminal's, or 80.
  package let width: Int
  /// Whether colours are shown.
  package let hasColours: Bool

  /// Asks what a descriptor leads to (`isatty(3)`, `TIOCGWINSZ`).
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor's number.
  ///   - environment: of the variables, `NO_COLOR` and `TERM=dumb` switch colours off, `COLUMNS`
  ///     sets the width.
  package init(descriptor: Int32, environment: Environment) {
    let isTerminal = isatty(descriptor) == 1
    self.init(
      isTerminal: isTerminal, columns: isTerminal ? Self.columns(of: descriptor) : nil,
      environment: environment)
  }

  /// Decides from what is known of a stream.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether the stream is a terminal.
  ///   - columns: The terminal's width, if it says one.
  ///   - environment: The variables named above.
  package init(isTerminal: Bool, columns: Int?, environment: Environment) {
    self.isTerminal = isTerminal
    let named = environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    width = named ?? columns ?? 80
    hasColours = isTerminal && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
  }

  /// A text in a style where the stream shows styles, as it is elsewhere.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - style: The style.
  /// - Returns: The text, between escape sequences at most (ECMA-48 SGR).
  package func styled(_ text: String, _ style: Style) -> String {
    hasColours ? "\u{1b}[" + style.rawValue + "m" + text + "\u{1b}[0m" : text
  }

  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    let status = unsafe withUnsafeMutablePointer(to: &size) {
      unsafe ioctl(descriptor, UInt(TIOCGWINSZ), UnsafeMutableRawPointer($0))
    }
    return status == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
  }
}
