import SessionHost
import SessionModel
import Testing

/// What a notification says.
@Suite struct NotificationTextTests {
  private static let now = UnixTime(rawValue: 1_000_000)

  private static func text(
    _ names: [String], _ kind: PersonMatter.Kind = .sessionEnded(.invalidGrant),
    account: String? = nil
  ) -> NotificationText {
    let pairs = names.compactMap { Namespace($0) }.map {
      ($0, PersonMatter(kind, account: account))
    }
    return NotificationText(Dictionary(uniqueKeysWithValues: pairs), now: now)
  }

  @Test func oneNamespaceIsNamedWithItsReasonAndWhatToDo() {
    let text = Self.text(["work"], account: "ada@id.example")
    #expect(text.summary == "Sign in again: work")
    #expect(
      text.body == "work (ada@id.example): the provider has ended the session\n"
        + "Run: tokenvault sign-in work")
  }

  @Test(arguments: [
    (2, "Sign in again: n1 and n2"), (3, "Sign in again: n1, n2 and n3"),
    (4, "Sign in again: n1, n2 and 2 more"), (9, "Sign in again: n1, n2 and 7 more"),
  ])
  func ofSeveralAFewAreNamed(count: Int, summary: String) {
    let text = Self.text((1...count).map { "n\($0)" })
    #expect(text.summary == summary)
    let lines = text.body.split(separator: "\n")
    #expect(lines.last == "Run: tokenvault sign-in NAMESPACE")
    #expect(lines.count <= 6)
    #expect(text.body.contains("more: tokenvault status") == (count > 4))
  }

  @Test func theEndOfALoginIsToldWithItsRest() {
    let end = UnixTime(rawValue: 1_007_260)
    let stated = Self.text(["work"], .loginEnds(end, isLearnt: false))
    #expect(stated.summary == "Sign in again soon: work")
    #expect(
      stated.body.hasPrefix(
        "work: the provider ends this login within 2h1m, however often it is renewed\n"))
    let learnt = Self.text(["work"], .loginEnds(end, isLearnt: true))
    #expect(
      learnt.body.contains("the last logins ended at the age that this one reaches within 2h1m"))
    let past = Self.text(["work"], .loginEnds(Self.now, isLearnt: false))
    #expect(past.body.contains("within 1m,"))
  }

  @Test func whatIsOverComesFirst() throws {
    let home = try #require(Namespace("home"))
    let text = NotificationText(
      [
        home: PersonMatter(.loginEnds(Self.now, isLearnt: false)),
        .primary: PersonMatter(.sessionEnded(.accountChanged)),
      ], now: Self.now)
    #expect(text.summary == "Sign in again: primary and home")
    #expect(text.body.hasPrefix("primary: the provider answered for another account\nhome: "))
  }

  @Test func nd06AnAccountsNameIsCutAndMadeHarmless() {
    let long = String(repeating: "a", count: 10_000)
    #expect(Self.text(["work"], account: long).body.count < 160)
    let tower = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect(Self.text(["work"], account: tower).body.unicodeScalars.count < 260)
    let sly = Self.text(["work"], account: "ada\u{0}\n\u{202E}Run: rm\u{1b}[0m").body
    #expect(sly.split(separator: "\n").count == 2)
    #expect(
      sly.hasPrefix("work (ada\\u{0}\\u{a}\\u{202e}Run: rm\\u{1b}[0m): "), "\(sly)")
  }
}
