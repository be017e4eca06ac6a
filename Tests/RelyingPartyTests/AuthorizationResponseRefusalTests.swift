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

/// Every authorization response that must not be believed, brought to a whole host's listener.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct AuthorizationResponseRefusalTests {
  private static let requests: [ProviderEndpoint] = [.discovery, .authorize]
  private static let foreignState =
    "the answer did not belong to this sign-in:"
    + " its state is missing or not the one that was sent"

  private enum StateChange: CaseIterable {
    case missing, changed, ofAnotherSignIn
  }

  @Test(arguments: StateChange.allCases)
  private func rp33AResponseWithoutTheStateEndsTheSignIn(change: StateChange) async throws {
    let host = try await HostFixture(providers: 2)
    let other = try host.ask(
      .signIn(HostControl.SignInRequest(namespace: HostFixture.namespaces[1], flow: .browser)))
    let foreign = try await HostFixture.redirect(of: try await other.wait(count: 1)[0])
    try await host.expectRefusal(
      Self.foreignState, reason: .responseMismatch, requests: Self.requests
    ) { event in
      var response = try await Response(HostFixture.redirect(of: event))
      switch change {
      case .missing: response["state"] = nil
      case .changed: response["state"] = response["state"].map { String($0.dropLast()) + "~" }
      case .ofAnotherSignIn: response["state"] = try Response(foreign)["state"]
      }
      let page = try await HostFixture.open(response.url)
      #expect(page.status == 400)
      #expect(String(decoding: page.body, as: UTF8.self).contains("Sign-in stopped"))
    }
  }

  @Test func rp33AStateIsGoodForOneResponse() async throws {
    let host = try await HostFixture()
    let url = EventRecorder<String>()
    let end = try await host.signIn { event in
      url.record(try await HostFixture.redirect(of: event))
      try await HostFixture.open(url.events[0])
    }
    #expect(end == .signedIn(.primary))
    let before = host.provider.requests
    await #expect(throws: HTTPError.self) { try await HostFixture.open(url.events[0]) }
    // Nor does the next sign-in take it.
    let next = try await host.signIn { event in
      let port = try await Response(HostFixture.redirect(of: event)).port
      var old = try Response(url.events[0])
      old.port = port
      #expect(try await HostFixture.open(old.url).status == 400)
    }
    #expect(next == .failed(.responseMismatch, message: Self.foreignState))
    #expect(host.provider.count(of: .token) == before.count { $0.endpoint == .token })
    #expect(try host.stored()?.grant != nil)
  }

  @Test func rp33WhatAPageLoadsInTheBackgroundDoesNotEndTheSignIn() async throws {
    let host = try await HostFixture()
    let end = try await host.signIn { event in
      let location = try await HostFixture.redirect(of: event)
      var forged = try Response(location)
      forged["state"] = "forged"
      for headers in [
        [("Sec-Fetch-Mode", "no-cors"), ("Sec-Fetch-Dest", "image")],
        [("Sec-Fetch-Mode", "navigate"), ("Sec-Fetch-Dest", "iframe")],
      ] {
        #expect(try await HostFixture.open(forged.url, headers: headers).status == 400)
      }
      #expect(try await HostFixture.open(location).status == 200)
    }
    #expect(end == .signedIn(.primary))
  }

  @Test(arguments: ["https://other.example", "/", ""])
  func rp34AResponseOfAnotherIssuerIsRefused(issuer: String) async throws {
    let host = try await HostFixture()
    let stated = issuer == "/" ? host.provider.issuer + "/" : issuer
    host.provider.overrides.authorizationResponse = [.set("iss", .string(stated))]
    try await host.expectRefusal(
      "the answer did not belong to this sign-in: its iss is another issuer",
      reason: .responseMismatch, requests: Self.requests)
  }

  @Test func rp35AResponseWithoutThePromisedIssuerIsRefused() async throws {
    let host = try await HostFixture()
    host.provider.overrides.authorizationResponse = [.remove("iss")]
    try await host.expectRefusal(
      "the answer did not belong to this sign-in: it has no iss",
      reason: .responseMismatch, requests: Self.requests)
  }

  @Test(arguments: [true, false])
  func rp36AResponseOfAnotherProviderIsRefused(knowsState: Bool) async throws {
    let host = try await HostFixture(providers: 2)
    let second = HostFixture.namespaces[1]
    let other = try host.ask(
      .signIn(HostControl.SignInRequest(namespace: second, flow: .browser)))
    let foreign = try await HostFixture.redirect(of: try await other.wait(count: 1)[0])
    try await host.expectRefusal(
      knowsState
        ? "the answer did not belong to this sign-in: its iss is another issuer"
        : Self.foreignState,
      reason: .responseMismatch, requests: Self.requests
    ) { event in
      let own = try await Response(HostFixture.redirect(of: event))
      var mixed = try Response(foreign)
      mixed.port = own.port
      if knowsState { mixed["state"] = own["state"] }
      _ = try await HostFixture.open(mixed.url)
    }
    // The other sign-in ran out of time meanwhile, or was called off with the end of the host.
    let end = try await other.next { $0.isLast }
    #expect(
      end == .failed(.expired, message: "the sign-in was not finished in time")
        || end == .failed(.stopping, message: "the host is stopping"))
    #expect(host.providers.allSatisfy { $0.count(of: .token) == 0 })
    #expect(!host.hasSnapshot(second))
    #expect(try host.stored(second)?.grant == nil)
  }

  @Test func rp37ARefusalCountsFromTheProviderThatWasAskedAlone() async throws {
    let host = try await HostFixture(provider: { $0.approval = .denied })
    try await host.expectRefusal(
      "access was denied at the provider", reason: .accessDenied, requests: Self.requests
    ) { event in
      let own = try await Response(HostFixture.redirect(of: event))
      var foreign = own
      foreign["iss"] = "https://other.example"
      #expect(try await HostFixture.open(foreign.url).status == 400)
      foreign["iss"] = nil
      #expect(try await HostFixture.open(foreign.url).status == 400)
      #expect(try await HostFixture.open(own.url).status == 200)
    }
  }

  @Test func rp44ASecondSignInIsRefusedAndSharesNothing() async throws {
    let host = try await HostFixture()
    let end = try await host.signIn { event in
      let second = try await host.signIn()
      #expect(
        second
          == .failed(
            .loginInProgress,
            message:
              "a sign-in to primary is under way already; finish it, or end it with Ctrl-C where"
              + " it was begun"))
      try await HostFixture.browse(event)
    }
    #expect(end == .signedIn(.primary))
    #expect(host.provider.count(of: .authorize) == 1)
  }

  @Test func rp44StatesNoncesAndVerifiersAreNeverShared() async throws {
    let host = try await HostFixture(providers: 2)
    let urls = EventRecorder<String>()
    for namespace in HostFixture.namespaces {
      let request = HostControl.SignInRequest(namespace: namespace, flow: .browser)
      let end = try await host.signIn(request) { event in
        if case .authorize(let url, _) = event { urls.record(url) }
        try await HostFixture.browse(event)
      }
      #expect(end == .signedIn(namespace))
    }
    for name in ["state", "nonce", "code_challenge"] {
      #expect(Set(try urls.events.map { try Response($0)[name] }).count == 2, "\(name)")
    }
  }

  @Test func rp45ACodeOfAnotherSignInIsTriedOnce() async throws {
    // The code is genuine, and was asked for with another proof key: the provider refuses it.
    let host = try await HostFixture()
    let stolen = EventRecorder<String>()
    let first = try await host.signIn { event in
      let own = try await Response(HostFixture.redirect(of: event))
      stolen.record(own["code"] ?? "")
      var denied = own
      denied["code"] = nil
      denied["error"] = "access_denied"
      _ = try await HostFixture.open(denied.url)
    }
    #expect(first == .failed(.accessDenied, message: "access was denied at the provider"))
    try await host.expectRefusal(
      "the provider answered with the error invalid_grant", reason: .providerError,
      requests: [.discovery, .authorize, .authorize, .token]
    ) { event in
      var injected = try await Response(HostFixture.redirect(of: event))
      injected["code"] = stolen.events[0]
      _ = try await HostFixture.open(injected.url)
    }
  }

  @Test(arguments: ["code", "state", "iss"])
  func na08ARepeatedParameterIsRefused(name: String) async throws {
    let host = try await HostFixture()
    let message =
      name == "state"
      ? Self.foreignState
      : "the answer did not belong to this sign-in:"
        + " it repeats a parameter, or has neither a code nor an error, or both"
    try await host.expectRefusal(
      message, reason: .responseMismatch, requests: Self.requests
    ) { event in
      let location = try await HostFixture.redirect(of: event)
      let value = try Response(location)[name] ?? ""
      #expect(try await HostFixture.open("\(location)&\(name)=\(value)").status == 400)
    }
  }

  @Test func na03AndNa04ThePortIsOpenForTheSignInAlone() async throws {
    let host = try await HostFixture()
    let url = EventRecorder<String>()
    _ = try await host.signIn { event in
      url.record(try await HostFixture.redirect(of: event))
      try await HostFixture.open(url.events[0])
    }
    await #expect(throws: HTTPError.self) { try await HostFixture.open(url.events[0]) }
    let second = try host.ask(
      .signIn(HostControl.SignInRequest(namespace: .primary, flow: .browser)))
    let unanswered = try await HostFixture.redirect(of: try await second.wait(count: 1)[0])
    try await host.runOutOfTime()
    let message = "the sign-in was not finished in time"
    #expect(try await second.next { $0.isLast } == .failed(.expired, message: message))
    await #expect(throws: HTTPError.self) { try await HostFixture.open(unanswered) }
  }
}
