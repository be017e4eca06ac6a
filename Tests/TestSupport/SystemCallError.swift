internal import Glibc

/// A system call that failed while a test prepared or used something.
package struct SystemCallError: Error, Sendable, CustomStringConvertible {
  /// The call's name, as its manual page has it.
  package let call: String
  /// What it was about: a path, a program.
  package let subject: String
  /// The error number that it gave.
  package let number: Int32

  /// Creates the error from a call and the error number that it left.
  package init(_ call: String, _ subject: String, _ number: Int32 = errno) {
    self.call = call
    self.subject = subject
    self.number = number
  }

  /// The call, its subject and the system's text for the error.
  package var description: String {
    unsafe "\(call)(\(subject)): \(String(cString: strerror(number)))"
  }
}
