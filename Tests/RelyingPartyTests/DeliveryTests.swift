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

/// An address that a person copies from a browser on another machine.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct DeliveryTests {
  private static func deliver(
    _ address: String, to namespace: Namespace?, _ host: HostFixture
  ) async throws -> ControlEvent {
    try await host.ask(.complete(namespace, address: address)).wait(count: 1)[0]
  }

  private static let notThisSignIn = ControlEvent.failed(
    .responseMismatch,
    message: "this address belongs to another sign-in or was used before: start the sign-in again")
  private static let notAwaited = ControlEvent.failed(
    .responseMismatch,
    message: "no sign-in waits for an address: this one was used before, or its sign-in is over;"
      + " start the sign-in again")
  /// What an address that was taken is told next, while its sign-in goes on and after it.
  private static let used = [notThisSignIn, notAwaited]
  private static let notTheRedirect = ControlEvent.failed(
    .responseMismatch,
    message: "this is not the address the provider sent the browser to:"
      + " copy the whole address from the browser after signing in")

  @Test(arguments: [Namespace.primary, nil])
  func anAddressEndsTheSignInItBelongsTo(namespace: Namespace?) async throws {
    let host = try await HostFixture(providers: 2)
    let end = try await host.signIn { event in
      let address = try await HostFixture.redirect(of: event)
      #expect(try await Self.deliver(address, to: namespace, host) == .done)
      #expect(Self.used.contains(try await Self.deliver(address, to: namespace, host)))
    }
    #expect(end == .signedIn(.primary))
  }

  @Test func rp33AnAddressWithAnotherStateIsRefusedAndTheSignInGoesOn() async throws {
    let host = try await HostFixture()
    let end = try await host.signIn { event in
      var wrong = try await Response(HostFixture.redirect(of: event))
      wrong["state"] = "other"
      #expect(try await Self.deliver(wrong.url, to: nil, host) == Self.notThisSignIn)
      wrong.port = "1"
      #expect(try await Self.deliver(wrong.url, to: nil, host) == Self.notTheRedirect)
      #expect(try await Self.deliver("", to: nil, host) == Self.notTheRedirect)
      try await HostFixture.browse(event)
    }
    #expect(end == .signedIn(.primary))
  }

  @Test func rp34AnAddressOfAnotherIssuerEndsTheSignIn() async throws {
    let host = try await HostFixture()
    host.provider.overrides.authorizationResponse = [.set("iss", .string("https://other"))]
    try await host.expectRefusal(
      "the answer did not belong to this sign-in: its iss is another issuer",
      reason: .responseMismatch, requests: [.discovery, .authorize]
    ) { event in
      let address = try await HostFixture.redirect(of: event)
      #expect(try await Self.deliver(address, to: .primary, host) == .done)
    }
  }

  private static let scheme = "com.example.app://sign-in/callback"

  private static func ownSchemeHost() async throws -> HostFixture {
    try await HostFixture {
      $0.clients[0].redirectURIs = [scheme]
    } client: {
      // Nothing behind a scheme is ever tried.
      $0.redirects = [scheme, "http://127.0.0.1/callback"]
    }
  }

  @Test func aRedirectToAnOwnSchemeIsDelivered() async throws {
    let host = try await Self.ownSchemeHost()
    let end = try await host.signIn { event in
      let address = try await HostFixture.redirect(of: event)
      #expect(address.hasPrefix(Self.scheme + "?"))
      #expect(try await Self.deliver(address, to: nil, host) == .done)
      #expect(Self.used.contains(try await Self.deliver(address, to: nil, host)))
    }
    #expect(end == .signedIn(.primary))
  }

  @Test func rp33WhatAnotherProgramDeliversIsRefusedAndTheSignInGoesOn() async throws {
    let host = try await Self.ownSchemeHost()
    let end = try await host.signIn { event in
      let address = try await HostFixture.redirect(of: event)
      for forged in [
        Self.scheme, Self.scheme + "?code=c", Self.scheme + "?code=c&state=s",
        "com.example.app://sign-in/other?" + (address.split(separator: "?").last ?? ""),
      ] {
        #expect(try await Self.deliver(forged, to: nil, host) != .done)
      }
      #expect(try await Self.deliver(address, to: nil, host) == .done)
    }
    #expect(end == .signedIn(.primary))
  }

  @Test func rp34AnotherIssuerBehindAnOwnSchemeEndsTheSignIn() async throws {
    let host = try await Self.ownSchemeHost()
    host.provider.overrides.authorizationResponse = [.set("iss", .string("https://other"))]
    try await host.expectRefusal(
      "the answer did not belong to this sign-in: its iss is another issuer",
      reason: .responseMismatch, requests: [.discovery, .authorize]
    ) { event in
      let address = try await HostFixture.redirect(of: event)
      #expect(try await Self.deliver(address, to: nil, host) == .done)
    }
  }

  @Test(arguments: [
    "com.example.app:/callback", "com.example.app://callback", "com.example.app:", "app://a/b",
    "https://app.example/callback",
  ])
  func aRedirectThatCannotBeWaitedForIsAConfigurationError(redirect: String) async throws {
    let host = try await HostFixture(client: { $0.redirects = [redirect] })
    guard case .failed(.configuration, let message) = try await host.signIn() else {
      Issue.record("the sign-in did not fail for its configuration")
      return
    }
    #expect(message.hasPrefix("redirect \"\(redirect)\" is not "))
    #expect(host.provider.count(of: .authorize) == 0)
  }

  @Test func withoutASignInThereIsNothingToEnd() async throws {
    let host = try await HostFixture()
    let address = "http://127.0.0.1:8400/callback?code=c&state=s"
    #expect(try await Self.deliver(address, to: .primary, host) == Self.notAwaited)
  }

  @Test func aRemotePersonGetsTheDeviceFlowWhereThereIsOne() async throws {
    let host = try await HostFixture()
    let request = HostControl.SignInRequest(namespace: .primary, isRemote: true)
    let events = try host.ask(.signIn(request))
    guard case .device = try await events.wait(count: 1)[0] else {
      Issue.record("no device prompt was shown")
      return
    }
    let other = try await HostFixture()
    other.provider.overrides.discovery = [.remove("device_authorization_endpoint")]
    let end = try await other.signIn(request) { event in
      let address = try await HostFixture.redirect(of: event)
      #expect(try await Self.deliver(address, to: nil, other) == .done)
    }
    #expect(end == .signedIn(.primary))
  }
}
