import CommandRuntime

extension CommandOutput {
  /// The streams of this program.
  static let simulator = CommandOutput(of: "tokenvault simulate")
}
