import CLinux
import Glibc

/// A system call's error number, `errno(3)`.
package struct Errno: Error, RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The number.
  package let rawValue: Int32

  /// Creates an error from its number.
  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The calling thread's `errno`.
  package static var current: Errno { Errno(rawValue: errno) }

  /// The symbolic name, such as `EACCES` (`strerrorname_np`).
  package var name: String {
    guard let text = unsafe clinux_errno_name(rawValue) else { return "errno \(rawValue)" }
    return unsafe String(cString: text)
  }

  /// The text and the name, such as `Permission denied (EACCES)` (`strerrordesc_np`).
  package var description: String {
    guard let text = unsafe clinux_errno_text(rawValue) else { return name }
    return "\(unsafe String(cString: text)) (\(name))"
  }
}

/// Repeats a call that returns -1 for failure for as long as it is interrupted (`EINTR`).
///
/// - Throws: the call's error number.
@discardableResult
package func retryingInterrupted<Result: SignedInteger>(
  _ call: () -> Result
) throws(Errno) -> Result {
  while true {
    let result = call()
    if result != -1 { return result }
    let number = Errno.current
    if number.rawValue != EINTR { throw number }
  }
}

extension Errno {
  /// Whether a right was missing (`EACCES`, `EPERM`).
  package var isDenial: Bool { rawValue == EACCES || rawValue == EPERM }
}
