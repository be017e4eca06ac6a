import DevelopmentProvider
import GrantModel
import HTTPExchange
import OIDCClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DeviceSignInTests {
  /// Starts a device sign-in and lets the clock run from sleep to sleep until it ends.
  private func run(
    _ fixture: ClientFixture, _ source: OIDCSessionSource
  ) async -> (GrantOutcome, waits: [Duration]) {
    let prompts = fixture.prompts
    let signIn = Task {
      await source.signIn(SignInRequest(flow: .device), journal: RecordingJournal()) {
        prompts.record($0)
      }
    }
    let clock = fixture.clock
    let driver = Task { () -> [Duration] in
      var waits: [Duration] = []
      while let wait = try? await clock.advanceToNextSleeper() { waits.append(wait) }
      return waits
    }
    let outcome = await signIn.value
    driver.cancel()
    return (outcome, await driver.value)
  }

  @Test func dv01ADeviceIsSignedInAfterThePersonAgreed() async throws {
    let fixture = try ClientFixture { $0.deviceInterval = .seconds(7) }
    let (outcome, waits) = await run(fixture, fixture.source())
    let grant = try outcome.issuedGrant()
    #expect(grant.subject == "alice-0001")
    #expect(waits == [.seconds(7), .seconds(7)])
    guard case .device(let instructions)? = fixture.prompts.events.first else {
      Issue.record("no device prompt was shown")
      return
    }
    #expect(instructions.verificationURI == fixture.provider.issuer + "/device")
    #expect(instructions.validFor == .seconds(600))
    #expect(fixture.provider.count(of: .deviceAuthorization) == 1)
  }

  @Test func dv02SlowDownIsObeyed() async throws {
    let fixture = try ClientFixture()
    var slow = FaultEffect.status(400)
    slow.body = Array("{\"error\":\"slow_down\"}".utf8)
    fixture.provider.setFaults([FaultRule(.token, .requests(1...3), slow)])
    let (outcome, waits) = await run(fixture, fixture.source())
    _ = try outcome.issuedGrant()
    #expect(waits == [5, 10, 15, 20, 20].map(Duration.seconds))
  }

  @Test func dv03ANoEndsIt() async throws {
    let fixture = try ClientFixture { $0.approval = .denied }
    let (outcome, waits) = await run(fixture, fixture.source())
    #expect(outcome.summary == "terminal: access was denied at the provider")
    #expect(waits == [.seconds(5)])
    #expect(fixture.provider.count(of: .deviceAuthorization) == 1)
  }

  @Test func dv03ACodeThatRunsOutEndsIt() async throws {
    let fixture = try ClientFixture {
      $0.approval = .page
      $0.deviceLifetime = .seconds(12)
    }
    let (outcome, waits) = await run(fixture, fixture.source())
    #expect(outcome.summary == "terminal: the sign-in was not finished in time")
    #expect(waits == [.seconds(5), .seconds(5)])
    #expect(fixture.provider.count(of: .token) == 2)
    #expect(fixture.provider.count(of: .deviceAuthorization) == 1)
  }

  @Test func dv04LostConnectionsAreTriedLessOften() async throws {
    let fixture = try ClientFixture()
    fixture.provider.setFaults([FaultRule(.token, .requests(1...2), .drop)])
    let (outcome, waits) = await run(fixture, fixture.source())
    _ = try outcome.issuedGrant()
    #expect(waits == [5, 10, 20, 20].map(Duration.seconds))
  }

  @Test func aDeviceSignInCanBeCalledOff() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let task = Task {
      await source.signIn(SignInRequest(flow: .device), journal: RecordingJournal()) { _ in }
    }
    _ = try await fixture.clock.waitForSleepers()
    task.cancel()
    #expect(await task.value.summary == "terminal: the sign-in was cancelled")
    #expect(fixture.provider.count(of: .token) == 0)
  }
}
