import DevelopmentProvider
import GrantModel
import OIDCClient
import TestSupport
import Testing

/// What a host wants to know before a sign-in asks for its grant.
@Suite(.timeLimit(.minutes(1)))
struct ExchangeIntentTests {
  @Test(arguments: [SignInRequest.Flow.browser, .device])
  func nothingIsAskedForWhoseIntentCannotBeStored(flow: SignInRequest.Flow) async throws {
    let fixture = try ClientFixture()
    let outcome = await fixture.signIn(
      fixture.source(), request: SignInRequest(flow: flow),
      journal: RecordingJournal(exchangeFailure: JournalError("disk full")))
    #expect(outcome.summary == "transient: disk full, no wait")
    #expect(fixture.prompts.events.count == 1, "the person was shown where to go")
    #expect(fixture.provider.count(of: .token) == 0)
  }
}
