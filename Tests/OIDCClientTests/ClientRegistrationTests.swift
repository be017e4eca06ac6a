import DevelopmentProvider
import GrantModel
import HTTPExchange
import LoopbackHTTP
import OIDCClient
import SessionModel
import StrictJSON
import TestSupport
import Testing

/// Dynamic client registration (RFC 7591).
@Suite(.timeLimit(.minutes(1)))
struct ClientRegistrationTests {
  private static let asked = ClientMetadata(name: "TokenVault", scopes: ["openid", "profile"])

  private static func register(
    _ fixture: ClientFixture, _ client: ClientMetadata = asked, token: String? = nil
  ) async throws(RegistrationError) -> RegisteredClient {
    let clock = fixture.clock
    return try await ClientRegistration(
      issuer: fixture.provider.issuer, http: HTTPClient(),
      time: ClientTime(clock: clock) { UnixTime(rawValue: ClientFixture.start) + clock.now.offset }
    ).register(client, token: token)
  }

  private static func answer(_ status: Int, _ body: String) -> FaultEffect {
    var effect = FaultEffect.status(status)
    effect.body = Array(body.utf8)
    return effect
  }

  @Test func aPublicNativeClientIsRegisteredAndSignsIn() async throws {
    let fixture = try ClientFixture()
    let client = try await Self.register(fixture)
    #expect(client.authentication == .publicClient)
    #expect(client.secret == nil)
    #expect(client.notes == [])
    let sent = try #require(fixture.provider.registrations.first)
    #expect(
      sent == [
        "client_name": .string("TokenVault"), "application_type": .string("native"),
        "redirect_uris": .array([
          .string("http://127.0.0.1/callback"), .string("http://[::1]/callback"),
        ]),
        "grant_types": .array([
          .string("authorization_code"), .string("refresh_token"),
          .string("urn:ietf:params:oauth:grant-type:device_code"),
        ]),
        "response_types": .array([.string("code")]),
        "token_endpoint_auth_method": .string("none"), "scope": .string("openid profile"),
      ])
    let source = fixture.source { $0.clientId = client.clientId }
    #expect(try await fixture.grant(source).clientId == client.clientId)
  }

  @Test func withoutADeviceEndpointNoDeviceCodesAreAskedFor() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [.remove("device_authorization_endpoint")]
    _ = try await Self.register(fixture)
    #expect(
      fixture.provider.registrations.first?["grant_types"]
        == .array([.string("authorization_code"), .string("refresh_token")]))
  }

  private static let choices: [([String]?, ClientMetadata.Authentication)] = [
    (["none", "client_secret_basic"], .publicClient),
    (["client_secret_post", "client_secret_basic"], .basic), (["client_secret_post"], .post),
    (["private_key_jwt"], .publicClient), (nil, .publicClient),
  ]

  @Test(arguments: choices)
  func theMetadataDecidesWhetherThereIsASecret(
    methods: [String]?, expected: ClientMetadata.Authentication
  ) async throws {
    let fixture = try ClientFixture()
    let name = "token_endpoint_auth_methods_supported"
    fixture.provider.overrides.discovery = [
      methods.map { .set(name, .array($0.map { .string($0) })) } ?? .remove(name)
    ]
    let client = try await Self.register(fixture)
    #expect(client.authentication == expected)
    #expect((client.secret == nil) == (expected == .publicClient))
    #expect(client.notes.isEmpty)
    var asked = Self.asked
    asked.authentication = .publicClient
    let insistent = try await Self.register(fixture, asked)
    #expect(insistent.authentication == .publicClient)
    #expect(insistent.notes.count == (expected == .publicClient ? 0 : 1))
  }

  @Test func whereDeviceCodesAreRefusedTheyAreLeftOut() async throws {
    let fixture = try ClientFixture()
    fixture.provider.setFaults([
      FaultRule(
        .register, .requests(1...1), Self.answer(400, #"{"error":"invalid_client_metadata"}"#))
    ])
    let client = try await Self.register(fixture)
    #expect(client.notes == ["the provider does not register this client for device codes"])
    #expect(
      fixture.provider.registrations.map { $0["grant_types"] } == [
        .array([.string("authorization_code"), .string("refresh_token")])
      ])
  }

  @Test func whatDeviceCodesHaveNothingToDoWithIsNotAskedForTwice() async throws {
    let fixture = try ClientFixture()
    fixture.provider.setFaults([
      FaultRule(.register, .always, Self.answer(400, #"{"error":"invalid_redirect_uri"}"#))
    ])
    await #expect(throws: RegistrationError.refused(code: "invalid_redirect_uri", words: nil)) {
      try await Self.register(fixture)
    }
    #expect(fixture.provider.count(of: .register) == 1)
  }

  @Test func anIssuerWithoutMetadataIsSaid() async throws {
    let fixture = try ClientFixture()
    fixture.provider.setFaults([FaultRule(nil, .always, .status(404))])
    await #expect(
      throws: RegistrationError.configuration(
        "below this issuer is no provider's metadata; check how it is spelled")
    ) { try await Self.register(fixture) }
  }

  @Test(arguments: [ClientMetadata.Authentication.basic, .post])
  func aConfidentialClientGetsASecretThatIsShownNowhere(
    authentication: ClientMetadata.Authentication
  ) async throws {
    let fixture = try ClientFixture()
    var asked = Self.asked
    asked.authentication = authentication
    let client = try await Self.register(fixture, asked)
    let secret = try #require(client.secret)
    #expect(client.authentication == authentication)
    #expect(String(decoding: client.record, as: UTF8.self).contains(secret))
    var dumped = ""
    dump(client, to: &dumped)
    #expect(!"\(client)\(dumped)".contains(secret))
    let source = fixture.source {
      $0.clientId = client.clientId
      let text: ClientAuthentication.Secret = { () throws(ClientSecretError) in secret }
      $0.authentication = authentication == .basic ? .basic(text) : .post(text)
    }
    _ = try await fixture.grant(source)
  }

  @Test func anInitialAccessTokenIsSentAndNeverShown() async throws {
    let fixture = try ClientFixture { $0.registration = .withToken("initial-token") }
    await #expect(throws: RegistrationError.unauthorized(hasToken: false)) {
      try await Self.register(fixture)
    }
    await #expect(throws: RegistrationError.unauthorized(hasToken: true)) {
      try await Self.register(fixture, token: "another")
    }
    _ = try await Self.register(fixture, token: "initial-token")
    fixture.provider.setFaults([
      FaultRule(
        .register, .always,
        Self.answer(
          400,
          #"{"error":"invalid_client_metadata","error_description":"initial-token is narrow"}"#))
    ])
    // Both times, with device codes and without.
    await #expect(throws: RegistrationError.refused(code: "invalid_client_metadata", words: nil)) {
      try await Self.register(fixture, token: "initial-token")
    }
  }

  @Test(arguments: ["", "two\nlines", "é"])
  func whatIsNoTokenIsNotSent(token: String) async throws {
    let fixture = try ClientFixture()
    await #expect(
      throws: RegistrationError.configuration(
        "the initial access token is empty or holds characters that no token has")
    ) { try await Self.register(fixture, token: token) }
    #expect(fixture.provider.requests.isEmpty)
  }

  @Test func aProviderWithoutTheEndpointIsSentNothing() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [.remove("registration_endpoint")]
    await #expect(throws: RegistrationError.notOffered) { try await Self.register(fixture) }
    // It is looked for in both documents.
    #expect(fixture.provider.requests.map(\.endpoint) == [.discovery, .serverMetadata])
  }

  @Test func theEndpointMayStandInTheOtherDocument() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [.remove("registration_endpoint")]
    fixture.provider.overrides.serverMetadata = [
      .set("registration_endpoint", .string(fixture.provider.issuer + "/register"))
    ]
    _ = try await Self.register(fixture)
  }

  @Test(arguments: ["http://id.example/register", "ftp://127.0.0.1/register", "/register"])
  func anEndpointThatIsNotSafeIsSentNothing(address: String) async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [.set("registration_endpoint", .string(address))]
    await #expect(
      throws: RegistrationError.configuration(
        "\(MetadataError.forbiddenEndpoint("registration_endpoint"))")
    ) { try await Self.register(fixture) }
    #expect(fixture.provider.requests.map(\.endpoint) == [.discovery])
  }

  @Test(arguments: [
    (
      400, #"{"error":"invalid_redirect_uri","error_description":"no \u001b loopback"}"#,
      RegistrationError.refused(code: "invalid_redirect_uri", words: "no \u{1b} loopback")
    ),
    (
      400, #"{"error":"invalid_client_metadata"}"#,
      .refused(code: "invalid_client_metadata", words: nil)
    ),
    (400, #"{"error":"Secret-1"}"#, .refused(code: "unrecognised", words: nil)),
    (400, "", .transient(.refusedWithoutReason(status: 400))),
    (401, "", .unauthorized(hasToken: false)),
    (403, #"{"error":"access_denied"}"#, .unauthorized(hasToken: false)),
    (404, "", .notOffered),
    (302, "", .transient(.unavailable(status: 302))),
    (307, "", .transient(.unavailable(status: 307))),
    (500, "", .transient(.unavailable(status: 500))),
    (201, "<html>", .transient(.unavailable(status: 201))),
    (201, "[]", .unusable("the answer is not a JSON object")),
    (201, "{}", .unusable("client_id is missing or is not printable ASCII")),
    (201, #"{"client_id":"é"}"#, .unusable("client_id is missing or is not printable ASCII")),
    (201, #"{"client_id":7}"#, .unusable("client_id is missing or is not printable ASCII")),
    (
      200, #"{"error":"invalid_client_metadata"}"#,
      .refused(code: "invalid_client_metadata", words: nil)
    ),
  ])
  func anyOtherAnswerRegistersNothing(
    status: Int, body: String, expected: RegistrationError
  ) async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [.remove("device_authorization_endpoint")]
    var effect = Self.answer(status, body)
    effect.headers = [.init(name: "Location", value: fixture.provider.issuer + "/userinfo")]
    fixture.provider.setFaults([FaultRule(.register, .always, effect)])
    await #expect(throws: expected) { try await Self.register(fixture) }
    // Sent once, and a redirect is not followed.
    #expect(fixture.provider.requests.map(\.endpoint) == [.discovery, .register])
  }

  @Test(arguments: [
    (
      MemberOverride.set("redirect_uris", .array([.string("http://127.0.0.1/other")])),
      "redirect_uris lacks http://127.0.0.1/callback, which was asked for"
    ),
    (
      .set("redirect_uris", .array([.string("http://127.0.0.1/callback")])),
      "redirect_uris lacks http://[::1]/callback, which was asked for"
    ),
    (
      .set("grant_types", .array([.string("implicit")])), "grant_types lacks authorization_code"
    ),
    (.set("response_types", .array([.string("token")])), "response_types lacks code"),
    (
      .set("token_endpoint_auth_method", .string("private_key_jwt")),
      "token_endpoint_auth_method is none that this client has"
    ),
    (
      .set("token_endpoint_auth_method", .string("client_secret_basic")),
      "client_secret is missing"
    ),
  ])
  func aClientThatCouldNotSignInIsRefused(change: MemberOverride, check: String) async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.registration = [change]
    await #expect(throws: RegistrationError.unusable(check)) {
      try await Self.register(fixture)
    }
  }

  @Test(arguments: ["", "two\nlines", "é"])
  func aSecretThatCouldBreakAHeaderFieldIsRefused(secret: String) {
    #expect(throws: RegistrationError.unusable("client_secret is not printable ASCII")) {
      try RegisteredClient(
        ["client_id": .string("a"), "client_secret": .string(secret)], asked: Self.asked)
    }
  }

  @Test func whatTheProviderLeavesOutIsTakenForWhatWasAsked() throws {
    let client = try RegisteredClient(
      ["client_id": .string("a"), "client_secret_expires_at": .integer(1_900_000_000)],
      asked: Self.asked)
    #expect(client.authentication == .publicClient)
    #expect(client.secretExpiresAt == nil, "there is no secret that could end")
    #expect(client.notes.isEmpty)
    let secret = try RegisteredClient(
      [
        "client_id": .string("a"), "client_secret": .string("s"),
        "client_secret_expires_at": .integer(1_900_000_000),
      ], asked: Self.asked)
    // The metadata decides how it is sent.
    #expect(secret.authentication == nil)
    #expect(secret.secret == "s")
    #expect(secret.secretExpiresAt == UnixTime(rawValue: 1_900_000_000))
  }

  @Test func whatWillBeMissedIsSaid() throws {
    let client = try RegisteredClient(
      [
        "client_id": .string("a"), "grant_types": .array([.string("authorization_code")]),
        "scope": .string("profile email"),
      ], asked: Self.asked)
    #expect(
      client.notes == [
        "the provider has not registered refresh tokens: sessions may end early",
        "the provider's answer does not list the scope openid",
      ])
  }

  @Test(arguments: [
    (
      RegistrationError.refused(code: "invalid_redirect_uri", words: "no \u{1b} loopback"),
      "the provider does not allow a redirect that was asked for (invalid_redirect_uri); name"
        + " another with --redirect; it says: \"no \\u{1b} loopback\""
    ),
    (
      .refused(code: "unapproved_software_statement", words: nil),
      "the provider registers only programs that it has approved (unapproved_software_statement),"
        + " and this is none"
    ),
    (
      .unauthorized(hasToken: false),
      "the provider registers only with an initial access token; get one there and name it with"
        + " --token-file"
    ),
    (
      .transient(.lostAnswer("x")),
      "the provider's answer was lost, and it may have registered a client that nobody knows: x"
    ),
  ])
  func eachErrorIsASentenceWithWhatToDo(error: RegistrationError, text: String) {
    #expect(error.description == text)
  }
}
