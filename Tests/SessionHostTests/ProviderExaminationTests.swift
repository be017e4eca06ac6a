import GrantModel
import HostControl
import SessionHost
import SessionModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProviderExaminationTests {
  private static let answers = Finding("provider", .fine, "work: the provider answers")
  private static let mend =
    "run: sudo timedatectl set-ntp true; if this clock is right, tell the"
    + " provider"

  @Test(arguments: [
    (ProviderReach.answered(status: 404, clockLead: nil), [answers]),
    (
      .answered(status: 200, clockLead: .seconds(-4)),
      [
        answers,
        Finding("clock", .fine, "work: the provider has the same time as this machine"),
      ]
    ),
    (
      .answered(status: 200, clockLead: .seconds(5)),
      [
        answers,
        Finding(
          "clock", .advice, "work: this machine's clock is 5s ahead of the provider's", mend: mend),
      ]
    ),
    (
      .answered(status: 200, clockLead: .seconds(-60)),
      [
        answers,
        Finding(
          "clock", .advice, "work: this machine's clock is 1m behind the provider's", mend: mend),
      ]
    ),
    (
      .answered(status: 200, clockLead: .seconds(-3661)),
      [
        answers,
        Finding(
          "clock", .problem,
          "work: this machine's clock is 1h1m behind the provider's, which keeps people from"
            + " signing in", mend: mend),
      ]
    ),
    (
      .answered(status: 503, clockLead: .zero),
      [
        Finding(
          "provider", .problem, "work: the provider answers with status 503",
          mend: "wait, or ask whoever runs it; the host goes on trying"),
        Finding("clock", .fine, "work: the provider has the same time as this machine"),
      ]
    ),
    (
      .silent("no connection to https://id.example"),
      [
        Finding(
          "provider", .problem,
          "work: the provider cannot be reached: no connection to https://id.example",
          mend: "look at the network, and at issuer and proxy in the configuration; no session is"
            + " lost by it")
      ]
    ),
  ])
  func aLookAtAProviderIsTold(reach: ProviderReach, findings: [Finding]) {
    #expect(ProviderExamination.findings(reach, of: "work") == findings)
  }

  @Test func theNamespacesOfAProviderAreAskedForAsOne() async throws {
    let fixture = try HostFixture()
    let (shared, alone, untold) = (ScriptedSource(), ScriptedSource(), ScriptedSource())
    shared.thenReach(.answered(status: 200, clockLead: .zero))
    alone.thenReach(.silent("gone"))
    let queue = RenewalQueue()
    let setups = [
      HostFixture.setup(shared, named: "work", queue: queue),
      HostFixture.setup(shared, named: "home", queue: queue),
      HostFixture.setup(alone, named: "old"), HostFixture.setup(untold, named: "other"),
    ]
    let texts = try await fixture.run(setups) { _ in
      try await fixture.events(of: .examine).compactMap { event in
        if case .finding(let finding) = event { finding.text } else { nil }
      }
    }
    #expect(
      texts == [
        "home, work: the provider answers",
        "home, work: the provider has the same time as this machine",
        "old: the provider cannot be reached: gone",
      ])
    #expect(shared.looks == 1 && alone.looks == 1 && untold.looks == 1)
  }
}
