import SnapshotTesting
import StatusBar
import StrictJSON
import TestSupport

/// `tokenvault watch` beside a test, on a real directory of snapshots.
struct BarRun {
  /// The directory, its host and the clocks of the machine.
  let vault: SimulatedVault

  /// Makes a directory in a state.
  init(_ state: SimulatedState? = .valid(for: .seconds(7200))) throws {
    vault = try SimulatedVault(time: .system)
    if let state { try vault.show(state) }
  }

  /// The request for a run with the words behind `watch`.
  func request(_ words: [String], input: ToolRequest.Input = .none) -> ToolRequest {
    .product("tokenvault", ["watch"] + words, environment: environment, input: input)
  }

  /// The request for a run of a shell, which finds the command as `$tokenvault`.
  func shell(_ script: String) -> ToolRequest {
    ToolRequest(
      "bash", ["-c", script],
      environment: environment.merging(["tokenvault": PackageLayout.product("tokenvault")]) { $1 })
  }

  /// The environment of a bar.
  var environment: [String: String] {
    vault.environment.merging(["PATH": Environment.searchPath]) { $1 }
  }

  /// Starts a run with the words behind `watch`.
  func start(_ words: String..., input: ToolRequest.Input = .none) throws -> RunningTool {
    try RunningTool(request(words, input: input))
  }

  /// What a line of waybar's says.
  static func text(_ line: String) -> String {
    (try? ShownRecord.of(line + "\n", .waybar).text) ?? "no record: \(line)"
  }
}
