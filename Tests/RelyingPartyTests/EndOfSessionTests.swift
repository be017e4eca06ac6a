import DevelopmentProvider
import GrantModel
import HTTPExchange
import HostControl
import OIDCClient
import SessionHost
import SessionModel
import StrictJSON
import TestSupport
import Testing

/// The end of the session in the browser (OpenID Connect RP-Initiated Logout 1.0).
@Suite(.timeLimit(.minutes(2)), .serialized)
struct EndOfSessionTests {
  private static func signOut(
    _ host: HostFixture, namespace: Namespace = .primary,
    person: (String) async throws -> Void
  ) async throws -> [ControlEvent] {
    let events = try host.ask(.signOutInBrowser(namespace))
    if case .endSession(let url, _) = try await events.wait(count: 1)[0] {
      try await person(url)
    }
    _ = try await events.next { $0.isLast }
    return events.events
  }

  private static func warning(_ host: HostFixture) -> String? {
    host.log.events.first { $0.contains("signed out here, perhaps not at the provider") }
  }

  @Test func withASchemeOfItsOwnTheSessionEndsOnAnyPort() async throws {
    let scheme = "com.example.app://sign-in/callback"
    let host = try await HostFixture {
      $0.clients[0].redirectURIs.append(scheme)
    } client: {
      $0.redirects = [scheme]
    }
    let end = try await host.signIn { event in
      let address = try await HostFixture.redirect(of: event)
      try await host.ask(.complete(nil, address: address)).next { $0 == .done }
    }
    #expect(end == .signedIn(.primary))
    let events = try await Self.signOut(host) { url in
      let location = try #require(try await HostFixture.open(url).headers["Location"])
      let back = try #require(try await HostFixture.open(location).headers["Location"])
      #expect(back.hasPrefix("http://127.0.0.1:"))
      #expect(try await HostFixture.open(back).status == 200)
    }
    #expect(events.last == .signedOut(.primary, .done))
    #expect(events.count == 2)
    #expect(Self.warning(host) == nil)
  }

  @Test func lo01TheProvidersSessionEndsAndTheStateIsCompared() async throws {
    let host = try await HostFixture()
    #expect(try await host.signIn() == .signedIn(.primary))
    let idToken = try #require(try host.stored()?.grant?.idToken)
    let departures = EventRecorder<String>()
    let events = try await Self.signOut(host) { url in
      // What is shown and handed to the browser holds no token.
      #expect(!url.contains("?") && !url.contains("eyJ"))
      let location = try #require(try await HostFixture.open(url).headers["Location"])
      departures.record(location)
      // It leads there once.
      #expect(try await HostFixture.open(url).headers["Location"] == nil)
      let back = try #require(try await HostFixture.open(location).headers["Location"])
      #expect(try await HostFixture.open(back).status == 200)
    }
    #expect(events.last == .signedOut(.primary, .done))
    let asked = try Response(departures.events[0])
    #expect(departures.events[0].hasPrefix(host.provider.issuer + "/end_session?"))
    #expect(asked["id_token_hint"] == idToken)
    #expect(asked["client_id"] == "desktop")
    #expect(asked["state"]?.utf8.count == 43)
    #expect(asked["post_logout_redirect_uri"]?.hasPrefix("http%3A%2F%2F127.0.0.1%3A") == true)
    #expect(host.provider.counts.endedSessions == 1)
    #expect(host.provider.counts.revocations == 1)
    #expect(host.log.events.contains("primary: the session at the provider has ended"))
    #expect(events.count == 2)
    #expect(Self.warning(host) == nil)
  }

  @Test(
    arguments: [
      (MemberOverride.remove("state"), "the browser came back without the state that was sent"),
      (.set("state", .string("other")), "the browser came back with another state than was sent"),
    ])
  func lo02TheSessionIsGoneWhateverStateComesBack(
    change: MemberOverride, warning: String
  ) async throws {
    let host = try await HostFixture()
    #expect(try await host.signIn() == .signedIn(.primary))
    host.provider.overrides.endSessionResponse = [change]
    let events = try await Self.signOut(host) { url in
      // Before the browser has been anywhere, nobody is signed in here any more.
      #expect(try await host.status()?.session == "signed-out")
      let location = try #require(try await HostFixture.open(url).headers["Location"])
      let back = try #require(try await HostFixture.open(location).headers["Location"])
      #expect(try await HostFixture.open(back).status == 200)
    }
    #expect(events.last == .signedOut(.primary, .done))
    #expect(
      Self.warning(host)
        == "primary: signed out here, perhaps not at the provider: \(warning)")
    #expect(events.dropLast().last == .endSessionUnconfirmed(warning))
    #expect(try host.stored()?.grant == nil)
  }

  @Test func lo02ABrowserThatNeverComesBackCostsAWarning() async throws {
    let host = try await HostFixture()
    #expect(try await host.signIn() == .signedIn(.primary))
    let events = try await Self.signOut(host) { _ in try await host.runOutOfTime() }
    #expect(
      events.suffix(2) == [
        .endSessionUnconfirmed("the browser did not come back in time"),
        .signedOut(.primary, .done),
      ])
    #expect(Self.warning(host)?.hasSuffix(": the browser did not come back in time") == true)
  }

  @Test func aProviderWithoutTheEndpointIsSignedOutOfAllTheSame() async throws {
    let host = try await HostFixture()
    host.provider.overrides.discovery = [.remove("end_session_endpoint")]
    #expect(try await host.signIn() == .signedIn(.primary))
    let events = try await Self.signOut(host) { _ in Issue.record("nobody is sent anywhere") }
    let last = events.last ?? .done
    #expect(last == .signedOut(.primary, .done))
    #expect(
      Self.warning(host)?.hasSuffix(": the provider names no end_session_endpoint") == true)
  }
}
