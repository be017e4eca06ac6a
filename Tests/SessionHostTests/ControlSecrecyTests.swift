import FileSupport
import GrantModel
import HostControl
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

/// What the control socket gives away, and what `status` proves.
@Suite(.timeLimit(.minutes(1)))
struct ControlSecrecyTests {
  private static let sentinel = "SENTINEL"

  /// Every verb, those that end something last.
  private static let requests: [ControlRequest] = [
    .status(nil), .status(.primary), .renew(.primary, validFor: nil),
    .renew(.primary, validFor: .seconds(5)), .rejected(.primary, generation: 1),
    .signIn(HostControl.SignInRequest(namespace: .primary)), .introspect(.primary), .examine,
    .complete(.primary, address: "http://127.0.0.1:1/?state=s"), .complete(nil, address: "a:b"),
    .lock, .status(nil), .renew(.primary, validFor: nil), .unlock(passphrase: nil),
    .signOut(.primary), .signIn(HostControl.SignInRequest(namespace: .primary)),
    .signOutInBrowser(.primary), .signIn(HostControl.SignInRequest(namespace: .primary)),
    .forget(.primary), .status(nil),
  ]

  // A verb that is new has to be put on the list above.
  private static func kind(of request: ControlRequest) -> Int {
    switch request {
    case .status: 0
    case .renew: 1
    case .rejected: 2
    case .signIn: 3
    case .signOut: 4
    case .signOutInBrowser: 5
    case .forget: 6
    case .lock: 7
    case .unlock: 8
    case .complete: 9
    case .introspect: 10
    case .examine: 11
    }
  }

  @Test func cs05NoAnswerToAnyVerbHoldsAToken() async throws {
    #expect(Set(Self.requests.map(Self.kind)) == Set(0...11))
    let fixture = try HostFixture()
    let source = ScriptedSource()
    for number in 1...20 { source.then { await Self.issue(number, $0, $1) } }
    let answers = try await fixture.run([HostFixture.setup(source)]) { _ in
      var answers: [String] = []
      try await fixture.signIn(source)
      for request in Self.requests {
        fixture.clock.advance(by: .seconds(40))
        answers.append(try await Self.answer(to: request, fixture))
      }
      return answers
    }
    for answer in answers {
      #expect(!answer.isEmpty)
      #expect(!answer.contains(Self.sentinel), "\(answer)")
    }
    // They were answers of a session that had such tokens.
    #expect(answers.count { $0.contains("\"signed-in\"") } == 3)
    #expect(answers.contains { $0.contains("\"renewed\"") })
    #expect(answers.contains { $0.contains("\"session\":\"valid\"") })
    #expect(source.renewals.events.contains { $0.hasPrefix(Self.sentinel) })
  }

  @Test func cs06StatusTellsTheNewestGenerationSoThatAnOlderSnapshotIsFoundOut() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in
      try await fixture.signIn(source)
      let path = fixture.root.file("run/groups/default/ns/primary/session")
      let old = try TestFile.read(path)
      fixture.clock.advance(by: .seconds(20))
      source.thenIssue("access-2", rotatingTo: "refresh-2", expiresAt: 1_000_120)
      _ = try await fixture.ask(.renew(.primary, validFor: nil))
      let newest = try #require(try fixture.snapshot()?.header)
      let status = try await Self.status(fixture)
      #expect(status.namespace == .primary)
      #expect(status.generation == newest.generation)
      #expect(status.expiresAt == newest.accessTokenExpiry)
      #expect(status.expiresAt == UnixTime(rawValue: 1_000_120))
      #expect(status.publishedAt == newest.published.wall)
      try TestFile.write(old, to: path)
      let putBack = try #require(try fixture.snapshot()?.header)
      #expect(try await Self.status(fixture).generation == newest.generation)
      #expect(putBack.generation < newest.generation)
    }
  }

  private static func status(_ fixture: HostFixture) async throws -> NamespaceStatus {
    let directory = try Directory.open(path: fixture.root.file("run"), policy: .ownerOnly)
    return try await TestThread.run {
      var client = try ControlClient(in: directory)
      try client.send(.status(.primary))
      guard case .namespace(let status) = try client.nextEvent(timeout: .seconds(30)) else {
        throw HostFixture.Refusal(event: .done)
      }
      return status
    }
  }

  /// What the socket sends for a request, byte for byte.
  private static func answer(
    to request: ControlRequest, _ fixture: HostFixture
  ) async throws -> String {
    let directory = try Directory.open(path: fixture.root.file("run"), policy: .ownerOnly)
    return try await TestThread.run {
      let caller = RawCaller(try UnixSocket.connect(ControlClient.socketName, in: directory))
      try caller.send(request.encoded())
      return try caller.readToEnd()
    }
  }

  private static func issue(
    _ number: Int, _ previous: Grant?, _ journal: any JournalBox
  ) async -> GrantOutcome {
    let name = "\(sentinel)-\(number)"
    do {
      let receipt = try await journal.record(try RefreshToken(name), accessToken: name)
      return .issued(
        IssuedGrant(receipt: receipt, previous: previous?.refreshToken) { token in
          Grant(
            issuer: "https://id.example", clientId: "desktop", subject: "alice",
            accountName: "alice@example.com", accessToken: name, tokenType: "Bearer",
            scope: "openid", issuedAt: UnixTime(rawValue: SessionFixture.start),
            expiresAt: UnixTime(rawValue: SessionFixture.start + 86_400), refreshToken: token,
            idToken: name)
        })
    } catch {
      return .terminal(.configuration("\(error)"))
    }
  }
}
