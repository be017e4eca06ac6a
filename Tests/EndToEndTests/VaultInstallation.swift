import TestSupport

/// Everything that one person has on one machine, in a temporary directory: configuration, state,
/// keys, runtime files, and the built programs that work on them.
final class VaultInstallation: Sendable {
  let directory: TemporaryDirectory

  init(configuration: String) throws {
    directory = try TemporaryDirectory()
    try directory.write(configuration, to: "config.toml")
  }

  /// A configuration of one namespace.
  static func configuration(
    issuer: String, clientId: String = GlewlwydSettings.publicClient, more: String = ""
  ) -> String {
    """
    [namespaces.primary]
    issuer = "\(issuer)"
    clientId = "\(clientId)"
    scopes = ["openid", "profile", "offline_access"]
    \(more)

    """
  }

  var environment: [String: String] {
    [
      "PATH": Environment.searchPath,
      "HOME": directory.path,
      "TOKENVAULT_CONFIG": directory.file("config.toml"),
      "TOKENVAULT_RUNTIME_DIR": directory.file("runtime"),
      "TOKENVAULT_STATE_DIR": directory.file("state"),
      "TOKENVAULT_KEY_DIR": directory.file("keys"),
    ]
  }

  /// Starts the host and returns when it is ready.
  func startHost(_ arguments: [String] = ["--verbose"]) async throws -> RunningTool {
    let host = try RunningTool(
      .product("tokenvault-host", arguments, environment: environment, limit: .seconds(600)))
    try await host.error.next { $0.hasSuffix("ready") }
    return host
  }

  /// Runs `tokenvault` to its end.
  func tokenvault(_ arguments: String...) async throws -> ToolResult {
    try await ToolRunner.run(.product("tokenvault", arguments, environment: environment))
  }

  /// Runs `tokenvault-host` to its end.
  func host(_ arguments: String...) async throws -> ToolResult {
    try await ToolRunner.run(.product("tokenvault-host", arguments, environment: environment))
  }

  /// Starts `tokenvault` beside the test.
  func start(_ arguments: String...) throws -> RunningTool {
    try RunningTool(
      .product("tokenvault", arguments, environment: environment, limit: .seconds(300)))
  }

  /// Signs in, a person being played by a closure that gets the first event's member.
  ///
  /// - Parameters:
  ///   - arguments: behind `sign-in primary --json --no-browser`.
  ///   - member: the event's member that the person needs, such as `url`.
  ///   - person: goes where the event says.
  /// - Returns: how the command ended.
  /// - Throws: when the command cannot be run or the person fails.
  func signIn(
    _ arguments: [String] = [], member: String = "url",
    person: (String) async throws -> Void
  ) async throws -> ToolResult {
    let command = try RunningTool(
      .product(
        "tokenvault", ["sign-in", "primary", "--json", "--no-browser"] + arguments,
        environment: environment, limit: .seconds(120)))
    let event = try await command.output.next()
    try await person(VaultInstallation.member(member, of: event))
    return await command.result()
  }

  /// The text of a member of a one-line JSON object that the programs print.
  static func member(_ name: String, of line: String) -> String {
    guard let start = line.range(of: "\"\(name)\":\"") else { return "" }
    return String(line[start...].prefix { $0 != "\"" })
  }
}

extension String {
  /// Where the rest behind the first occurrence of a text begins.
  fileprivate func range(of text: String) -> String.Index? {
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(text) { return rest.index(rest.startIndex, offsetBy: text.count) }
      rest = rest.dropFirst()
    }
    return nil
  }
}
