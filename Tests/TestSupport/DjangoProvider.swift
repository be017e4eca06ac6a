/// django-oauth-toolkit, an OpenID provider that people really run, started new for one test.
///
/// Its errors are those of the RFCs, its access tokens are opaque, and its metadata is in two
/// documents. It ends with this object and with the test process, however that ends.
package final class DjangoProvider: Sendable {
  /// The client of the device flow: each client has one grant type here.
  package static let deviceClient = "device"
  /// The client that has no secret.
  package static let publicClient = "desktop"
  /// The client that has one.
  package static let confidentialClient = "confidential"
  /// The secret of the confidential client.
  package static let clientSecret = "client-secret"

  /// Python with the packages that the provider needs, where `make test-prerequisites` put them;
  /// nil where they are not.
  package static let python: String? = {
    let python =
      Environment.value("TOKENVAULT_PYTHON")
      ?? "\(PackageLayout.root)/.build/venv/bin/python"
    return TestFile.exists(python) ? python : nil
  }()

  /// The issuer, as the discovery document has it.
  package let issuer: String
  private let directory: TemporaryDirectory
  private let process: RunningTool

  private init(issuer: String, directory: TemporaryDirectory, process: RunningTool) {
    self.issuer = issuer
    self.directory = directory
    self.process = process
  }

  deinit {
    process.closeInput()
    process.waitForEnd()
  }

  /// Starts a provider and returns when it answers.
  ///
  /// - Parameter accessTokenLifetime: how long its access tokens live, in whole seconds.
  /// - Returns: the provider.
  /// - Throws: `ToolFailure` with the provider's own words when it doesn't come up.
  package static func start(
    accessTokenLifetime: Duration = .seconds(5)
  ) async throws -> DjangoProvider {
    let directory = try TemporaryDirectory()
    let script = "\(PackageLayout.root)/Tests/Providers/django"
    let request = ToolRequest(
      python ?? "python3", [script, directory.path],
      environment: [
        "PATH": Environment.searchPath, "PORT": "\(try LoopbackPort.free())",
        "ACCESS_TOKEN_LIFETIME": "\(accessTokenLifetime.components.seconds)",
      ], input: .open, limit: .seconds(1_800))
    let process = try RunningTool(request)
    do {
      let ready = try await process.output.next { $0.hasPrefix("ready ") }
      return DjangoProvider(
        issuer: String(ready.dropFirst("ready ".count)), directory: directory, process: process)
    } catch {
      process.closeInput()
      throw ToolFailure(program: script, result: await process.result())
    }
  }

  /// Plays the person in front of the browser: signs in, agrees, and lets it go back to the client.
  ///
  /// - Parameters:
  ///   - url: where the client sends the browser.
  ///   - isDelivered: whether to follow the redirect to the client's listener.
  ///   - isDenied: whether the person says no.
  /// - Returns: the redirect's address, without its parameters when it was delivered.
  /// - Throws: `ToolFailure` with the reason when the person is turned away.
  @discardableResult
  package func signIn(
    at url: String, isDelivered: Bool = true, isDenied: Bool = false
  ) async throws -> String {
    try await Self.person(
      (isDelivered ? [] : ["--no-deliver"]) + (isDenied ? ["--deny"] : []) + [url])
  }

  /// Plays the person who decides about a device's code.
  ///
  /// - Parameters:
  ///   - url: the complete verification URL, with the user code in it.
  ///   - isDenied: whether the person says no.
  /// - Throws: `ToolFailure` with the reason when the code is not accepted.
  package func decideDevice(at url: String, isDenied: Bool = false) async throws {
    try await Self.person(["--device"] + (isDenied ? ["--deny"] : []) + [url])
  }

  @discardableResult
  private static func person(_ arguments: [String]) async throws -> String {
    let result = try await ToolRunner.runSuccessfully(
      ToolRequest("\(PackageLayout.root)/Tests/Providers/form-person", arguments))
    return String(result.output.prefix { $0 != "\n" })
  }
}
