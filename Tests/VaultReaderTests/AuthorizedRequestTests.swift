import FileSupport
import SessionModel
import SnapshotFormat
import SnapshotStore
import Synchronization
import TestSupport
import Testing
import VaultReader

@Suite(.timeLimit(.minutes(1))) struct AuthorizedRequestTests {
  private static let renewed = #"{"event":"renewed","namespace":"primary","generation":2}"#
  private static let limited =
    #"{"event":"failed","reason":"rate-limited","message":"a moment ago"}"#
  private static let second = VaultFixture.token + "-2"

  private static func request(
    _ fixture: VaultFixture, limit: Duration = .seconds(20)
  ) -> AuthorizedRequest {
    AuthorizedRequest(fixture.vault(), namespace: "primary", validFor: nil, limit: limit)
  }

  /// Sends a request that is rejected as often as it has to be for a token, and says with what.
  private static func sent(
    _ request: AuthorizedRequest, rejecting rejected: Set<String> = [VaultFixture.token],
    whileSending: () throws -> Void = {}
  ) -> (tokens: [String], error: (any Error)?) {
    var tokens: [String] = []
    do {
      try request.send { token in
        tokens.append(token)
        try whileSending()
        if rejected.contains(token) { throw AccessTokenRejected() }
      }
      return (tokens, nil)
    } catch {
      #expect(!"\(error)".contains("sentinel"))
      return (tokens, error)
    }
  }

  private static func reason(_ error: (any Error)?) -> AuthorizedRequestError.Reason? {
    (error as? AuthorizedRequestError)?.reason
  }

  @Test func anAcceptedTokenIsSentOnce() async throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let host = try StandInHost(in: fixture.runtime) { _ in .init(line: Self.renewed) }
    let request = AuthorizedRequest(fixture.vault())
    #expect(try request.send { "sent with \($0)" } == "sent with \(VaultFixture.token)")
    let answer = try await request.send { token async in token.utf8.count }
    #expect(answer == VaultFixture.token.utf8.count)
    #expect(host.requests.events == [])
  }

  @Test func aTokenThatHasJustComeIsNotWaitedFor() async throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let host = try StandInHost(in: fixture.runtime) { _ in
      .init(line: #"{"event":"failed","reason":"just-renewed","message":"it came a moment ago"}"#)
    }
    let began = ContinuousClock.now
    let outcome = Self.sent(Self.request(fixture, limit: .seconds(50)))
    #expect(ContinuousClock.now - began < .seconds(25))
    #expect(outcome.tokens == [VaultFixture.token])
    #expect(Self.reason(outcome.error) == .notReplaced("the host: it came a moment ago"))
    #expect(host.requests.events.count == 1)
  }

  @Test func nothingIsSentWithoutAToken() throws {
    let fixture = try VaultFixture()
    let absent = Self.sent(AuthorizedRequest(fixture.vault()))
    #expect(absent.tokens == [])
    #expect((absent.error as? AccessTokenError)?.reason == .absent)
    try fixture.publishSession(expiresIn: .seconds(60))
    let short = Self.sent(AuthorizedRequest(fixture.vault(), validFor: .seconds(90)))
    #expect(short.tokens == [])
    #expect(
      (short.error as? AccessTokenError)?.reason
        == .tooShort(remaining: .seconds(60), required: .seconds(90)))
  }

  @Test func wg08AGenerationThatHasMovedIsTriedWithoutTheHost() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let host = try StandInHost(in: fixture.runtime) { _ in .init(line: Self.renewed) }
    let isFirst = Mutex(true)
    let sent = Self.sent(Self.request(fixture)) {
      guard isFirst.withLock({ first in first.exchange(with: false) }) else { return }
      try fixture.publishSession(token: Self.second)
    }
    #expect(sent.tokens == [VaultFixture.token, Self.second])
    #expect(sent.error == nil)
    #expect(host.requests.events == [])
  }

  @Test(arguments: [false, true])
  func wg08TheHostIsToldAndItsNextTokenIsTried(isRepublished: Bool) async throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let host = try StandInHost(in: fixture.runtime) { _ in
      try? fixture.publishSession(token: Self.second)
      return .init(line: Self.renewed)
    }
    let tokens = EventRecorder<String>()
    try await Self.request(fixture).send { token async throws in
      tokens.record(token)
      guard token == VaultFixture.token else { return }
      // Only the host's state is new in it.
      if isRepublished { try fixture.publishSession(hostState: .offline) }
      throw AccessTokenRejected()
    }
    #expect(tokens.events == [VaultFixture.token, Self.second])
    let generation = isRepublished ? 2 : 1
    #expect(
      host.requests.events
        == [#"{"verb":"rejected","namespace":"primary","generation":\#(generation)}"#])
  }

  @Test func wg08ASecondRejectionIsTheLast() async throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let host = try StandInHost(in: fixture.runtime) { _ in
      try? fixture.publishSession(token: Self.second)
      return .init(line: Self.renewed)
    }
    let sent = Self.sent(
      Self.request(fixture), rejecting: [VaultFixture.token, Self.second])
    #expect(sent.tokens == [VaultFixture.token, Self.second])
    #expect(Self.reason(sent.error) == .rejectedAgain)
    #expect(
      sent.error.map { "\($0)" }
        == "two access tokens of primary were rejected one after the other; compare what the"
        + " resource wants with: tokenvault introspect primary")
    #expect(host.requests.events.count == 1)
  }

  @Test func wg08WhoIsToldToWaitTakesWhatIsPublishedMeanwhile() async throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let host = try StandInHost(in: fixture.runtime) { _ in
      .init(line: Self.limited) { try? fixture.publishSession(token: Self.second) }
    }
    let sent = Self.sent(Self.request(fixture))
    #expect(sent.tokens == [VaultFixture.token, Self.second])
    #expect(sent.error == nil)
    #expect(host.requests.events.count == 1, "it is not asked again and again")
  }

  @Test(arguments: [
    (limited as String?, "the host: a moment ago"),
    (#"{"event":"failed","reason":"offline","message":"no route"}"#, "the host: no route"),
    (#"{"event":"done"}"#, "the host gave no answer that fits"),
    (renewed, "the host has published no other one"),
    (nil, "the host did not answer within 200ms; its log may say why"),
  ])
  func wg08WithoutAnotherTokenNothingIsSentAgain(line: String?, why: String) throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let host = try StandInHost(in: fixture.runtime) { _ in .init(line: line) }
    let sent = Self.sent(Self.request(fixture, limit: .milliseconds(200)))
    #expect(sent.tokens == [VaultFixture.token])
    #expect(Self.reason(sent.error) == .notReplaced(why))
    #expect(host.requests.events.count == 1)
  }

  @Test func withoutAHostTheErrorSaysToStartIt() throws {
    let fixture = try VaultFixture()
    // The lock file of a host that has ended.
    do { _ = try fixture.holdHostLock() }
    try fixture.publishSession()
    let sent = Self.sent(Self.request(fixture))
    #expect(sent.tokens == [VaultFixture.token])
    #expect(
      sent.error.map { "\($0)" }
        == "the access token of primary was rejected: no host listens at"
        + " \(fixture.runtime.path)/host.sock; start the host: tokenvault-host")
  }

  @Test func anotherAccountsTokenIsNeverSent() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let sent = Self.sent(Self.request(fixture)) {
      var draft = try fixture.draft(
        .session(fixture.record(expiresIn: .seconds(3600), token: Self.second)))
      draft.accountFingerprint = AccountFingerprint(rawValue: 6)
      try fixture.publish(draft)
    }
    #expect(sent.tokens == [VaultFixture.token])
    #expect(Self.reason(sent.error) == .accountChanged)
  }

  @Test func aSignOutMeanwhileIsSaid() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let sent = Self.sent(Self.request(fixture)) {
      try fixture.publish(fixture.draft(.signedOut))
    }
    #expect(sent.tokens == [VaultFixture.token])
    #expect((sent.error as? AccessTokenError)?.reason == .signedOut)
  }

  @Test func whatElseARequestThrowsIsPassedOn() async throws {
    struct Unreachable: Error {}
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let request = Self.request(fixture)
    #expect(throws: Unreachable.self) { try request.send { _ in throw Unreachable() } }
    await #expect(throws: Unreachable.self) {
      try await request.send { _ async throws in throw Unreachable() }
    }
  }

  @Test func cs04TasksOfOneProgramAskTheHostOnce() async throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let rejected = EventRecorder<Void>()
    let all = Gate()
    let host = try StandInHost(in: fixture.runtime) { _ in
      try? fixture.publishSession(token: Self.second)
      return .init(line: Self.renewed)
    }
    let request = Self.request(fixture)
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await request.send { token async throws in
            guard token == VaultFixture.token else { return token }
            rejected.record(())
            try await all.wait()
            throw AccessTokenRejected()
          }
        }
      }
      _ = try await rejected.wait(count: 8)
      all.open()
      for try await token in group { #expect(token == Self.second) }
    }
    #expect(host.requests.events.count == 1)
  }

  @Test func aCancelledTaskDoesNotWaitForTheHost() async throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let host = try StandInHost(in: fixture.runtime) { _ in .init(line: nil) }
    let request = Self.request(fixture)
    let tokens = EventRecorder<String>()
    let task = Task {
      try await request.send { token async throws in
        tokens.record(token)
        throw AccessTokenRejected()
      }
    }
    _ = try await host.requests.wait(count: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(tokens.events.count == 1)
    // Whoever is cancelled before does not even ask.
    await #expect(throws: CancellationError.self) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.cancelAll()
        group.addTask { try await request.send { _ async throws in throw AccessTokenRejected() } }
        try await group.next()
      }
    }
    #expect(host.requests.events.count == 1)
  }

  @Test func aProviderIsAClosureForAnyClient() async throws {
    let fixture = try VaultFixture()
    let provider = fixture.vault().tokenProvider(validFor: .seconds(60))
    let asynchronous: @Sendable () async throws -> String = provider
    #expect(throws: AccessTokenError.self) { try provider() }
    try fixture.publishSession()
    #expect(try provider() == VaultFixture.token)
    try fixture.publishSession(token: Self.second)
    #expect(try await asynchronous() == Self.second)
  }
}

extension Bool {
  fileprivate mutating func exchange(with new: Bool) -> Bool {
    defer { self = new }
    return self
  }
}
