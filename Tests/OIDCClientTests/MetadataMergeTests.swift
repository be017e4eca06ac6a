import DevelopmentProvider
import GrantModel
import HTTPExchange
import LoopbackHTTP
import OIDCClient
import StrictJSON
import TestSupport
import Testing

/// Metadata in one document, in the other, or in both (OpenID Connect Discovery 4, RFC 8414 3).
@Suite(.timeLimit(.minutes(1)))
struct MetadataMergeTests {
  private let elsewhere = "http://127.0.0.1:1/elsewhere"

  private static func token() throws -> RefreshToken { try RefreshToken("r") }

  @Test func aDocumentWithEverythingIsTheOnlyOneThatIsFetched() async throws {
    let fixture = try ClientFixture()
    #expect(await fixture.source().revoke(.refreshToken(try Self.token())) == .done)
    #expect(fixture.provider.count(of: .discovery) == 1)
    #expect(fixture.provider.count(of: .serverMetadata) == 0)
  }

  @Test(arguments: ["", "/realms/demo"])
  func whatOneDocumentLacksIsTakenFromTheOther(path: String) async throws {
    let fixture = try ClientFixture { $0.issuerPath = path }
    let endpoint = JSONValue.string(fixture.provider.issuer + "/revoke")
    fixture.provider.overrides.discovery = [.remove("revocation_endpoint")]
    fixture.provider.overrides.serverMetadata = [.set("revocation_endpoint", endpoint)]
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    #expect(await source.revoke(.refreshToken(try #require(grant.refreshToken))) == .done)
    #expect(fixture.provider.counts.revocations == 1)
    #expect(fixture.provider.count(of: .discovery) == 1)
    #expect(fixture.provider.count(of: .serverMetadata) == 1)
  }

  @Test(arguments: ["", "/realms/demo"])
  func anAuthorizationServerThatIsNoOpenIDProviderIsFound(path: String) async throws {
    let fixture = try ClientFixture { $0.issuerPath = path }
    fixture.provider.setFaults([FaultRule(.discovery, .always, .status(404))])
    let grant = try await fixture.grant(fixture.source { $0.scopes = ["repo"] })
    #expect(grant.scope == "repo")
    #expect(grant.idToken == nil)
    #expect(fixture.provider.count(of: .serverMetadata) == 1)
  }

  @Test func theDeviceEndpointMayBeInEither() async throws {
    let fixture = try ClientFixture()
    let endpoint = JSONValue.string(fixture.provider.issuer + "/device_authorization")
    fixture.provider.overrides.discovery = [.remove("device_authorization_endpoint")]
    fixture.provider.overrides.serverMetadata = [.set("device_authorization_endpoint", endpoint)]
    let metadata = try await fixture.source { $0.flow = .device }.metadata()
    #expect(metadata.deviceAuthorization?.text == fixture.provider.issuer + "/device_authorization")
    // Who never asks for it costs the provider no second request.
    _ = try await fixture.source().metadata()
    #expect(fixture.provider.count(of: .serverMetadata) == 1)
  }

  @Test func theOpenIDDocumentWins() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [.remove("revocation_endpoint")]
    fixture.provider.overrides.serverMetadata = [
      .set("token_endpoint", .string(elsewhere)), .set("jwks_uri", .string(elsewhere)),
    ]
    let metadata = try await fixture.source().metadata()
    #expect(metadata.token?.text == fixture.provider.issuer + "/token")
    #expect(metadata.keys?.text == fixture.provider.issuer + "/jwks")
  }

  @Test func theConfigurationWinsOverBoth() async throws {
    let fixture = try ClientFixture()
    let elsewhere = elsewhere
    let metadata = try await fixture.source {
      $0.endpoints = EndpointOverrides(token: elsewhere, revocation: elsewhere)
    }.metadata()
    #expect(metadata.token?.text == elsewhere)
    #expect(metadata.revocation?.text == elsewhere)
    #expect(metadata.authorization?.text == fixture.provider.issuer + "/authorize")
  }

  @Test func aSecondDocumentOfAnotherIssuerAddsNothing() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [.remove("revocation_endpoint")]
    fixture.provider.overrides.serverMetadata = [
      .set("issuer", .string(fixture.provider.issuer + "/")),
      .set("revocation_endpoint", .string(elsewhere)),
    ]
    #expect(
      await fixture.source().revoke(.refreshToken(try Self.token()))
        == .unsupported("the provider names no revocation endpoint"))
  }

  @Test func rp26AloneADocumentOfAnotherIssuerIsRefused() async throws {
    let fixture = try ClientFixture()
    fixture.provider.setFaults([FaultRule(.discovery, .always, .status(404))])
    fixture.provider.overrides.serverMetadata = [
      .set("issuer", .string(fixture.provider.issuer + "/"))
    ]
    let outcome = await fixture.signIn(fixture.source())
    #expect(
      outcome.summary == "terminal: the provider's metadata names another issuer; set `issuer`"
        + " to exactly the one it names")
    #expect(fixture.prompts.events.isEmpty)
  }

  @Test func rp26ADocumentWithoutAnIssuerGetsNoneFromTheOther() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [.remove("issuer"), .remove("revocation_endpoint")]
    fixture.provider.overrides.serverMetadata = [
      .set("issuer", .string(fixture.provider.issuer))
    ]
    let outcome = await fixture.signIn(fixture.source())
    #expect(outcome.summary == "terminal: the provider's metadata has no issuer")
    #expect(fixture.provider.count(of: .serverMetadata) == 0)
  }

  @Test func withoutAnyDocumentTheFirstAnswerIsSaid() async throws {
    let fixture = try ClientFixture()
    fixture.provider.setFaults([
      FaultRule(.discovery, .always, .status(403)),
      FaultRule(.serverMetadata, .always, .status(404)),
    ])
    #expect(
      await fixture.signIn(fixture.source()).summary
        == "transient: the provider answered with status 403, no wait")
  }

  @Test(arguments: [FaultEffect.status(500), .status(503), .status(429), .drop])
  func aProviderInTroubleIsNotAskedForTheOther(effect: FaultEffect) async throws {
    let fixture = try ClientFixture()
    fixture.provider.setFaults([FaultRule(.discovery, .always, effect)])
    #expect(await fixture.signIn(fixture.source()).summary.hasPrefix("transient: "))
    #expect(fixture.provider.count(of: .serverMetadata) == 0)
  }

  @Test func aSecondDocumentThatCannotBeHadCostsWhatItWouldAddAlone() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [.remove("revocation_endpoint")]
    fixture.provider.setFaults([FaultRule(.serverMetadata, .always, .status(500))])
    _ = try await fixture.grant(fixture.source())
  }
}
