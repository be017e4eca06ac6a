import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct GlewlwydProviderTests {
  @Test func thePersonSignsInAndTheTokensRotate() async throws {
    let provider = try await GlewlwydProvider.start()
    let client = CurlClient(provider: provider)
    let first = try await client.signIn()
    let second = try await client.refresh(first.refreshToken)
    #expect(second.refreshToken != first.refreshToken)
    #expect(try await client.userInfoStatus(second.accessToken) == "200")
    #expect(
      try provider.counts()
        == GlewlwydCounts(signIns: 1, renewals: 1, refreshTokens: 2, refusals: 0))
    await #expect(throws: ToolFailure.self) { try await client.refresh(first.refreshToken) }
    #expect(try provider.counts().refusals == 1)
  }

  @Test func anOutageKeepsTheGrants() async throws {
    let provider = try await GlewlwydProvider.start()
    let client = CurlClient(provider: provider)
    let tokens = try await client.signIn()
    try await provider.down()
    await #expect(throws: ToolFailure.self) { try await client.refresh(tokens.refreshToken) }
    try await provider.up()
    _ = try await client.refresh(tokens.refreshToken)
  }

  @Test func revokingEverythingEndsTheGrants() async throws {
    let provider = try await GlewlwydProvider.start()
    let client = CurlClient(provider: provider)
    let tokens = try await client.signIn()
    try await provider.revokeEverything()
    await #expect(throws: ToolFailure.self) { try await client.refresh(tokens.refreshToken) }
  }

  @Test func aNewKeyReplacesTheOldOne() async throws {
    var settings = GlewlwydSettings()
    settings.algorithm = .es256
    settings.isEncrypted = true
    let provider = try await GlewlwydProvider.start(settings)
    let client = CurlClient(provider: provider)
    let before = try await client.get("/jwks")
    try await provider.rotateKey()
    let after = try await client.get("/jwks")
    #expect(before.contains("P-256") && after.contains("P-256"))
    #expect(before != after)
  }

  @Test func aDeviceIsApproved() async throws {
    let provider = try await GlewlwydProvider.start()
    let client = CurlClient(provider: provider)
    let device = try await client.authorizeDevice()
    try await provider.approveDevice(at: device.verificationURL)
    #expect(try await client.poll(device.code).refreshToken.count == 128)
    #expect(try provider.counts().signIns == 1)
  }

  @Test func itEndsWithItsOwnerAndLeavesNothing() async throws {
    let port = try await startAndForget()
    #expect(LoopbackPort.isFree(port))
  }

  private func startAndForget() async throws -> UInt16 {
    let provider = try await GlewlwydProvider.start()
    let port = try #require(UInt16(provider.port))
    #expect(!LoopbackPort.isFree(port))
    return port
  }
}

/// The protocol by curl and jq, so that the provider is tested apart from the project's own client.
private struct CurlClient {
  struct Tokens {
    let accessToken: String
    let refreshToken: String
  }

  let provider: GlewlwydProvider
  private let verifier = String(repeating: "v", count: 43)
  // base64url of the verifier's SHA-256.
  private let challenge = "7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM"
  private let redirect = "http://127.0.0.1:8400/callback"

  init(provider: GlewlwydProvider) { self.provider = provider }

  func signIn() async throws -> Tokens {
    let location = try await provider.signIn(
      at: "\(provider.issuer)/auth?response_type=code&client_id=desktop&redirect_uri=\(redirect)"
        + "&scope=openid%20profile%20offline_access&state=s&nonce=n&code_challenge=\(challenge)"
        + "&code_challenge_method=S256", isDelivered: false)
    let code = try #require(location.split(separator: "code=").last)
    return try await tokens([
      "grant_type=authorization_code", "code=\(code)", "redirect_uri=\(redirect)",
      "code_verifier=\(verifier)",
    ])
  }

  func refresh(_ token: String) async throws -> Tokens {
    try await tokens(["grant_type=refresh_token", "refresh_token=\(token)"])
  }

  func poll(_ code: String) async throws -> Tokens {
    try await tokens([
      "grant_type=urn:ietf:params:oauth:grant-type:device_code", "device_code=\(code)",
    ])
  }

  func authorizeDevice() async throws -> (code: String, verificationURL: String) {
    let answer = try await curl(
      "/device_authorization", data: ["scope=openid profile offline_access"])
    return (
      try await member("device_code", of: answer),
      try await member("verification_uri_complete", of: answer)
    )
  }

  func get(_ path: String) async throws -> String { try await curl(path, data: nil) }

  func userInfoStatus(_ token: String) async throws -> String {
    try await ToolRunner.runSuccessfully(
      ToolRequest(
        "curl",
        [
          "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Authorization: Bearer \(token)",
          "\(provider.issuer)/userinfo",
        ])
    ).output
  }

  private func tokens(_ data: [String]) async throws -> Tokens {
    let answer = try await curl("/token", data: data)
    return Tokens(
      accessToken: try await member("access_token", of: answer),
      refreshToken: try await member("refresh_token", of: answer))
  }

  private func curl(_ path: String, data: [String]?) async throws -> String {
    var arguments = ["-sS", "--fail"]
    if let authority = provider.authorityFile { arguments += ["--cacert", authority] }
    for pair in data.map({ $0 + ["client_id=desktop"] }) ?? [] { arguments += ["-d", pair] }
    return try await ToolRunner.runSuccessfully(
      ToolRequest("curl", arguments + [provider.issuer + path])
    ).output
  }

  private func member(_ name: String, of json: String) async throws -> String {
    let result = try await ToolRunner.runSuccessfully(
      ToolRequest("jq", ["-er", ".\(name)"], input: .text(json)))
    return String(result.output.dropLast())
  }
}
