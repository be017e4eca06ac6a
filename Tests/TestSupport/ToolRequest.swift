/// What to run: a program, its arguments, and all that it gets from outside.
package struct ToolRequest: Sendable {
  /// What the program reads on its standard input.
  package enum Input: Sendable {
    /// Nothing: its end at once.
    case none
    /// This text, then the end of the input.
    case text(String)
    /// A pipe that stays open until `RunningTool.closeInput()`.
    case open
  }

  /// The program: a path, or a name that is looked for in the search path.
  package var program: String
  /// The arguments behind the program's own name.
  package var arguments: [String]
  /// The whole environment; nothing is inherited.
  package var environment: [String: String]
  /// The standard input.
  package var input: Input
  /// The working directory, or nil for that of the tests.
  package var directory: String?
  /// How long the program may run before it is killed.
  package var limit: Duration

  /// Creates a request.
  package init(
    _ program: String, _ arguments: [String] = [],
    environment: [String: String] = ["PATH": Environment.searchPath], input: Input = .none,
    directory: String? = nil, limit: Duration = .seconds(60)
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.input = input
    self.directory = directory
    self.limit = limit
  }

  /// Creates a request for a program that the package builds.
  package static func product(
    _ name: String, _ arguments: [String] = [], environment: [String: String] = [:],
    input: Input = .none, limit: Duration = .seconds(60)
  ) -> ToolRequest {
    ToolRequest(
      PackageLayout.product(name), arguments, environment: environment, input: input, limit: limit)
  }
}
