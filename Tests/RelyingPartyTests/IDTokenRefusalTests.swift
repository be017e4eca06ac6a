import DevelopmentProvider
import GrantModel
import HostControl
import JOSE
import OIDCClient
import SessionHost
import SessionModel
import StrictJSON
import Testing

/// Every ID token that must not be believed, handed to a whole host: with and without a revocation
/// endpoint, where the grant that came with it is taken back.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct IDTokenRefusalTests {
  private static let now = HostFixture.start
  static let requests: [ProviderEndpoint] = [.discovery, .authorize, .token, .keys]

  private func refuse(
    _ check: String, _ mutations: [TokenMutation], _ revokes: Bool,
    provider: (inout ProviderConfiguration) -> Void = { _ in },
    client: (inout OIDCConfiguration) -> Void = { _ in },
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let host = try await HostFixture(revokes: revokes, provider: provider, client: client)
    host.provider.overrides.idToken = mutations
    try await host.expectRefusal(
      "the provider's answer failed a check: ID token: \(check)", requests: Self.requests,
      sourceLocation: sourceLocation)
  }

  @Test(arguments: [true, false])
  func rp02AnotherIssuerIsRefused(revokes: Bool) async throws {
    let host = try await HostFixture(revokes: revokes)
    host.provider.overrides.idToken = [.setClaim("iss", .string(host.provider.issuer + "1"))]
    try await host.expectRefusal(
      "the provider's answer failed a check: ID token: iss is another issuer",
      requests: Self.requests)
  }

  @Test(arguments: [true, false])
  func rp03AMissingIssuerIsRefused(revokes: Bool) async throws {
    try await refuse("iss is missing", [.removeClaim("iss")], revokes)
  }

  @Test(arguments: [true, false])
  func rp04AMissingSubjectIsRefused(revokes: Bool) async throws {
    try await refuse("sub is missing", [.removeClaim("sub")], revokes)
  }

  @Test(arguments: [true, false])
  func rp05AnotherAudienceIsRefused(revokes: Bool) async throws {
    try await refuse(
      "aud is not this client alone", [.setClaim("aud", .string("desktop1"))], revokes)
    // Naming the client as the one that may act does not make it the audience.
    try await refuse(
      "aud is not this client alone",
      [.setClaim("aud", .string("desktop1")), .setClaim("azp", .string("desktop"))], revokes)
  }

  @Test(arguments: [true, false])
  func rp06AMissingAudienceIsRefused(revokes: Bool) async throws {
    try await refuse("aud is missing", [.removeClaim("aud")], revokes)
  }

  @Test func rp07AnAudienceInAnArrayIsTaken() async throws {
    let host = try await HostFixture()
    host.provider.overrides.idToken = [.setClaim("aud", .array([.string("desktop")]))]
    #expect(try await host.signIn() == .signedIn(.primary))
  }

  @Test(arguments: [true, false])
  func rp08ASecondAudienceIsRefused(revokes: Bool) async throws {
    try await refuse(
      "aud is not this client alone",
      [.setClaim("aud", .array([.string("desktop"), .string("other")])), .removeClaim("azp")],
      revokes)
  }

  @Test(arguments: [true, false])
  func rp09AnotherAuthorizedPartyIsRefused(revokes: Bool) async throws {
    try await refuse(
      "azp is another client",
      [.setClaim("aud", .array([.string("desktop")])), .setClaim("azp", .string("other"))],
      revokes)
  }

  @Test(arguments: [true, false])
  func rp10AMissingTimeOfIssueIsRefused(revokes: Bool) async throws {
    try await refuse("iat is missing", [.removeClaim("iat")], revokes)
  }

  @Test(arguments: [true, false])
  func rp11AMissingExpiryIsRefused(revokes: Bool) async throws {
    try await refuse("exp is missing", [.removeClaim("exp")], revokes)
  }

  @Test(arguments: [true, false])
  func rp12AnExpiredTokenIsRefused(revokes: Bool) async throws {
    try await refuse(
      "exp is past; check this machine's clock",
      [
        .setClaim("iat", .integer(Self.now - 600)), .setClaim("exp", .integer(Self.now - 301)),
      ], revokes)
  }

  @Test func rp12ATokenWithinTheSkewIsTaken() async throws {
    let host = try await HostFixture()
    host.provider.overrides.idToken = [
      .setClaim("iat", .integer(Self.now - 600)), .setClaim("exp", .integer(Self.now - 59)),
    ]
    #expect(try await host.signIn() == .signedIn(.primary))
  }

  @Test(
    arguments: [
      ("iat", JSONValue.integer(now + 600), "iat or nbf is to come; check this machine's clock"),
      ("exp", .integer(now + 100 * 366 * 86_400), "exp does not follow iat plausibly"),
      ("exp", .string("1900000000"), "exp is of the wrong kind"),
      ("exp", .real(1e300), "exp is of the wrong kind"),
    ], [true, false])
  func rp13TimesThatCannotBeAreRefused(
    change: (name: String, value: JSONValue, check: String), revokes: Bool
  ) async throws {
    try await refuse(change.check, [.setClaim(change.name, change.value)], revokes)
  }

  @Test(arguments: [true, false])
  func rp14AnotherNonceIsRefused(revokes: Bool) async throws {
    try await refuse(
      "nonce is not the one that was sent", [.setClaim("nonce", .string("another"))], revokes)
  }

  @Test(arguments: [true, false])
  func rp15AMissingNonceIsRefused(revokes: Bool) async throws {
    try await refuse("nonce is missing", [.removeClaim("nonce")], revokes)
  }

  private static let notAllowed =
    "the token is signed with an algorithm that is not allowed; choose another at the provider"

  @Test(arguments: ["none", "NONE", "nOnE"], [true, false])
  func rp16AnUnsignedTokenIsRefused(algorithm: String, revokes: Bool) async throws {
    try await refuse(Self.notAllowed, [.unsigned(algorithm: algorithm)], revokes)
  }

  @Test(arguments: [TokenMutation.breakSignature, .foreignKey], [true, false])
  func rp17ABadSignatureIsRefusedAlthoughItCameFromTheTokenEndpoint(
    mutation: TokenMutation, revokes: Bool
  ) async throws {
    try await refuse("the token's signature is not valid", [mutation], revokes)
  }

  @Test(arguments: [true, false])
  func rp18ABadSignatureOfAnEllipticCurveIsRefused(revokes: Bool) async throws {
    try await refuse(
      "the token's signature is not valid", [.breakSignature], revokes,
      provider: { $0.algorithm = .es256 })
  }

  @Test(arguments: ["public key", "client identifier"], [true, false])
  func rp18ATokenMacedWithWhatEverybodyKnowsIsRefused(
    secret: String, revokes: Bool
  ) async throws {
    let key = try TestKeys.shared.get().rsa
    let bytes = secret == "public key" ? key.publicJSON : Array("desktop".utf8)
    try await refuse(Self.notAllowed, [.macSigned(secret: bytes)], revokes)
  }

  @Test(arguments: [true, false])
  func rp19AnAlgorithmThatIsNotRegisteredIsRefused(revokes: Bool) async throws {
    try await refuse(Self.notAllowed, [], revokes, client: { $0.idTokenAlgorithms = [.es256] })
  }

  @Test(arguments: [true, false])
  func rp32AnotherAccessTokensHashIsRefused(revokes: Bool) async throws {
    try await refuse(
      "at_hash is not that of the access token",
      [.setClaim("at_hash", .string("AAAAAAAAAAAAAAAAAAAAAA"))], revokes)
  }

  @Test(arguments: [true, false])
  func rp38AnIssuerThatOnlyLooksTheSameIsRefused(revokes: Bool) async throws {
    // Composed in the configuration, decomposed in the token: equal to Swift, and not the same.
    let name = "https://id.example/caf"
    let host = try await HostFixture(revokes: revokes) {
      $0.statesIssuerInResponse = false
    } client: {
      let own = $0.issuer
      $0.issuer = name + "\u{e9}"
      $0.endpoints = EndpointOverrides(
        authorization: own + "/authorize", token: own + "/token",
        revocation: revokes ? own + "/revoke" : nil, keys: own + "/jwks")
    }
    host.provider.overrides.idToken = [.setClaim("iss", .string(name + "e\u{301}"))]
    try await host.expectRefusal(
      "the provider's answer failed a check: ID token: iss is another issuer",
      requests: [.authorize, .token, .keys])
  }

  @Test(
    arguments: [
      ([TokenMutation.removeClaim("auth_time")], "auth_time is missing"),
      (
        [.setClaim("auth_time", .integer(now - 3_661))],
        "auth_time is longer ago than max_age allows"
      ),
    ], [true, false])
  func rp42AnAuthenticationThatIsTooOldOrUndatedIsRefused(
    change: (mutations: [TokenMutation], check: String), revokes: Bool
  ) async throws {
    try await refuse(
      change.check, change.mutations, revokes,
      client: { $0.authorizationParameters = [.init(name: "max_age", value: "3600")] })
  }

  @Test(
    arguments: [
      ("crit", JSONValue.array([.string("exp")])), ("b64", .bool(false)), ("zip", .string("DEF")),
    ], [true, false])
  func jw09AHeaderThatMustBeUnderstoodIsRefused(
    parameter: (name: String, value: JSONValue), revokes: Bool
  ) async throws {
    try await refuse(
      "the token's header holds \(parameter.name), which is not supported",
      [.setHeader(parameter.name, parameter.value)], revokes)
  }

  @Test(arguments: ["jku", "x5u"])
  func jw09AddressesInTheHeaderAreNotVisited(name: String) async throws {
    let host = try await HostFixture()
    host.provider.overrides.idToken = [
      .setHeader(name, .string(host.provider.issuer + "/introspect"))
    ]
    #expect(try await host.signIn() == .signedIn(.primary))
    #expect(host.provider.count(of: .introspect) == 0)
  }
}
