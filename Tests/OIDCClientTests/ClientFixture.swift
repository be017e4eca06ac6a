import DevelopmentProvider
import GrantModel
import HTTPExchange
import OIDCClient
import SessionModel
import Synchronization
import TestSupport

/// A provider on loopback, a client of it, and a person with a browser that has no screen.
final class ClientFixture: Sendable {
  let provider: LoopbackProvider
  let clock = ManualClock()
  /// The prompts that the person saw.
  let prompts = EventRecorder<SignInPrompt>()

  /// Seconds since 1970 when the manual clock is at zero.
  static let start: Int64 = 1_800_000_000

  init(_ adjust: (inout ProviderConfiguration) -> Void = { _ in }) throws {
    var configuration = ProviderConfiguration()
    configuration.approval = .automatic
    let clock = clock
    configuration.wallTime = { .seconds(Self.start) + clock.now.offset }
    adjust(&configuration)
    provider = try LoopbackProvider(configuration, key: TestKeys.shared.get().rsa)
  }

  /// The wall time that client and provider agree on.
  var now: UnixTime { UnixTime(rawValue: Self.start) + clock.now.offset }

  /// Makes a client of the provider.
  func source(_ adjust: (inout OIDCConfiguration) -> Void = { _ in }) -> OIDCSessionSource {
    var configuration = OIDCConfiguration(
      issuer: provider.issuer, clientId: "desktop",
      scopes: ["openid", "profile", "email", "offline_access"])
    adjust(&configuration)
    let clock = clock
    return OIDCSessionSource(
      configuration: configuration, http: HTTPClient(),
      time: ClientTime(clock: clock) {
        UnixTime(rawValue: Self.start) + clock.now.offset
      })
  }

  /// Signs in by browser; the person does what the provider's pages say.
  func signIn(
    _ source: OIDCSessionSource, request: SignInRequest = SignInRequest(flow: .browser),
    journal: RecordingJournal = RecordingJournal()
  ) async -> GrantOutcome {
    let prompts = prompts
    return await source.signIn(request, journal: journal) { prompt in
      prompts.record(prompt)
      if case .authorize(let url) = prompt { await Self.browse(url) }
    }
  }

  /// Signs in and returns the grant.
  func grant(_ source: OIDCSessionSource) async throws -> Grant {
    try await signIn(source).issuedGrant()
  }

  /// Follows redirects as a browser does, until a page comes.
  static func browse(_ url: String) async {
    var next = url
    for _ in 1...5 {
      guard let answer = try? await HTTPClient().send(HTTPRequest(url: next)),
        (300...399).contains(answer.status), let location = answer.headers["Location"]
      else { return }
      next = location
    }
  }
}

/// An outcome that a test did not expect.
struct UnexpectedOutcome: Error, CustomStringConvertible {
  let description: String
}

extension GrantOutcome {
  /// The grant of an outcome that must be one.
  func issuedGrant() throws -> Grant {
    guard case .issued(let issued) = self else {
      throw UnexpectedOutcome(description: summary)
    }
    return issued.grant
  }

  /// The outcome in words, to be compared in tests.
  var summary: String {
    switch self {
    case .issued: "issued"
    case .conflict: "conflict"
    case .terminal(let failure): "terminal: \(failure)"
    case .transient(let cause, let wait):
      "transient: \(cause), \(wait.map { "\($0)" } ?? "no wait")"
    }
  }
}
