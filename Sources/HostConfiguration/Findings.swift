/// Collects problems while a file is read, so that a person sees all of them at once.
final class Findings {
  /// How many problems are shown at most.
  static let limit = 20

  private let path: String
  private var problems: [ConfigurationProblem] = []
  /// What is not as it should be and stops nobody.
  private(set) var warnings: [ConfigurationProblem] = []

  /// Makes an empty collection.
  ///
  /// - Parameter path: The file that is read.
  init(path: String) {
    self.path = path
  }

  /// Adds a problem.
  ///
  /// - Parameters:
  ///   - position: Where it is; a line of 0 is not shown.
  ///   - sentence: What is wrong, where, and what to do.
  func report(_ position: TOMLPosition, _ sentence: String) {
    problems.append(problem(position, sentence))
  }

  /// Adds a warning.
  ///
  /// - Parameters:
  ///   - position: Where it is; a line of 0 is not shown.
  ///   - sentence: What is not as it should be, and what to do.
  func warn(_ position: TOMLPosition, _ sentence: String) {
    warnings.append(problem(position, sentence))
  }

  /// The error to throw, nil when nothing is wrong.
  var error: ConfigurationError? {
    guard !problems.isEmpty else { return nil }
    // Sorted by line; those of one line stay in the order in which they were found.
    let sorted = problems.enumerated().sorted {
      ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
    }.map(\.element)
    return .invalid(
      Array(sorted.prefix(Self.limit)), notShown: max(0, sorted.count - Self.limit))
  }

  private func problem(_ position: TOMLPosition, _ sentence: String) -> ConfigurationProblem {
    ConfigurationProblem(
      path: path, line: position.line > 0 ? position.line : nil, sentence: sentence)
  }
}
