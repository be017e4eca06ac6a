package import FileSupport
import Glibc

/// One thing that is wrong, or not as it should be, in the configuration.
package struct ConfigurationProblem: Sendable, Hashable, CustomStringConvertible {
  /// The file.
  package let path: String
  /// The line, counted from 1; nil where the file as a whole is meant.
  package let line: Int?
  /// One sentence without a full stop: what is wrong, where, and what to do.
  package let sentence: String

  /// The problem as compilers write it: `file:line: sentence`.
  package var description: String {
    path + (line.map { ":\($0)" } ?? "") + ": " + sentence
  }
}

/// Why there is no configuration to work with; the program ends with status 78.
package enum ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file could not be read, or must not be trusted.
  case unreadable(FileError)
  /// The file was read and is wrong; the problems by line, the first 20 of them.
  case invalid([ConfigurationProblem], notShown: Int)

  /// The lines of the error, joined.
  package var description: String {
    lines.joined(separator: "\n")
  }

  /// The error as lines for a log, one problem each.
  package var lines: [String] {
    switch self {
    case .unreadable(let error):
      guard error.errno?.rawValue == EACCES else { return [error.description] }
      return [error.description + "; make it readable for the user that the host runs as"]
    case .invalid(let problems, let notShown):
      let rest = notShown == 1 ? "1 more problem is not shown" : "\(notShown) more are not shown"
      return problems.map(\.description)
        + (notShown > 0 ? [(problems.first.map { $0.path + ": " } ?? "") + rest] : [])
    }
  }
}
