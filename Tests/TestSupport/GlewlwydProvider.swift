/// Glewlwyd, an OpenID provider that people really run, started new for one test on loopback.
///
/// It ends with this object, with `stop()`, and with the test process, however that ends.
package final class GlewlwydProvider: Sendable {
  /// The issuer, as the discovery document has it.
  package let issuer: String
  /// What the provider was started with.
  package let settings: GlewlwydSettings
  private let directory: TemporaryDirectory
  private let supervisor: RunningTool

  private init(
    issuer: String, settings: GlewlwydSettings, directory: TemporaryDirectory,
    supervisor: RunningTool
  ) {
    self.issuer = issuer
    self.settings = settings
    self.directory = directory
    self.supervisor = supervisor
  }

  deinit {
    // Before the directory goes: the supervisor still needs the process's number in it.
    supervisor.closeInput()
    supervisor.waitForEnd()
  }

  /// Starts a provider and returns when it answers.
  ///
  /// - Throws: `ToolFailure` with the provider's own words when it doesn't come up.
  package static func start(
    _ settings: GlewlwydSettings = GlewlwydSettings()
  ) async throws -> GlewlwydProvider {
    let directory = try TemporaryDirectory()
    let port = try LoopbackPort.free()
    var environment = settings.environment
    environment["PATH"] = Environment.searchPath
    environment["PORT"] = "\(port)"
    let request = ToolRequest(
      script, ["run", directory.path], environment: environment, input: .open,
      limit: .seconds(1_800))
    let supervisor = try RunningTool(request)
    do {
      let ready = try await supervisor.output.next { $0.hasPrefix("ready ") }
      return GlewlwydProvider(
        issuer: String(ready.dropFirst("ready ".count)), settings: settings, directory: directory,
        supervisor: supervisor)
    } catch {
      supervisor.closeInput()
      throw ToolFailure(program: script, result: await supervisor.result())
    }
  }

  /// The port that it listens on.
  package var port: String {
    String(issuer.split(separator: "/")[1].split(separator: ":")[1])
  }

  /// The certificate file of the provider's own authority, when it was started with TLS.
  package var authorityFile: String? {
    settings.isEncrypted ? directory.file("ca.pem") : nil
  }

  /// Takes the provider away, as an outage does; what it knows is kept.
  ///
  /// - Throws: `ToolFailure` when it stays.
  package func down() async throws { try await command("down") }

  /// Brings it back.
  ///
  /// - Throws: `ToolFailure` when it doesn't come up.
  package func up() async throws { try await command("up") }

  /// Makes it sign with a new key and forget the old one.
  ///
  /// - Throws: `ToolFailure` when it refuses.
  package func rotateKey() async throws { try await command("rotate-key") }

  /// Disables every grant, as if the person had revoked them at another place.
  ///
  /// - Throws: `ToolFailure` when it fails.
  package func revokeEverything() async throws { try await command("revoke-user-tokens") }

  /// Ends the provider for good.
  package func stop() async {
    supervisor.closeInput()
    _ = await supervisor.result()
  }

  /// What it has issued and refused since its start, counted in its log.
  ///
  /// - Returns: the counts for one client.
  /// - Throws: when the log can't be read.
  package func counts(
    client: String = GlewlwydSettings.publicClient
  ) throws(SystemCallError) -> GlewlwydCounts {
    GlewlwydCounts(log: try TestFile.text(directory.file("glewlwyd.log")), client: client)
  }

  /// Plays the person in front of the browser: signs in, agrees, and lets it go back to the client.
  ///
  /// - Parameters:
  ///   - authorizationURL: where the client sends the browser.
  ///   - isDelivered: whether to follow the redirect to the client's listener.
  /// - Returns: the redirect's address, without its parameters when it was delivered.
  /// - Throws: `ToolFailure` with the reason when the person is turned away.
  @discardableResult
  package func signIn(at authorizationURL: String, isDelivered: Bool = true) async throws -> String
  {
    try await person((isDelivered ? [] : ["--no-deliver"]) + [authorizationURL])
  }

  /// Plays the person who approves a device's code.
  ///
  /// - Parameter verificationURL: the complete one, with the user code in it.
  /// - Throws: `ToolFailure` with the reason when the code is not accepted.
  package func approveDevice(at verificationURL: String) async throws {
    try await person(["--device", verificationURL])
  }

  @discardableResult
  private func person(_ arguments: [String]) async throws -> String {
    let authority = authorityFile.map { ["--authority", $0] } ?? []
    let result = try await ToolRunner.runSuccessfully(
      ToolRequest("\(PackageLayout.root)/Tests/Providers/person", authority + arguments))
    return String(result.output.prefix { $0 != "\n" })
  }

  private func command(_ name: String) async throws {
    try await ToolRunner.runSuccessfully(ToolRequest(Self.script, [name, directory.path]))
  }

  private static var script: String { "\(PackageLayout.root)/Tests/Providers/glewlwyd" }
}
