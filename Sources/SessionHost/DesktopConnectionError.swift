package import FileSupport

/// What kept a connection to the desktop from being made just now, as it may not do later.
package struct DesktopConnectionError: Error, CustomStringConvertible {
  /// The error number of the thread or the descriptor that could not be had.
  package let cause: Errno

  /// Makes an error of an error number.
  package init(_ cause: Errno) {
    self.cause = cause
  }

  /// The system's words for it.
  package var description: String { "\(cause)" }
}
