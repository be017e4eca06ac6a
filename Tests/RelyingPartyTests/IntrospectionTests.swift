import DevelopmentProvider
import GrantModel
import HostControl
import SessionHost
import SessionModel
import StrictJSON
import TestSupport
import Testing

/// A question about the access token over the control socket (RFC 7662).
@Suite(.timeLimit(.minutes(2)), .serialized)
struct IntrospectionTests {
  private static func ask(
    _ host: HostFixture, _ namespace: Namespace = .primary
  ) async throws -> ControlEvent {
    try await host.ask(.introspect(namespace)).next { $0.isLast }
  }

  @Test func theHostAsksAndShowsNoToken() async throws {
    let host = try await HostFixture()
    #expect(try await host.signIn() == .signedIn(.primary))
    let event = try await Self.ask(host)
    guard case .introspection(let answer) = event else {
      Issue.record("\(event)")
      return
    }
    #expect(answer.isActive)
    #expect(answer.subject == "alice-0001")
    #expect(answer.scope == "openid profile email offline_access")
    let grant = try #require(try host.stored()?.grant)
    #expect(answer.expiresAt == grant.expiresAt)
    let frame = String(decoding: event.encoded(), as: UTF8.self)
    for token in host.provider.hostTokens + [grant.accessToken] { #expect(!frame.contains(token)) }
  }

  @Test func aTokenThatWasRevokedElsewhereIsSaidAndTheSessionStays() async throws {
    let host = try await HostFixture()
    #expect(try await host.signIn() == .signedIn(.primary))
    host.provider.revokeAllGrants()
    #expect(
      try await Self.ask(host)
        == .introspection(IntrospectionAnswer(namespace: .primary, isActive: false)))
    #expect(try await host.status()?.session == "valid")
    #expect(host.provider.counts.refreshes == 0)
  }

  @Test func withoutASessionNobodyIsAsked() async throws {
    let host = try await HostFixture()
    #expect(
      try await Self.ask(host)
        == .failed(
          .notSignedIn, message: "nobody is signed in; run: tokenvault sign-in primary"))
    guard case .failed(.unknownNamespace, _) = try await Self.ask(host, HostFixture.namespaces[1])
    else {
      Issue.record("an unknown namespace was answered for")
      return
    }
    #expect(host.provider.requests.isEmpty)
  }

  @Test func eachFailureHasItsWord() async throws {
    let host = try await HostFixture()
    #expect(try await host.signIn() == .signedIn(.primary))
    for (status, body, reason) in [
      (401, "", ControlFailureReason.flowUnsupported), (200, "{}", .verificationFailed),
      (500, "", .providerError), (429, "", .waiting),
    ] {
      var effect = FaultEffect.status(status)
      effect.body = Array(body.utf8)
      host.provider.setFaults([FaultRule(.introspect, .always, effect)])
      let event = try await Self.ask(host)
      guard case .failed(reason, _) = event else {
        Issue.record("\(status): \(event)")
        continue
      }
    }
    host.provider.isDown = true
    guard case .failed(.offline, _) = try await Self.ask(host) else {
      Issue.record("nobody is there to answer")
      return
    }
  }
}
