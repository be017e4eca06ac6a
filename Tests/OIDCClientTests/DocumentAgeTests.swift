import DevelopmentProvider
import GrantModel
import OIDCClient
import StrictJSON
import TestSupport
import Testing

/// How long metadata and keys are used, and what becomes of the day after.
@Suite(.timeLimit(.minutes(1)))
struct DocumentAgeTests {
  @Test func keysAreFetchedAgainAfterADay() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    var grant = try await fixture.grant(source)
    #expect(fixture.provider.count(of: .keys) == 1)
    fixture.clock.advance(by: .seconds(86_399))
    grant = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    #expect(fixture.provider.count(of: .keys) == 1)
    fixture.clock.advance(by: .seconds(1))
    grant = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    #expect(fixture.provider.count(of: .keys) == 2)
  }

  @Test func oldKeysGoOnBeingUsedWhereNewOnesCannotBeHad() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    var grant = try await fixture.grant(source)
    fixture.clock.advance(by: .seconds(86_400))
    fixture.provider.setFaults([FaultRule(.keys, .always, .status(500))])
    for _ in 0..<3 {
      grant = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    }
    #expect(fixture.provider.count(of: .keys) == 2, "and are not asked for at each renewal")
  }

  @Test func anOldDocumentIsNotAskedForAtEachRequestWhileItCannotBeHad() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    var grant = try await fixture.grant(source)
    let before = fixture.provider.count(of: .discovery)
    fixture.clock.advance(by: .seconds(86_400))
    fixture.provider.setFaults([FaultRule(.discovery, .always, .status(500))])
    for _ in 0..<3 {
      grant = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    }
    #expect(fixture.provider.count(of: .discovery) == before + 1)
    fixture.clock.advance(by: .seconds(300))
    grant = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    #expect(fixture.provider.count(of: .discovery) == before + 2)
    fixture.provider.setFaults([])
    fixture.clock.advance(by: .seconds(300))
    for _ in 0..<3 {
      grant = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    }
    #expect(fixture.provider.count(of: .discovery) == before + 3)
  }

  @Test func aDocumentThatHasBecomeAnotherIssuersIsNotPassedOver() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let grant = try await fixture.grant(source)
    fixture.clock.advance(by: .seconds(86_400))
    fixture.provider.overrides.discovery = [.set("issuer", .string("https://other.example"))]
    let outcome = await source.renew(grant, journal: RecordingJournal())
    #expect(outcome.summary.contains("issuer"), "\(outcome.summary)")
    #expect(fixture.provider.counts.refreshes == 0)
  }
}
