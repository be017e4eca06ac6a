import CommandRuntime
import FileSupport
import HostControl
import SessionModel
import Testing
import VaultReporting

@Suite struct StatusTextTests {
  static let statuses = [
    NamespaceStatus(
      namespace: .primary, group: .default, session: "valid", host: "ok", generation: 12,
      expiresAt: UnixTime(rawValue: 2), expiresIn: .seconds(3599), issuer: "https://id.example",
      account: "ada\u{1b}[2J"),
    NamespaceStatus(
      namespace: Namespace("work") ?? .primary, group: .default, session: "expired",
      host: "stale", generation: 3, expiresIn: .milliseconds(-125_500),
      reason: "the access token of work ended 2m5s ago; no host is running",
      nextStep: "start the host: tokenvault-host"),
  ]

  private static func list(_ statuses: [NamespaceStatus]) -> StatusList {
    StatusList(published: statuses, configured: nil, of: .default)
  }

  private static func terminal(isTerminal: Bool) -> Terminal {
    Terminal(isTerminal: isTerminal, columns: 80, environment: Environment([:]))
  }

  @Test func columnsAreAlignedAndNotesFollow() {
    let table = StatusTable(terminal: Self.terminal(isTerminal: false), showsGroups: false)
    #expect(
      table.text(Self.list(Self.statuses))
        == """
        NAMESPACE  SESSION  ENDS       HOST   ACCOUNT
        primary    valid    in 59m59s  ok     ada\\u{1b}[2J
        work       expired  2m5s ago   stale  -
          the access token of work ended 2m5s ago; no host is running
          -> start the host: tokenvault-host

        """)
  }

  @Test func theEndOfTheLoginIsANoteOfItsOwn() {
    var status = Self.statuses[0]
    (status.loginEndsAt, status.loginEndsIn) = (UnixTime(rawValue: 9), .seconds(79_200))
    let table = StatusTable(terminal: Self.terminal(isTerminal: false), showsGroups: false)
    let text = table.text(
      StatusList(published: [Self.statuses[0]], configured: [status], of: .default))
    #expect(
      text.hasSuffix("\n  the login ends in 22h: tokenvault sign-in primary before\n"), "\(text)")
    #expect(!table.text(Self.list([Self.statuses[0]])).contains("login"))
  }

  @Test func aRefusedConfigurationIsToldBesideWhatRuns() {
    let finding = Finding(
      "configuration", .problem, "not taken over: config.toml:3: wrong", mend: "mend it")
    let table = StatusTable(terminal: Self.terminal(isTerminal: false), showsGroups: false)
    func text(_ configured: [NamespaceStatus]) -> String {
      table.text(
        StatusList(
          published: [], configured: configured, of: .default, protection: "by a key",
          findings: [finding]))
    }
    let end =
      "configuration: not taken over: config.toml:3: wrong; mend it\n"
      + "What is stored is protected by a key.\n"
    #expect(text([]) == "No namespace is in use.\n" + end)
    #expect(text([Self.statuses[0]]).hasSuffix("ada\\u{1b}[2J\n" + end))
  }

  @Test(arguments: [(Finding.Level.fine, "32"), (.advice, "33"), (.problem, "31")])
  func aFindingHasTheColourOfItsLevel(level: Finding.Level, code: String) {
    let table = StatusTable(terminal: Self.terminal(isTerminal: true), showsGroups: false)
    let list = StatusList(
      published: [], configured: [Self.statuses[0]], of: .default,
      findings: [Finding("session-lock", level, "told")])
    #expect(table.text(list).hasSuffix("\u{1b}[\(code)msession-lock\u{1b}[0m: told\n"))
  }

  @Test func groupsAreShownWhereTheyAreToldApart() {
    let table = StatusTable(terminal: Self.terminal(isTerminal: false), showsGroups: true)
    let lines = table.text(Self.list([Self.statuses[0]])).split(separator: "\n")
    #expect(lines.first == "NAMESPACE  GROUP    SESSION  ENDS       HOST  ACCOUNT")
    #expect(lines.last == "primary    default  valid    in 59m59s  ok    ada\\u{1b}[2J")
  }

  @Test func coloursDoNotShiftTheColumns() {
    let plain = StatusTable(terminal: Self.terminal(isTerminal: false), showsGroups: false)
    let coloured = StatusTable(terminal: Self.terminal(isTerminal: true), showsGroups: false)
    let text = coloured.text(Self.list(Self.statuses))
    #expect(text.contains("\u{1b}[32mvalid\u{1b}[0m"))
    #expect(text.contains("\u{1b}[31mexpired\u{1b}[0m"))
    var stripped = text
    for code in ["0", "1", "2", "31", "32", "33"] {
      stripped = stripped.replacing("\u{1b}[\(code)m", with: "")
    }
    #expect(stripped == plain.text(Self.list(Self.statuses)))
  }

  @Test(
    arguments: [
      (nil, "Nothing has been published and no host is running. Start it: tokenvault-host\n"),
      (
        [],
        "No namespace is configured; start from: tokenvault-host example-config generic; then reload"
          + " the host (SIGHUP)\n"
      ),
      (
        statuses,
        "No namespace is published for the access group team. See the others: tokenvault status"
          + " --all\n"
      ),
    ] as [([NamespaceStatus]?, String)])
  func nothingToShowIsSaid(configured: [NamespaceStatus]?, text: String) throws {
    let table = StatusTable(terminal: Self.terminal(isTerminal: false), showsGroups: false)
    let group = try #require(AccessGroup("team"))
    #expect(table.text(StatusList(published: [], configured: configured, of: group)) == text)
  }

  @Test(arguments: [
    (Duration.milliseconds(1), ", ends in <1s,"), (.zero, ", ended <1s ago,"),
    (.milliseconds(-999), ", ended <1s ago,"), (.seconds(-1), ", ended 1s ago,"),
    (.milliseconds(1999), ", ends in 1s,"), (.seconds(90_061), ", ends in 1d1h,"),
  ])
  func timesAreShownInTheirTwoLargestUnits(expiresIn: Duration, part: String) {
    var status = Self.statuses[0]
    status.expiresIn = expiresIn
    #expect(StateLine.text(status).contains(part))
  }

  @Test func aStateIsOneLine() {
    #expect(
      StateLine.text(Self.statuses[0])
        == "primary valid, ends in 59m59s, host ok, generation 12, ada\\u{1b}[2J\n")
    #expect(
      StateLine.text(Self.statuses[1])
        == "work expired, ended 2m5s ago, host stale, generation 3: the access token of work ended"
        + " 2m5s ago; no host is running; start the host: tokenvault-host\n")
  }
}
