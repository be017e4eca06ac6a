import FileSupport
import GrantModel
import HTTPExchange
import HostControl
import OIDCClient
import SessionHost
import SessionModel
import TestSupport
import Testing

/// One host, two accounts, two providers that people run, real clocks.
@Suite(
  .timeLimit(.minutes(4)), .serialized,
  .enabled(if: DjangoProvider.python != nil, "needs .build/venv: run 'make test-prerequisites'"))
struct TwoProvidersTests {
  private struct Setup {
    let first: GlewlwydProvider
    let second: DjangoProvider
    let host: HostFixture
    static let namespaces = HostFixture.namespaces

    init() async throws {
      let redirect = "http://127.0.0.1:\(try LoopbackPort.free())/callback"
      var settings = GlewlwydSettings()
      settings.redirects = [redirect]
      first = try await GlewlwydProvider.start(settings)
      second = try await DjangoProvider.start()
      let scopes = ["openid", "profile", "email", "offline_access"]
      host = try await HostFixture(setups: [
        Self.setup(
          Self.namespaces[0],
          OIDCConfiguration(
            issuer: first.issuer, clientId: GlewlwydSettings.publicClient, scopes: scopes,
            redirects: [redirect])),
        Self.setup(
          Self.namespaces[1],
          OIDCConfiguration(
            issuer: second.issuer, clientId: DjangoProvider.publicClient, scopes: scopes)),
      ])
    }

    private static func setup(
      _ namespace: Namespace, _ configuration: OIDCConfiguration
    ) -> NamespaceSession.Setup {
      NamespaceSession.Setup(
        namespace: namespace,
        source: OIDCSessionSource(
          configuration: configuration, http: HTTPClient(),
          time: ClientTime(clock: ContinuousClock()) { UnixTime(rawValue: wallClockSeconds()) }),
        policy: RenewalPolicy())
    }

    /// Lets the person at one of the providers go through its pages.
    func person(_ index: Int, _ event: ControlEvent, isDelivered: Bool) async throws -> String {
      guard case .authorize(let url, _) = event else {
        throw HostFixtureError(description: "no authorization URL: \(event)")
      }
      return index == 0
        ? try await first.signIn(at: url, isDelivered: isDelivered)
        : try await second.signIn(at: url, isDelivered: isDelivered)
    }

    /// Asks for a sign-in in each namespace at once.
    func askForBoth() throws -> [EventRecorder<ControlEvent>] {
      try Self.namespaces.map {
        try host.ask(.signIn(HostControl.SignInRequest(namespace: $0, flow: .browser)))
      }
    }
  }

  /// How long both sessions are watched.
  private static let duration: Duration = .seconds(
    Environment.value("TOKENVAULT_WATCH_SECONDS").flatMap { Int($0) } ?? 20)

  @Test func bothAreSignedInAtOnceAndBothAreRenewed() async throws {
    let setup = try await Setup()
    let sessions = try setup.askForBoth()
    for (index, events) in sessions.enumerated() {
      _ = try await setup.person(
        index, try await events.wait(count: 1)[0], isDelivered: true)
    }
    for (index, events) in sessions.enumerated() {
      #expect(try await events.next { $0.isLast } == .signedIn(Setup.namespaces[index]))
    }
    // A token lives for five seconds and is renewed an eighth of that and a second before its end.
    let renewals = Int((Self.duration / .milliseconds(3375)).rounded(.up))
    for namespace in Setup.namespaces {
      // Generations may be skipped: what the host says of itself is published as well.
      try await setup.host.log.lines(renewals, beginning: "\(namespace): renewed, generation ")
    }
    for (index, namespace) in Setup.namespaces.enumerated() {
      var status = try #require(try await setup.host.status(namespace))
      // Five seconds are soon over on a busy machine; the next renewal is on its way then.
      while status.session == "expired" {
        status = try #require(try await setup.host.status(namespace))
      }
      #expect(status.session == "valid" || status.session == "expiring")
      #expect(status.host == "ok")
      #expect(status.issuer == (index == 0 ? setup.first.issuer : setup.second.issuer))
    }
    await setup.host.service.stop()
    #expect(try setup.first.counts().refusals == 0)
    #expect(!setup.host.log.events.contains { $0.contains("sign in again") })
  }

  @Test(arguments: [false, true])
  func neitherCompletesTheResponseOfTheOther(stateIsKnown: Bool) async throws {
    let setup = try await Setup()
    let sessions = try setup.askForBoth()
    var responses: [Response] = []
    for (index, events) in sessions.enumerated() {
      let first = try await events.wait(count: 1)[0]
      responses.append(
        try Response(try await setup.person(index, first, isDelivered: false)))
    }
    for index in sessions.indices {
      let own = responses[index]
      var foreign = responses[1 - index]
      foreign.port = own.port
      if stateIsKnown { foreign["state"] = own["state"] }
      _ = try await HostFixture.open(foreign.url)
      guard
        case .failed(let reason, let message) = try await sessions[index].next(where: { $0.isLast })
      else {
        Issue.record("a response of the other provider was taken")
        return
      }
      if stateIsKnown, index == 0 {
        // The second sends no `iss` and the first promises none: it is the proof key that tells.
        #expect(reason == .providerError)
        #expect(message == "the provider answered with the error invalid_code")
      } else {
        #expect(reason == .responseMismatch)
        #expect(message.hasPrefix("the answer did not belong to this sign-in: its "))
      }
      #expect(try setup.host.stored(Setup.namespaces[index])?.grant == nil)
      #expect(!setup.host.hasSnapshot(Setup.namespaces[index]))
    }
    await setup.host.service.stop()
  }
}

extension EventRecorder where Event == String {
  /// Waits for a number of lines with the same beginning, wherever in the list they stand.
  fileprivate func lines(_ wanted: Int, beginning: String) async throws {
    var count = 1
    while true {
      let events = try await wait(count: count)
      if events.count(where: { $0.hasPrefix(beginning) }) >= wanted { return }
      count = events.count + 1
    }
  }
}
