import BrowserFlow
import SessionModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct LoopbackRedirectListenerTests {
  private let state = "s-0123456789"

  private func listen(
    _ uris: [String] = [],
    judge: @escaping @Sendable (RedirectParameters) -> RedirectVerdict = { _ in .taken }
  ) throws -> (LoopbackRedirectListener, port: UInt16) {
    let targets = try uris.isEmpty ? RedirectTarget.anyFreePort : uris.map(RedirectTarget.init)
    let listener = try LoopbackRedirectListener(targets: targets, state: state, judge: judge)
    let digits = listener.redirectURI.split(separator: ":")[2].prefix { $0 != "/" }
    return (listener, try #require(UInt16(digits)))
  }

  @Test func na01TheRedirectURIUsesTheLiteralAndAFreePort() throws {
    let (listener, port) = try listen()
    defer { listener.close() }
    #expect(listener.redirectURI == "http://127.0.0.1:\(port)/callback")
    #expect(RawConnection(port: port) != nil)
  }

  @Test func na02TheSixthVersionIsTakenWhereItIsConfigured() throws {
    let (listener, port) = try listenIPv6()
    defer { listener.close() }
    #expect(listener.redirectURI == "http://[::1]:\(port)/callback")
    #expect(RawConnection(port: port, ipv6: true) != nil)
    #expect(RawConnection(port: port) == nil)
  }

  private func listenIPv6() throws -> (LoopbackRedirectListener, port: UInt16) {
    let listener = try LoopbackRedirectListener(
      targets: [try RedirectTarget(uri: "http://[::1]/callback")], state: state)
    let digits = listener.redirectURI.split(separator: "]:")[1].prefix { $0 != "/" }
    return (listener, try #require(UInt16(digits)))
  }

  @Test func theNextRedirectIsTakenWhenAPortIsInUse() throws {
    let (first, port) = try listen()
    defer { first.close() }
    let taken = "http://127.0.0.1:\(port)/callback"
    let (second, other) = try listen([taken, "http://127.0.0.1/other"])
    defer { second.close() }
    #expect(second.redirectURI == "http://127.0.0.1:\(other)/other")
    let error = #expect(throws: RedirectListenerError.self) { _ = try listen([taken]) }
    #expect(
      error?.description
        == "http://127.0.0.1:\(port) is in use by another program:"
        + " end that program, or use another port")
  }

  @Test func na04TheResponseIsHandedOverAndThePortCloses() async throws {
    let (listener, port) = try listen()
    async let page = TestThread.run {
      RawConnection.exchange(
        "GET /callback?code=c%2B1&state=s-0123456789&iss=https%3A%2F%2Fid.example", port: port)
    }
    let parameters = try await listener.response(clock: ManualClock())
    #expect(RawConnection(port: port) == nil)
    await listener.conclude(.expired)
    #expect(parameters["code"] == "c+1")
    #expect(parameters["iss"] == "https://id.example")
    #expect(parameters.names == ["code", "state", "iss"])
    let shown = try await page ?? ""
    #expect(shown.hasPrefix("HTTP/1.1 200 OK\r\n"))
    #expect(shown.contains("This sign-in has expired"))
    #expect(shown.hasSuffix("</html>\n"))
  }

  @Test func na03NothingListensBeforeAndAfterASignIn() async throws {
    let (listener, port) = try listen()
    #expect(try isListening(port))
    try listener.deliver(url: "\(listener.redirectURI)?code=c&state=\(state)")
    _ = try await listener.response(clock: ManualClock())
    #expect(try !isListening(port))
  }

  /// Whether /proc/net/tcp shows a listening socket (state 0A) on a port of 127.0.0.1.
  private func isListening(_ port: UInt16) throws -> Bool {
    let digits = String(port, radix: 16, uppercase: true)
    let address = "0100007F:" + String(repeating: "0", count: 4 - digits.count) + digits
    return try TestFile.text("/proc/net/tcp").split(separator: "\n").contains { line in
      let fields = line.split(separator: " ")
      return fields.count > 3 && fields[1] == address && fields[3] == "0A"
    }
  }

  @Test func na04TheDeadlineClosesThePort() async throws {
    let (listener, port) = try listen()
    let clock = ManualClock()
    let waiting = Task { try await listener.response(within: .seconds(300), clock: clock) }
    try await clock.waitForSleepers(1)
    #expect(RawConnection(port: port) != nil)
    clock.advance(by: .seconds(300))
    await #expect(throws: RedirectError.timedOut) { _ = try await waiting.value }
    #expect(RawConnection(port: port) == nil)
  }

  @Test func na04CancellationClosesThePort() async throws {
    let (listener, port) = try listen()
    let clock = ManualClock()
    let waiting = Task { try await listener.response(clock: clock) }
    try await clock.waitForSleepers(1)
    waiting.cancel()
    await #expect(throws: RedirectError.cancelled) { _ = try await waiting.value }
    #expect(RawConnection(port: port) == nil)
  }

  @Test(arguments: [
    "code=c", "code=c&state=", "code=c&state=s-012345678X", "code=c&state=s-0123456789x",
    "code=c&state=s-0123456789&state=s-0123456789", "error=access_denied",
  ])
  func rp33AResponseWithAnotherStateEndsTheWait(query: String) async throws {
    let (listener, port) = try listen()
    let answer = RawConnection.exchange("GET /callback?\(query)", port: port)
    #expect(answer?.hasPrefix("HTTP/1.1 400 ") == true)
    #expect(answer?.contains("Sign-in stopped") == true)
    await #expect(throws: RedirectError.foreignState) {
      _ = try await listener.response(clock: ManualClock())
    }
    #expect(RawConnection(port: port) == nil)
  }

  @Test(arguments: [
    ("state=s-0123456789x", []), ("code=&state=", []),
    ("code=c&state=x", ["Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: empty"]),
    ("code=c", ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"]),
  ])
  func rp33WhatIsNoResponseOrNoNavigationDoesNotEndTheWait(
    query: String, headers: [String]
  ) async throws {
    let (listener, port) = try listen()
    let answer = RawConnection.exchange("GET /callback?\(query)", port: port, headers: headers)
    #expect(answer?.hasPrefix("HTTP/1.1 400 ") == true)
    #expect(answer?.contains("Not part of this sign-in") == true)
    async let right = TestThread.run {
      RawConnection.exchange("GET /callback?code=right&state=s-0123456789", port: port)
    }
    #expect(try await listener.response(clock: ManualClock())["code"] == "right")
    listener.close()
    _ = try await right
  }

  @Test(arguments: [
    ("GET /", "404"), ("GET /callback/", "404"), ("GET /favicon.ico", "404"),
    ("POST /callback?code=c&state=s-0123456789", "405"), ("HEAD /callback", "405"),
    ("GET /callback?code=%00&state=s-0123456789", "400"),
  ])
  func na05OtherRequestsAreAnsweredAndTheRightOneStillWorks(line: String, status: String)
    async throws
  {
    let (listener, port) = try listen()
    let answer = RawConnection.exchange(line, port: port)
    #expect(answer?.hasPrefix("HTTP/1.1 \(status) ") == true)
    async let right = TestThread.run {
      RawConnection.exchange("GET /callback?code=right&state=s-0123456789", port: port)
    }
    #expect(try await listener.response(clock: ManualClock())["code"] == "right")
    listener.close()
    _ = try await right
  }

  @Test(arguments: [
    "code=a&code=b&state=s-0123456789", "state=s-0123456789",
    "code=a&error=access_denied&state=s-0123456789", "code=&state=s-0123456789",
    "code=a&iss=x&iss=x&state=s-0123456789",
  ])
  func na08AMalformedResponseEndsTheWait(query: String) async throws {
    let (listener, port) = try listen()
    let answer = RawConnection.exchange("GET /callback?\(query)", port: port)
    #expect(answer?.hasPrefix("HTTP/1.1 400 ") == true)
    #expect(answer?.contains("Sign-in failed") == true)
    await #expect(throws: RedirectError.malformed) {
      _ = try await listener.response(clock: ManualClock())
    }
  }

  @Test func rp37AResponseOfAnotherIssuerIsIgnored() async throws {
    let (listener, port) = try listen { parameters in
      guard parameters["iss"] == "https://right.example" else { return .ignored }
      return .taken
    }
    let query = "error=access_denied&state=\(state)&iss=https%3A%2F%2F"
    let wrong = RawConnection.exchange("GET /callback?\(query)wrong.example", port: port)
    #expect(wrong?.contains("Not part of this sign-in") == true)
    async let right = TestThread.run {
      RawConnection.exchange("GET /callback?\(query)right.example", port: port)
    }
    let parameters = try await listener.response(clock: ManualClock())
    #expect(parameters["error"] == "access_denied")
    await listener.conclude(.denied(provider: "right.example"))
    #expect(try await right?.contains("Access denied") == true)
  }

  @Test func rp33AStateIsUsedOnce() async throws {
    let (listener, port) = try listen()
    try listener.deliver(url: "\(listener.redirectURI)?code=c&state=\(state)")
    let second = RawConnection.exchange("GET /callback?code=d&state=\(state)", port: port)
    #expect(second?.hasPrefix("HTTP/1.1 400 ") == true)
    #expect(second?.contains("This sign-in is over") == true)
    #expect(try await listener.response(clock: ManualClock())["code"] == "c")
  }

  @Test func aPastedAddressEndsTheWait() async throws {
    let (listener, port) = try listen()
    let url = "\(listener.redirectURI)?code=pasted&state="
    #expect(throws: RedirectDeliveryError.notThisSignIn) { try listener.deliver(url: url + "x") }
    for wrong in ["", "code=c", "http://127.0.0.1:1/callback?code=c&state=\(state)", url + "%00"] {
      #expect(throws: RedirectDeliveryError.notTheRedirect) { try listener.deliver(url: wrong) }
    }
    try listener.deliver(url: url + state + "#fragment")
    #expect(try await listener.response(clock: ManualClock())["code"] == "pasted")
    #expect(RawConnection(port: port) == nil)
    #expect(throws: RedirectDeliveryError.notThisSignIn) { try listener.deliver(url: url + state) }
  }

  /// What an unquoted address is to a shell.
  @Test func anAddressThatIsCutShortIsRefusedAndTheWaitGoesOn() async throws {
    let (listener, _) = try listen()
    let url = "\(listener.redirectURI)?state=\(state)"
    #expect(throws: RedirectDeliveryError.incomplete) { try listener.deliver(url: url) }
    #expect(throws: RedirectDeliveryError.incomplete) {
      try listener.deliver(url: url + "&code=a&code=b")
    }
    try listener.deliver(url: url + "&code=whole")
    #expect(try await listener.response(clock: ManualClock())["code"] == "whole")
  }

  @Test func theEndOfASessionCanBeBroughtByHand() async throws {
    let listener = try LoopbackRedirectListener(state: state, purpose: .endOfSession)
    for wrong in ["?state=other", "?x=1", "?state=\(state)&state=\(state)"] {
      #expect(throws: RedirectDeliveryError.notThisSignIn) {
        try listener.deliver(url: listener.redirectURI + wrong)
      }
    }
    try listener.deliver(url: "\(listener.redirectURI)?state=\(state)")
    #expect(try await listener.response(clock: ManualClock())["state"] == state)
  }

  @Test func theParametersDoNotPrintTheCode() async throws {
    let (listener, _) = try listen()
    try listener.deliver(url: "\(listener.redirectURI)?code=zq7&state=\(state)")
    let parameters = try await listener.response(clock: ManualClock())
    var dumped = ""
    dump(parameters, to: &dumped)
    #expect("\(parameters)" == "RedirectParameters(2 values not shown)")
    #expect(!dumped.contains("zq7") && !String(reflecting: parameters).contains("zq7"))
  }
}
