import DevelopmentProvider
import HTTPExchange
import TestSupport

/// A home of its own in which the built programs run.
final class HostMachine: Sendable {
  let root: TemporaryDirectory
  let environment: [String: String]

  init() throws {
    root = try TemporaryDirectory()
    environment = [
      "HOME": root.path, "PATH": Environment.searchPath,
      "TOKENVAULT_CONFIG": root.file("config.toml"), "TOKENVAULT_STATE_DIR": root.file("state"),
      "TOKENVAULT_KEY_DIR": root.file("keys"), "TOKENVAULT_RUNTIME_DIR": root.file("run"),
    ]
  }

  /// Writes the configuration of one namespace, and more lines behind it.
  func configure(issuer: String, _ more: String = "") throws {
    try root.write(
      """
      [namespaces.primary]
      issuer = "\(issuer)"
      clientId = "desktop"
      scopes = ["openid", "profile", "offline_access"]
      \(more)
      """, to: "config.toml")
  }

  /// The request of a program of the package.
  func request(
    _ program: String, _ arguments: [String], environment more: [String: String] = [:],
    limit: Duration = .seconds(60)
  ) -> ToolRequest {
    .product(program, arguments, environment: environment.merging(more) { $1 }, limit: limit)
  }

  /// Runs the host to its end.
  func host(_ arguments: String...) async throws -> ToolResult {
    try await ToolRunner.run(request("tokenvault-host", arguments))
  }

  /// Runs the command of the people to its end.
  func vault(
    _ arguments: String..., input: ToolRequest.Input = .none
  ) async throws -> ToolResult {
    var request = request("tokenvault", arguments)
    request.input = input
    return try await ToolRunner.run(request)
  }

  /// Starts a host and waits until it is ready.
  func startHost(
    _ arguments: [String] = [], environment: [String: String] = [:],
    limit: Duration = .seconds(60)
  ) async throws -> RunningTool {
    let tool = try RunningTool(
      request("tokenvault-host", arguments, environment: environment, limit: limit))
    try await tool.error.next { $0 == "tokenvault-host: ready" }
    return tool
  }

  /// Signs in by a browser that has no screen.
  func signIn(_ namespace: String = "primary") async throws -> ToolResult {
    let tool = try RunningTool(
      request("tokenvault", ["sign-in", namespace, "--json", "--no-browser"]))
    do {
      let line = try await tool.output.next { $0.contains("\"authorize\"") }
      let url = line.split(separator: "\"", omittingEmptySubsequences: false)
        .first { $0.hasPrefix("http") }
      await HostMachine.browse(url.map(String.init) ?? "")
    } catch EventWaitError.finished {
      // It failed before there was anywhere to go to.
    }
    return await tool.result()
  }

  /// Ends a host as a service manager does.
  func end(_ tool: RunningTool) async -> ToolResult {
    tool.terminate()
    return await tool.result()
  }

  /// Follows redirects as a browser does, until a page comes.
  static func browse(_ url: String) async {
    var next = url
    for _ in 1...5 {
      guard let answer = try? await HTTPClient().send(HTTPRequest(url: next)),
        (300...399).contains(answer.status), let location = answer.headers["Location"]
      else { return }
      next = location
    }
  }
}

extension LoopbackProvider {
  /// A provider that says yes by itself.
  static func approving(
    lifetime: Duration = .seconds(300), _ adjust: (inout ProviderConfiguration) -> Void = { _ in }
  ) throws -> LoopbackProvider {
    var configuration = ProviderConfiguration()
    configuration.approval = .automatic
    configuration.accessTokenLifetime = lifetime
    adjust(&configuration)
    return try LoopbackProvider(configuration)
  }

  /// Makes every request of an endpoint wait, until faults are set anew.
  func hang(at endpoint: ProviderEndpoint? = nil) {
    var effect = FaultEffect()
    effect.delay = .seconds(120)
    setFaults([FaultRule(endpoint, .always, effect)])
  }
}
