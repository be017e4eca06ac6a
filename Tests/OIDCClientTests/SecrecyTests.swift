import DevelopmentProvider
import GrantModel
import LoopbackHTTP
import OIDCClient
import StrictJSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SecrecyTests {
  // A provider that puts what is secret where errors are made of.
  @Test(arguments: [
    "{\"error\":\"SECRETsecret0\"}",
    "{\"error\":\"invalid_client\",\"error_description\":\"SECRET\"}",
    "{\"access_token\":\"SECRET\",\"token_type\":\"SECRET\",\"refresh_token\":\"SECRET\"}",
    "{\"access_token\":\"SECRET\",\"SECRET\"", "{\"SECRET\":1,\"SECRET\":2}", "SECRET",
    "{\"access_token\":\"SECRET\",\"token_type\":\"bearer\",\"id_token\":\"SECRET.SECRET.SECRET\"}",
    "<html>SECRET",
  ])
  func ht09NoOutcomeShowsWhatTheProviderSent(body: String) async throws {
    for status in [200, 400, 500] {
      let fixture = try ClientFixture()
      let source = fixture.source()
      let grant = try await fixture.grant(source)
      var effect = FaultEffect.status(status)
      effect.body = Array(body.utf8)
      effect.headers = [.init(name: "Content-Type", value: "application/json")]
      for endpoint in [ProviderEndpoint.token, .deviceAuthorization, .revoke, .discovery, .keys] {
        fixture.provider.setFaults([FaultRule(endpoint, .always, effect)])
        let fresh = fixture.source()
        let device = SignInRequest(flow: .device)
        var texts = [
          await fixture.signIn(fresh).summary,
          await source.renew(grant, journal: RecordingJournal()).summary,
          "\(await fresh.revoke(.refreshToken(try RefreshToken("SECRET"))))",
        ]
        if endpoint == .deviceAuthorization {
          texts.append(await fixture.signIn(fresh, request: device).summary)
        }
        for text in texts { #expect(!text.contains("SECRET"), "\(endpoint)") }
      }
    }
  }
}
