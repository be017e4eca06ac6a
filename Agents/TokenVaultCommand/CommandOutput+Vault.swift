import CommandRuntime

extension CommandOutput {
  /// The streams of this program.
  static let vault = CommandOutput(of: "tokenvault")
}
