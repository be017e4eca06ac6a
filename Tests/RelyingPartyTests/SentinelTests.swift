import DevelopmentProvider
import HTTPExchange
import LoopbackHTTP
import StrictJSON
import TestSupport
import Testing

/// The host and the command as programs, through everything that goes well and wrong, with every
/// word that they print.
@Suite(.timeLimit(.minutes(4)))
struct SentinelTests {
  private static let sentinel = "SENTINEL"

  private struct Run {
    let provider: LoopbackProvider
    let directory: TemporaryDirectory
    let host: RunningTool
    let environment: [String: String]
    /// What the commands printed, line by line.
    let printed = EventRecorder<String>()
    /// The authorization URLs, the one thing with a query that has to be shown.
    let shown = EventRecorder<String>()

    init() async throws {
      var settings = ProviderConfiguration()
      settings.approval = .automatic
      settings.tokenPrefix = SentinelTests.sentinel
      settings.accessTokenForm = .jwt
      settings.accessTokenLifetime = .seconds(3)
      provider = try LoopbackProvider(settings, key: TestKeys.shared.get().rsa)
      directory = try TemporaryDirectory()
      let configuration = try directory.write(provider.configurationText, to: "config.toml")
      environment = [
        "HOME": directory.path, "TOKENVAULT_CONFIG": configuration,
        "TOKENVAULT_STATE_DIR": directory.file("state"),
        "TOKENVAULT_KEY_DIR": directory.file("keys"),
        "TOKENVAULT_RUNTIME_DIR": directory.file("run"),
      ]
      host = try RunningTool(
        ToolRequest.product(
          "tokenvault-host", ["--verbose"], environment: environment, limit: .seconds(200)))
      _ = try await host.error.next { $0.contains("ready") }
    }

    /// Runs `tokenvault` to its end and keeps what it prints.
    ///
    /// - Returns: what it ended with.
    @discardableResult
    func command(_ arguments: String..., reading text: String? = nil) async throws -> Int32 {
      let result = try await ToolRunner.run(
        ToolRequest.product(
          "tokenvault", arguments, environment: environment,
          input: text.map { .text($0) } ?? .none))
      printed.record(result.output)
      printed.record(result.error)
      return result.status
    }

    /// Starts a command that shows an address, and goes there.
    ///
    /// - Returns: the command, and where the browser is sent from that address.
    func begin(_ arguments: String...) async throws -> (command: RunningTool, location: String) {
      let command = try RunningTool(
        ToolRequest.product(
          "tokenvault", arguments + ["--no-browser", "--json"], environment: environment))
      let first = try await command.output.wait(count: 1)[0]
      let url = try JSONValue(parsing: Array(first.utf8))["url"]?.string ?? ""
      if url.contains("?") { shown.record(url) }
      return (command, try await location(behind: url))
    }

    /// Where a browser is sent from an address.
    func location(behind url: String) async throws -> String {
      let location = try await HTTPClient().send(HTTPRequest(url: url)).headers["Location"]
      return try #require(location)
    }

    /// Keeps what a command prints behind the line with the address.
    ///
    /// - Returns: what it ended with.
    func end(_ command: RunningTool) async -> Int32 {
      let result = await command.result()
      printed.record(result.output.split(separator: "\n").dropFirst().joined(separator: "\n"))
      printed.record(result.error)
      return result.status
    }

    /// Signs in, with a browser that may bring something else than the provider sent it with.
    func signIn(
      _ arguments: [String] = [], tampering: (String) -> String = { $0 }
    ) async throws {
      let command = try RunningTool(
        ToolRequest.product(
          "tokenvault", ["sign-in", "primary", "--no-browser", "--json"] + arguments,
          environment: environment))
      let first = try await command.output.wait(count: 1)[0]
      if let url = try JSONValue(parsing: Array(first.utf8))["url"]?.string {
        shown.record(url)
        if let location = try await HTTPClient().send(HTTPRequest(url: url)).headers["Location"] {
          _ = try? await HTTPClient().send(HTTPRequest(url: tampering(location)))
        }
      }
      let result = await command.result()
      let isURL = first.contains("\"authorize\"") || first.contains("\"device\"")
      printed.record(isURL ? String(result.output.dropFirst(first.count)) : result.output)
      printed.record(result.error)
    }

    func fault(_ endpoint: ProviderEndpoint?, _ status: Int, _ body: String, html: Bool = false) {
      var effect = FaultEffect.status(status)
      effect.body = Array(body.utf8)
      effect.headers = [
        .init(name: "Content-Type", value: html ? "text/html" : "application/json")
      ]
      provider.setFaults([FaultRule(endpoint, .always, effect)])
    }
  }

  @Test func ht09AndDv05NoOutputHoldsATokenACodeAVerifierOrAQuery() async throws {
    let run = try await Run()
    try await Self.signInBadly(run)
    try await run.signIn()
    try await Self.renewBadly(run)
    for format in ["status", "doctor"] { try await run.command(format) }
    try await run.command("status", "--json", "--all")
    run.fault(.revoke, 503, "{\"error\":\"\(Self.sentinel)\"}")
    try await run.command("sign-out", "primary")
    run.provider.setFaults([])
    try await Self.signInByDevice(run)
    try await run.command("sign-out", "primary", "--json")
    try await Self.bringAddresses(run)
    try await Self.signOutInBrowser(run)
    run.host.terminate()
    let host = await run.host.result()

    let texts = [host.output, host.error] + run.printed.events
    #expect(host.error.contains("renewed, generation"))
    #expect(host.error.contains("sign-in failed"))
    #expect(texts.joined().contains("is signed out") || texts.joined().contains("signed-out"))
    // 43 characters of base64url: a state, a nonce, a verifier or a challenge of some sign-in.
    let secrets = try run.shown.events.flatMap { url in
      try ["state", "nonce", "code_challenge"].compactMap { try Response(url)[$0] }
    }
    #expect(secrets.count >= 9)
    for text in texts {
      #expect(!text.contains(Self.sentinel))
      #expect(!text.contains("eyJ"), "a JWT")
      #expect(!secrets.contains { text.contains($0) })
      #expect(Self.longestRun(in: text) < 40, "something like a verifier")
      for line in text.split(separator: "\n") {
        #expect(!line.contains("://") || !line.contains("?"), "a URL's query: \(line)")
      }
    }
  }

  private static func signInBadly(_ run: Run) async throws {
    run.provider.overrides.idToken = [.setClaim("nonce", .string(sentinel))]
    try await run.signIn()
    run.provider.overrides.idToken = []
    run.provider.overrides.authorizationResponse = [.set("iss", .string("https://\(sentinel)"))]
    try await run.signIn()
    run.provider.overrides.authorizationResponse = [
      .remove("code"), .set("error", .string(sentinel)),
      .set("error_description", .string(sentinel)),
    ]
    try await run.signIn()
    run.provider.overrides.authorizationResponse = []
    try await run.signIn { $0 + "&code=\(sentinel)" }
    try await run.signIn { $0.replacing("state=", with: "state=\(sentinel)") }
    for (status, body) in [
      (400, "{\"error\":\"\(sentinel)\",\"error_description\":\"\(sentinel)\"}"),
      (200, "{\"access_token\":\"\(sentinel)\",\"\(sentinel)\":"), (200, sentinel),
      (500, "<html>\(sentinel)"),
    ] {
      run.fault(.token, status, body, html: status == 500)
      try await run.signIn()
    }
    run.provider.setFaults([FaultRule(.token, .always, .loseAnswer)])
    try await run.signIn()
    run.provider.setFaults([])
  }

  private static func renewBadly(_ run: Run) async throws {
    _ = try await run.host.error.next { $0.contains("renewed, generation") }
    for (status, body) in [
      (500, "<html>\(sentinel)"), (200, "{\(sentinel)"),
      // Not tried again soon: it comes last.
      (400, "{\"error\":\"\(sentinel)\"}"),
    ] {
      run.fault(.token, status, body, html: status == 500)
      _ = try await run.host.error.next { $0.contains("primary: the provider") }
      run.provider.setFaults([])
      if status == 400 { break }
      _ = try await run.host.error.next { $0.contains("renewed, generation") }
    }
    try await run.command("renew", "primary")
  }

  private static func bringAddresses(_ run: Run) async throws {
    let (command, location) = try await run.begin("sign-in", "primary")
    let forged = location.replacing("state=", with: "state=\(sentinel)")
    #expect(location.contains(sentinel), "the code")
    #expect(try await run.command("sign-in", "primary", "--complete", forged) == 77)
    #expect(try await run.command("sign-in", "--complete", "-", reading: forged + "\n") == 77)
    #expect(try await run.command("deliver", forged) == 77)
    for foreign in ["com.example.app://a/b?code=\(sentinel)&state=s", "?\(sentinel)", sentinel] {
      #expect(try await run.command("deliver", foreign) == 77)
      #expect(try await run.command("sign-in", "--complete", foreign) == 77)
    }
    #expect(try await run.command("deliver", location) == 0)
    #expect(await run.end(command) == 0)
    #expect(try await run.command("deliver", location) == 77)
    let (second, address) = try await run.begin("sign-in", "primary")
    #expect(try await run.command("sign-in", "--complete", "-", reading: address + "\n") == 0)
    #expect(await run.end(second) == 0)
  }

  private static func signOutInBrowser(_ run: Run) async throws {
    run.provider.overrides.endSessionResponse = [.set("state", .string(sentinel))]
    let (command, location) = try await run.begin("sign-out", "primary", "--browser")
    // The ID token and the state go to the provider, and are printed nowhere.
    run.shown.record(location)
    #expect(try Response(location)["id_token_hint"]?.hasPrefix("eyJ") == true)
    let back = try await run.location(behind: location)
    _ = try await HTTPClient().send(HTTPRequest(url: back))
    #expect(await run.end(command) == 0)
    _ = try await run.host.error.next { $0.contains("perhaps not at the provider") }
  }

  private static func signInByDevice(_ run: Run) async throws {
    var settings = run.provider.configuration
    settings.deviceInterval = .seconds(1)
    run.provider.configuration = settings
    try await run.signIn(["--flow", "device"])
  }

  /// The length of the longest piece of base64url in a text.
  private static func longestRun(in text: String) -> Int {
    var longest = 0
    var current = 0
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: current += 1
      default: current = 0
      }
      longest = max(longest, current)
    }
    return longest
  }
}
