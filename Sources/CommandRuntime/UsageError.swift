/// A command line that was not understood: what is wrong, what was meant, and where help is.
package struct UsageError: Error, Equatable, CustomStringConvertible {
  /// What is wrong, without a full stop; it may end with a question.
  package let problem: String
  /// The name that was most likely meant.
  package let meant: String?
  /// The command whose help to read, for example `tokenvault token`.
  package let title: String

  /// Makes an error; programs use it for rules of their own.
  ///
  /// - Parameters:
  ///   - problem: What is wrong, without a full stop.
  ///   - meant: The name that was most likely meant.
  ///   - title: The command whose help to read.
  package init(_ problem: String, meant: String? = nil, title: String) {
    self.problem = problem
    self.meant = meant
    self.title = title
  }

  /// What is wrong and what would be right, one sentence.
  package var description: String {
    let sentence = problem + (meant.map { "; did you mean \"\($0)\"?" } ?? "")
    return (sentence.hasSuffix("?") ? sentence : sentence + ".") + " See \"\(title) --help\"."
  }

  /// The code that the program ends with.
  package var exitCode: ExitCode { .usage }
}
