import BrowserFlow
import TestSupport
import Testing

/// The page that a browser waits for until the sign-in has ended.
@Suite(.timeLimit(.minutes(1))) struct RedirectPageTests {
  private static let account = "<script>alert(1)</script>&\"'\u{202E}"

  private static let endings: [(RedirectEnding, heading: String, next: String)] = [
    (
      .connected(account: "alice@example.test", provider: "id.example", replaced: nil),
      "Connected", "You can close this page."
    ),
    (.denied(provider: "id.example"), "Access denied", "agree to what is asked"),
    (.wrongAccount(provider: "id.example"), "Wrong account", "Sign out at id.example"),
    (.expired, "This sign-in has expired", "Try again where you started."),
    (.cancelled, "Sign-in cancelled", "Try again where you started."),
    (.mismatched, "Sign-in stopped", "Try again where you started."),
    (.unreachable(provider: "id.example"), "No answer from the provider", "Check the network"),
    (.unsaved, "Sign-in not saved", "try again there"),
    (.failed(provider: "id.example"), "Sign-in failed", "Try again there."),
  ]

  /// Brings a response to a listener and lets the sign-in end.
  private static func page(_ ending: RedirectEnding?, patience: Duration = .seconds(60))
    async throws -> String
  {
    let listener = try LoopbackRedirectListener(state: "zq7state", patience: patience)
    let digits = listener.redirectURI.split(separator: ":")[2].prefix { $0 != "/" }
    let port = try #require(UInt16(digits))
    async let page = TestThread.run {
      RawConnection.exchange(
        "GET /callback?code=zq7code&state=zq7state&x=zq7%3Cscript%3E", port: port)
    }
    _ = try await listener.response(clock: ManualClock())
    #expect(RawConnection(port: port) == nil, "nobody else is listened to any more")
    if let ending { await listener.conclude(ending) }
    let shown = try await page ?? ""
    listener.close()
    return shown
  }

  @Test(arguments: endings)
  func na06EachEndingHasItsTextAndEchoesNothing(
    ending: RedirectEnding, heading: String, next: String
  ) async throws {
    let page = try await Self.page(ending)
    #expect(page.contains("<h1 id=\"outcome\">\(heading)</h1>"))
    #expect(page.contains("<title>\(heading) - TokenVault</title>"))
    #expect(page.contains(next))
    #expect(page.contains("role=\"status\""))
    #expect(page.contains("<html lang=\"en\">"))
    #expect(!page.contains("zq7") && !page.contains("<script"))
    let isConnected = if case .connected = ending { true } else { false }
    #expect(page.contains("no account was connected") != isConnected || ending == .unsaved)
  }

  @Test func na06TheHeadersAllowNothing() async throws {
    let page = try await Self.page(.expired)
    for field in [
      "Cache-Control: no-store", "Referrer-Policy: no-referrer", "X-Content-Type-Options: nosniff",
      "Content-Security-Policy: default-src 'none'; style-src 'sha256-",
      "Cross-Origin-Opener-Policy: same-origin",
    ] {
      #expect(page.contains("\r\n\(field)"))
    }
    #expect(!page.contains("unsafe") && !page.contains("Location:"))
  }

  @Test func na06AnAccountIsNamedAndItsMarkupIsText() async throws {
    let page = try await Self.page(
      .connected(account: Self.account, provider: "id.example", replaced: "<b>bob</b>"))
    #expect(
      page.contains(
        "<bdi>&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;\u{202E}</bdi></strong>"
          + " <span>at <bdi>id.example</bdi>"))
    #expect(page.contains("It takes the place of &lt;b&gt;bob&lt;/b&gt;."))
    #expect(!page.contains("<script") && !page.contains("<b>"))
  }

  @Test func aBrowserDoesNotWaitForEver() async throws {
    let page = try await Self.page(nil, patience: .milliseconds(1))
    #expect(page.contains("Almost done"))
    #expect(page.hasPrefix("HTTP/1.1 200 "))
  }

  @Test func aListenerThatIsGivenUpLetsTheBrowserGo() async throws {
    let listener = try LoopbackRedirectListener(state: "s")
    let digits = listener.redirectURI.split(separator: ":")[2].prefix { $0 != "/" }
    let port = try #require(UInt16(digits))
    async let page = TestThread.run {
      RawConnection.exchange("GET /callback?code=c&state=s", port: port)
    }
    _ = try await listener.response(clock: ManualClock())
    listener.close()
    #expect(try await page != nil)
  }

  @Test func nobodyToTellIsNoHindrance() async throws {
    let listener = try LoopbackRedirectListener(state: "s")
    try listener.deliver(url: "\(listener.redirectURI)?code=c&state=s")
    _ = try await listener.response(clock: ManualClock())
    await listener.conclude(.expired)
    await listener.conclude(.expired)
  }
}
