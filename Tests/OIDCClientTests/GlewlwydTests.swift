import BrowserFlow
import GrantModel
import Glibc
import HTTPExchange
import OIDCClient
import SessionModel
import TestSupport
import Testing

/// The client against a provider that people run, on real clocks.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct GlewlwydTests {
  private struct Setup {
    let provider: GlewlwydProvider
    let redirect: String

    init(_ adjust: (inout GlewlwydSettings) -> Void = { _ in }) async throws {
      redirect = "http://127.0.0.1:\(try LoopbackPort.free())/callback"
      var settings = GlewlwydSettings()
      settings.redirects = [redirect]
      adjust(&settings)
      provider = try await GlewlwydProvider.start(settings)
    }

    func source(
      isConfidential: Bool = false, trustsAuthority: Bool = true
    ) -> OIDCSessionSource {
      var configuration = OIDCConfiguration(
        issuer: provider.issuer, clientId: GlewlwydSettings.publicClient,
        scopes: ["openid", "profile", "email", "offline_access"], redirects: [redirect])
      if isConfidential {
        configuration.clientId = GlewlwydSettings.confidentialClient
        configuration.authentication = .secret { () throws(ClientSecretError) in
          GlewlwydSettings.clientSecret
        }
      }
      return OIDCSessionSource(
        configuration: configuration,
        http: HTTPClient(.init(caFile: trustsAuthority ? provider.authorityFile : nil)),
        time: ClientTime(clock: ContinuousClock()) {
          UnixTime(rawValue: Int64(time(nil)))
        })
    }

    func signIn(
      _ source: OIDCSessionSource, flow: SignInRequest.Flow = .browser,
      journal: RecordingJournal = RecordingJournal()
    ) async -> GrantOutcome {
      await source.signIn(SignInRequest(flow: flow), journal: journal) { [provider] prompt in
        do {
          switch prompt {
          case .authorize(let url):
            _ = try await provider.signIn(at: url)
          case .endSession: Issue.record("nobody signs out here")
          case .device(let instructions):
            let page = instructions.completeVerificationURI ?? instructions.verificationURI
            try await provider.approveDevice(at: page)
          }
        } catch {
          Issue.record("the person was turned away: \(error)")
        }
      }
    }
  }

  @Test func aPersonSignsInAndTheSessionIsRenewedAndNeverReplayed() async throws {
    let setup = try await Setup()
    let source = setup.source()
    let journal = RecordingJournal()
    let first = try await setup.signIn(source, journal: journal).issuedGrant()
    #expect(first.subject?.isEmpty == false)
    #expect(first.expiresAt == first.issuedAt + .seconds(5))
    let second = try await source.renew(first, journal: journal).issuedGrant()
    let third = try await source.renew(second, journal: journal).issuedGrant()
    #expect(Set([first, second, third].map(\.accessToken)).count == 3)
    #expect(journal.tokens == [first, second, third].map { $0.refreshToken?.copiedText() })
    #expect(
      try setup.provider.counts()
        == GlewlwydCounts(signIns: 1, renewals: 2, refreshTokens: 3, refusals: 0))
    // It answers every refused refresh with an empty 400, and so tells nothing.
    #expect(
      await source.renew(first, journal: journal).summary
        == "transient: the provider refused with status 400 and gave no reason, no wait")
  }

  @Test func aDeviceIsSignedIn() async throws {
    let setup = try await Setup()
    let source = setup.source()
    let grant = try await setup.signIn(source, flow: .device).issuedGrant()
    _ = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
  }

  @Test func aConfidentialClientRevokesAndAPublicOneIsNotLet() async throws {
    let setup = try await Setup()
    let source = setup.source(isConfidential: true)
    let grant = try await setup.signIn(source).issuedGrant()
    #expect(await source.revoke(.refreshToken(try #require(grant.refreshToken))) == .done)
    #expect(
      await source.renew(grant, journal: RecordingJournal()).summary
        == "transient: the provider refused with status 400 and gave no reason, no wait")
    #expect(
      await setup.source().revoke(.refreshToken(try RefreshToken("unknown")))
        == .unsupported("the provider does not let a public client revoke"))
  }

  @Test(arguments: [false, true])
  func pr01ARequestIsPushed(isConfidential: Bool) async throws {
    let setup = try await Setup { $0.requiresPushedRequests = true }
    let source = setup.source(isConfidential: isConfidential)
    let grant = try await setup.signIn(source).issuedGrant()
    _ = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
  }

  @Test func aCodeThatCameTooLateIsRefusedAndTheBrowserIsToldSo() async throws {
    let setup = try await Setup { $0.codeLifetime = .seconds(-1) }
    let outcome = await setup.signIn(setup.source())
    #expect(outcome.summary == "terminal: the provider answered with the error invalid_code")
    #expect(OIDCSessionSource.ending(outcome, "id.example") == .expired)
  }

  @Test func overTLSItsAuthorityDecides() async throws {
    let setup = try await Setup {
      $0.isEncrypted = true
      $0.algorithm = .es256
    }
    let source = setup.source()
    let grant = try await setup.signIn(source).issuedGrant()
    _ = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    #expect(
      await setup.source(trustsAuthority: false).renew(grant, journal: RecordingJournal()).summary
        .hasPrefix("transient: the provider's certificate was refused: "))
  }

  @Test func anOutageKeepsTheSession() async throws {
    let setup = try await Setup()
    let source = setup.source()
    let grant = try await setup.signIn(source).issuedGrant()
    try await setup.provider.down()
    #expect(
      await source.renew(grant, journal: RecordingJournal()).summary
        .hasPrefix("transient: the provider cannot be reached: no connection to "))
    try await setup.provider.up()
    _ = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
  }
}
