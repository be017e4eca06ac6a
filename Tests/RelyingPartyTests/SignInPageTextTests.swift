import DevelopmentProvider
import HTTPExchange
import HostControl
import SessionHost
import SessionModel
import StrictJSON
import TestSupport
import Testing

/// What the page in the browser says when a sign-in has ended, and that it says it no sooner.
@Suite(.timeLimit(.minutes(1)))
struct SignInPageTextTests {
  @Test func na06TheAccountIsConnectedBeforeThePageSaysSo() async throws {
    let host = try await HostFixture()
    let (page, end) = try await Self.signIn(host)
    #expect(end == .signedIn(.primary))
    #expect(page.status == 200)
    #expect(page.heading == "Connected")
    #expect(page.text.contains("<bdi>alice@example.com</bdi>"))
    #expect(page.text.contains("at <bdi>\(Self.provider(host))</bdi>"))
    #expect(page.sessionThen == "valid")
    await host.service.stop()
  }

  @Test func na06AnotherAccountIsSaidToTakeThePlaceOfTheFirst() async throws {
    let host = try await HostFixture()
    _ = try await Self.signIn(host)
    let again = try await Self.signIn(host).page
    #expect(!again.text.contains("takes the place"))
    host.provider.overrides.idToken = [.setClaim("sub", .string("bob-0002"))]
    host.provider.overrides.userinfo = [
      .set("sub", .string("bob-0002")), .set("email", .string("bob@example.com")),
    ]
    let page = try await Self.signIn(host).page
    #expect(page.text.contains("<bdi>bob@example.com</bdi>"))
    #expect(page.text.contains("It takes the place of alice@example.com."))
    await host.service.stop()
  }

  @Test(
    arguments: [
      (.expiredCode, "This sign-in has expired"), (.denial, "Access denied"),
      (.otherAccount, "Wrong account"), (.badToken, "Sign-in failed"),
      (.otherIssuer, "Sign-in stopped"), (.outage, "No answer from the provider"),
      (.fullDisk, "Sign-in not saved"),
    ] as [(Fault, String)])
  func na06EachFailureHasItsPage(fault: Fault, heading: String) async throws {
    let host = try await HostFixture(provider: {
      if fault == .denial { $0.approval = .denied }
      if fault == .expiredCode { $0.codeLifetime = .seconds(-1) }
    })
    switch fault {
    case .expiredCode, .denial: break
    case .otherAccount: host.provider.overrides.userinfo = [.set("sub", .string("bob-0002"))]
    case .badToken: host.provider.overrides.idToken = [.breakSignature]
    case .otherIssuer:
      host.provider.overrides.authorizationResponse = [.set("iss", .string("https://other"))]
    case .outage: host.provider.setFaults([FaultRule(.token, .always, .status(500))])
    case .fullDisk:
      let store = host.directory.file("state/store/session")
      try await ToolRunner.runSuccessfully(
        ToolRequest("/bin/sh", ["-c", "rm -rf \"$0\" && : >\"$0\"", store]))
    }
    let (page, end) = try await Self.signIn(host)
    #expect(page.heading == heading)
    #expect(page.sessionThen == "absent")
    guard case .failed = end else {
      Issue.record("it ended with \(end)")
      return
    }
    await host.service.stop()
  }

  enum Fault: Sendable {
    case expiredCode, denial, otherAccount, badToken, otherIssuer, outage, fullDisk
  }

  private struct Page: Sendable {
    let status: Int
    let text: String
    /// What the host said of the namespace once the page was there.
    let sessionThen: String?

    var heading: String {
      let parts = text.split(separator: "<h1 id=\"outcome\">")
      return parts.count > 1 ? String(parts[1].prefix { $0 != "<" }) : ""
    }
  }

  private static func signIn(
    _ host: HostFixture
  ) async throws -> (page: Page, end: ControlEvent) {
    let pages = EventRecorder<Page>()
    let end = try await host.signIn { event in
      let answer = try await HostFixture.open(try await HostFixture.redirect(of: event))
      pages.record(
        Page(
          status: answer.status, text: String(decoding: answer.body, as: UTF8.self),
          sessionThen: try await host.status()?.session))
    }
    return (try #require(pages.events.first), end)
  }

  /// The host and port of the provider, as a page names it.
  private static func provider(_ host: HostFixture) -> String {
    String(host.provider.issuer.split(separator: "/")[1])
  }
}
