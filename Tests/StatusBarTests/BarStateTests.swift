import SessionModel
import StatusBar
import Testing

/// What a bar says of a state, and for how long it is right.
@Suite struct BarStateTests {
  @Test func eachConditionHasAStateTextSignAndColour() {
    #expect(ExampleState.all.map(\.condition) == BarCondition.allCases)
    let texts = ExampleState.all.map { Self.plain($0, "{state}") }
    #expect(
      texts == [
        "valid", "expiring", "expired", "renewing", "offline", "waiting", "storage failed",
        "locked", "stale", "signed out", "sign in again", "no session", "corrupt",
      ])
    for icons in [BarIcons.ascii, .symbols, .emoji, .nerd] {
      #expect(BarCondition.allCases.allSatisfy { !icons[$0].isEmpty })
    }
    #expect(BarCondition.allCases.allSatisfy { BarIcons.none[$0] == "" })
    #expect(
      BarCondition.allCases.filter { BarColors.standard[$0] == nil }.map(\.severity) == [.good])
  }

  @Test func aTokenThatHasEndedSaysWhy() {
    let offline = ExampleState.state(.expired, .reported(.offline))
    #expect(offline.condition == .expired)
    #expect(Self.plain(offline, "{state}") == "expired, offline")
    #expect(Self.plain(ExampleState.state(.keyUnavailable), "{state}") == "key unavailable")
  }

  @Test func aRenewalOfAGoodTokenIsNotShown() {
    #expect(ExampleState.state(.valid, .reported(.renewing)).condition == .valid)
    #expect(ExampleState.state(.expiring, .reported(.renewing)).condition == .renewing)
    #expect(ExampleState.state(.expiryUnknown, .unknown).condition == .valid)
  }

  @Test(
    arguments: [
      (.seconds(1_000_000), "11d", 49_600), (.seconds(172_800), "2d", 0),
      (.seconds(172_799), "47h", 3599), (.seconds(36_000), "10h", 0),
      (.seconds(35_999), "9h59m", 59), (.seconds(3600), "1h", 0), (.seconds(3599), "59m", 59),
      (.seconds(60), "1m", 0), (.milliseconds(59_999), "<1m", nil), (.milliseconds(1), "<1m", nil),
      (.zero, "", nil), (.seconds(-5), "", nil),
    ] as [(Duration, String, Int?)])
  func sb06TheRemainingTimeIsShownInSteps(rest: Duration, text: String, after: Int?) {
    let state = ExampleState.valid(for: rest)
    #expect(Self.plain(state, "{remaining}") == text)
    let expected = after.map { Duration.seconds($0) + .milliseconds(1) }
    #expect(BarWriter(.plain).changesAfter(state) == expected)
  }

  @Test func sb06SecondsAreCountedOnlyWhereTheyAreWanted() throws {
    let style = BarStyle(template: try BarTemplate("{remaining}"), showsSeconds: true)
    let writer = BarWriter(.plain, style: style)
    func look(_ rest: Duration) -> (String, Duration?) {
      let state = ExampleState.valid(for: rest)
      return (writer.record(of: state), writer.changesAfter(state))
    }
    #expect(look(.milliseconds(41_300)) == ("41s\n", .milliseconds(301)))
    #expect(look(.milliseconds(300)) == ("<1s\n", nil))
    #expect(look(.seconds(90)) == ("1m\n", .milliseconds(30_001)))
  }

  @Test func sb06WhereNoTimeIsShownNothingChangesByItself() throws {
    let style = BarStyle(template: try BarTemplate("{state}"))
    #expect(BarWriter(.waybar, style: style).changesAfter(ExampleState.valid()) == nil)
    #expect(BarWriter(.waybar).changesAfter(ExampleState.over) == nil)
  }

  @Test func whatATemplateNamesIsFilledIn() throws {
    let state = BarState(
      namespace: "work", account: " ", session: .expired, host: .stale, reason: "it ended",
      nextStep: "start the host")
    #expect(Self.plain(state, "{account}|{session}|{host}") == "work|expired|stale")
    #expect(
      Self.plain(state, "{{{namespace}}}: {reason}; {next}") == "{work}: it ended; start the host")
    #expect(Self.plain(state, " {remaining}  {icon} ") == "○")
  }

  @Test(arguments: [
    ("{acount}", "there is no field \"acount\"; did you mean {account}?"),
    ("{account", "a field's closing brace is missing; a brace itself is written {{"),
    ("a}b", "a closing brace stands alone; a brace itself is written }}"),
    (
      "{}",
      "there is no field \"\"; the fields are icon, namespace, account, state, session, host,"
        + " remaining, reason, next"
    ),
  ])
  func aWrongTemplateIsRefusedWithTheRightName(template: String, text: String) {
    let error = #expect(throws: BarTemplateError.self) { try BarTemplate(template) }
    #expect(error?.description == text)
  }

  @Test(arguments: [
    ("#AABBCC", "#aabbcc"), ("#0f8", "#00ff88"), ("red", nil), ("#12345", nil), ("", nil),
    ("#12345}", nil), ("#é1234", nil), ("#１２３", nil),
  ])
  func aColourIsThreeOrSixDigits(text: String, color: String?) {
    #expect(BarColor(text)?.description == color)
  }

  @Test func coloursAndSignsCanBeChangedOneByOne() throws {
    var style = BarStyle(icons: .none)
    style.colors[BarSeverity.critical] = BarColor("#111111")
    style.colors[.stale] = BarColor("#222222")
    style.icons[.stale] = "Z"
    let stale = ExampleState.state(.valid, .stale)
    #expect(
      BarWriter(.tmux, style: style).record(of: stale) == "#[fg=#222222]Z ada stale#[default]\n")
    #expect(
      BarWriter(.tmux, style: style).record(of: ExampleState.over)
        == "#[fg=#111111]ada@example.org sign in again#[default]\n")
    style.colors = .none
    #expect(BarWriter(.tmux, style: style).record(of: ExampleState.over).hasPrefix("ada@"))
  }

  private static func plain(_ state: BarState, _ template: String) -> String {
    guard let template = try? BarTemplate(template) else { return "a wrong template" }
    let record = BarWriter(.plain, style: BarStyle(template: template)).record(of: state)
    return String(record.dropLast())
  }
}
