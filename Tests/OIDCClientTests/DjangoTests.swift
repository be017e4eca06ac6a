import Glibc
import GrantModel
import HTTPExchange
import OIDCClient
import SessionModel
import TestSupport
import Testing

/// The client against django-oauth-toolkit, on real clocks.
@Suite(
  .timeLimit(.minutes(2)), .serialized,
  .enabled(if: DjangoProvider.python != nil, "needs .build/venv: run 'make test-prerequisites'"))
struct DjangoTests {
  private static func source(
    _ provider: DjangoProvider, _ adjust: (inout OIDCConfiguration) -> Void = { _ in }
  ) -> OIDCSessionSource {
    var configuration = OIDCConfiguration(
      issuer: provider.issuer, clientId: DjangoProvider.publicClient,
      scopes: ["openid", "profile", "email", "offline_access"])
    adjust(&configuration)
    return OIDCSessionSource(
      configuration: configuration, http: HTTPClient(),
      time: ClientTime(clock: ContinuousClock()) { UnixTime(rawValue: Int64(time(nil))) })
  }

  private static func signIn(
    _ source: OIDCSessionSource, at provider: DjangoProvider, isDenied: Bool = false,
    flow: SignInRequest.Flow = .browser
  ) async -> GrantOutcome {
    await source.signIn(SignInRequest(flow: flow), journal: RecordingJournal()) { prompt in
      do {
        switch prompt {
        case .authorize(let url):
          _ = try await provider.signIn(at: url, isDenied: isDenied)
        case .endSession: Issue.record("nobody signs out here")
        case .device(let instructions):
          let page = instructions.completeVerificationURI ?? instructions.verificationURI
          try await provider.decideDevice(at: page, isDenied: isDenied)
        }
      } catch {
        Issue.record("the person was turned away: \(error)")
      }
    }
  }

  @Test func aSessionIsRenewedRevokedAndThenOver() async throws {
    let provider = try await DjangoProvider.start()
    let source = Self.source(provider)
    let first = try await Self.signIn(source, at: provider).issuedGrant()
    #expect(first.subject?.isEmpty == false)
    #expect(first.idToken != nil)
    #expect(first.expiresAt == first.issuedAt + .seconds(5))
    let second = try await source.renew(first, journal: RecordingJournal()).issuedGrant()
    #expect(second.refreshToken?.copiedText() != first.refreshToken?.copiedText())
    // Its revocation endpoint stands in its other document alone.
    let revocation = await source.revoke(.refreshToken(try #require(second.refreshToken)))
    #expect(revocation == .done)
    #expect(
      await source.renew(second, journal: RecordingJournal()).summary
        == "terminal: the provider has ended the session (invalid_grant)")
  }

  @Test func aReplayedTokenEndsTheSession() async throws {
    let provider = try await DjangoProvider.start()
    let source = Self.source(provider)
    let first = try await Self.signIn(source, at: provider).issuedGrant()
    let second = try await source.renew(first, journal: RecordingJournal()).issuedGrant()
    for grant in [first, second] {
      #expect(
        await source.renew(grant, journal: RecordingJournal()).summary
          == "terminal: the provider has ended the session (invalid_grant)")
    }
  }

  @Test func aSecretProvesTheClientByBothMethods() async throws {
    let provider = try await DjangoProvider.start()
    let secret: ClientAuthentication.Secret = { () throws(ClientSecretError) in
      DjangoProvider.clientSecret
    }
    for authentication in [ClientAuthentication.basic(secret), .post(secret)] {
      let source = Self.source(provider) {
        $0.clientId = DjangoProvider.confidentialClient
        $0.authentication = authentication
      }
      let grant = try await Self.signIn(source, at: provider).issuedGrant()
      _ = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    }
    let wrong = Self.source(provider) {
      $0.clientId = DjangoProvider.confidentialClient
      $0.authentication = .basic { () throws(ClientSecretError) in "another" }
    }
    #expect(
      await Self.signIn(wrong, at: provider).summary
        == "terminal: the provider answered with the error invalid_client")
  }

  @Test func aPersonsNoIsSaid() async throws {
    let provider = try await DjangoProvider.start()
    let outcome = await Self.signIn(Self.source(provider), at: provider, isDenied: true)
    #expect(outcome.summary == "terminal: access was denied at the provider")
  }

  @Test(arguments: [false, true])
  func aDeviceIsSignedInWithTheEndpointOfTheConfiguration(isDenied: Bool) async throws {
    let provider = try await DjangoProvider.start()
    let source = Self.source(provider) {
      $0.clientId = DjangoProvider.deviceClient
      $0.flow = .device
      $0.endpoints.deviceAuthorization = provider.issuer + "/device-authorization/"
      // It answers a device code without an ID token, whatever the scope.
      $0.scopes = ["profile", "offline_access"]
    }
    let outcome = await Self.signIn(source, at: provider, isDenied: isDenied, flow: .device)
    if isDenied {
      #expect(outcome.summary == "terminal: access was denied at the provider")
    } else {
      let grant = try outcome.issuedGrant()
      _ = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    }
  }
}
