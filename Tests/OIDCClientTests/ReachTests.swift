import DevelopmentProvider
import GrantModel
import OIDCClient
import TestSupport
import Testing

/// Whether a provider is there, and what time it has.
@Suite(.timeLimit(.minutes(1)))
struct ReachTests {
  private static func dated(_ text: String, status: Int? = nil) -> FaultRule {
    var effect = FaultEffect.date(text)
    effect.status = status
    return FaultRule(nil, .always, effect)
  }

  // The client's clock stands at the first of these.
  @Test(arguments: [
    ("Fri, 15 Jan 2027 08:00:00 GMT", 0), ("Fri, 15 Jan 2027 06:00:00 GMT", 7200),
    ("Fri, 15 Jan 2027 08:01:30 GMT", -90),
  ])
  func aProviderThatAnswersTellsItsTime(date: String, lead: Int64) async throws {
    let fixture = try ClientFixture()
    fixture.provider.setFaults([Self.dated(date)])
    #expect(
      await fixture.source().reach() == .answered(status: 200, clockLead: .seconds(lead)))
    fixture.provider.setFaults([Self.dated(date, status: 503)])
    #expect(
      await fixture.source().reach() == .answered(status: 503, clockLead: .seconds(lead)))
    #expect(fixture.provider.count(of: .discovery) == 2)
  }

  @Test func whereNoMetadataIsReadTheTokenEndpointIsLookedFor() async throws {
    let fixture = try ClientFixture()
    fixture.provider.setFaults([Self.dated("Fri, 15 Jan 2027 08:00:00 GMT")])
    let issuer = fixture.provider.issuer
    let source = fixture.source {
      $0.scopes = []
      $0.endpoints.token = issuer + "/token"
      $0.endpoints.authorization = issuer + "/authorize"
    }
    #expect(await source.reach() == .answered(status: 405, clockLead: .zero))
    #expect(fixture.provider.count(of: .discovery) == 0)
  }

  @Test func aProviderThatIsNotThereIsSilent() async throws {
    let port = try LoopbackPort.free()
    let fixture = try ClientFixture()
    let source = fixture.source { $0.issuer = "http://127.0.0.1:\(port)" }
    #expect(
      await source.reach()
        == .silent(
          "no connection to http://127.0.0.1:\(port)/.well-known/openid-configuration"))
    fixture.provider.setFaults([FaultRule(nil, .always, .drop)])
    guard case .silent(let reason) = await fixture.source().reach() else {
      Issue.record("an answer without an answer")
      return
    }
    #expect(reason.hasSuffix("ended before the answer was complete"))
  }
}
