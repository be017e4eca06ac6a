import SessionModel
import SnapshotTesting
import TestSupport
import Testing
import VaultReader

/// Scenario texts, right and wrong.
@Suite struct ScenarioParserTests {
  @Test(arguments: [
    ("", "s: nothing happens in it; write lines like: at 3s offline"),
    ("# only a comment\n\n", "s: nothing happens in it; write lines like: at 3s offline"),
    (
      "when 3s offline",
      "s:1: a line begins with \"title\", \"at\", \"expect\" or \"#\", not with \"when\""
    ),
    ("\nat 3s", "s:2: write a step like: at 3s offline"),
    (
      "at 3 offline",
      "s:1: \"3\" is not a duration: its unit is missing; write it like 30s, 2m30s, 500ms or 1h"
    ),
    (
      "at 3s ofline",
      "s:1: unknown word \"ofline\"; did you mean \"offline\"? Allowed are: valid, expiring,"
    ),
    ("at 3s valid 30s", "s:1: valid: write it like: valid [for DURATION]"),
    ("at 3s valid for ever", "s:1: \"ever\" is not a duration: a number is missing;"),
    (
      "at 3s stale by now",
      "s:1: unknown word \"now\" Allowed are: host-stopped, overdue, earlier-boot"
    ),
    ("at 3s offline please", "s:1: offline: write it like: offline"),
    ("at 3s corrupt at -1", "s:1: corrupt: write it like: corrupt [at BYTES]"),
    ("at 3s end now", "s:1: end: nothing stands behind it"),
    (
      "at 5s offline\nat 3s valid",
      "s:2: steps stand in the order of time, and the one before is at 5s"
    ),
    ("at 5s offline\nat 6s end\nat 7s valid", "s:3: the scenario is over at 6s"),
    (
      "at 5s expire",
      "s:1: no token ends here; one begins with: valid, renew, sign-in or account-changed"
    ),
    ("at 1s valid\nat 2s signed-out\nat 5s expire", "s:3: no token ends here;"),
    ("at 1s valid\nat 1s expire", "s:2: the token has only begun in line 1"),
    (
      "at 1s valid for 9s\nat 5s expire",
      "s:2: the token of line 1 ends at 10s; leave \"for\" out there, or expire it then"
    ),
    (
      "at 1s valid\nexpect 1s text \"a\"",
      "s:2: write it like: expect 8s..9s text \"offline\", or: expect 8s..9s no text \"ada\""
    ),
    ("at 1s valid\nexpect 3s..2s text \"a\"", "s:2: 3s..2s: the end is not behind the beginning"),
    ("at 1s valid\nexpect 1s..12s text \"a\"", "s:2: the scenario is over at 11s"),
    ("at 1s valid\nexpect 1s..2s text \"a", "s:2: the quotation mark at the end is missing"),
    ("title", "s:1: behind \"title\" stands one sentence"),
  ]) func aMistakeIsNamedWithItsLine(text: String, message: String) {
    let error = #expect(throws: ScenarioError.self) { try Scenario(parsing: text, named: "s") }
    #expect(error?.description.hasPrefix(message) == true, "\(String(describing: error))")
  }

  @Test func wordsCommentsAndTextsAreRead() throws {
    let scenario = try Scenario(
      parsing: """
        # a comment, then a title
        title  It  is#not a comment
          at 0s\tabsent   # nothing

        at 1m30s sign-in for 1h\r
        expect 2s..3s text "a # \\"b\\" \\\\"
        expect 500ms..1s no text ada
        """)
    #expect(scenario.title == "It is#not a comment")
    #expect(scenario.steps.map(\.time) == [.zero, .seconds(90)])
    #expect(scenario.steps.map(\.text) == ["absent", "sign-in for 1h"])
    #expect(scenario.steps.map(\.line) == [3, 5])
    #expect(scenario.steps[1].action == .show(.valid(for: .seconds(3600))))
    #expect(scenario.length == .seconds(100))
    #expect(scenario.expectations.map(\.text) == ["a # \"b\" \\", "ada"])
    #expect(scenario.expectations.map(\.isForbidden) == [false, true])
  }

  @Test func aTokenEndsWhereTheScenarioSaysSo() throws {
    let scenario = try Scenario(
      parsing: "at 2s valid\nat 4s offline\nat 9s expire\nat 20s account-changed\nat 21s expire")
    #expect(scenario.steps[0].action == .show(.valid(for: .seconds(7))))
    #expect(scenario.steps[3].action == .show(.accountChanged(for: .seconds(1))))
  }

  @Test func everyStateCanBeWritten() throws {
    let values = ["DURATION": "1s", "BYTES": "1", "MODE": "0640"]
    for word in StateWord.all {
      let usual = try StateWord.state([word.name])
      let form = word.synopsis.split { " []|".contains($0) }.map(String.init)
      #expect(form.first == word.name)
      guard form.count > 1, let last = form.last else { continue }
      // What the synopsis shows can be written, and makes a difference.
      #expect(try StateWord.state([word.name, form[1], values[last] ?? last]) != usual)
    }
    #expect(try StateWord.state(["clock-skew", "back", "1h"]) == .clockSkew(by: .seconds(-3600)))
    #expect(try StateWord.state(["wrong-mode", "to", "0640"]) == .wrongMode(0o640))
    #expect(try StateWord.state(["corrupt", "at", "7"]) == .corrupt(byte: 7))
    #expect(try StateWord.state(["stale", "by", "overdue"]) == .stale(.overdue))
    #expect(
      try StateWord.state(["reauthentication-required", "because", "lost-rotation"])
        == .reauthenticationRequired(.lostRotation))
    // Each reason that a host gives (`ReauthenticationReason`).
    for reason in [
      ReauthenticationReason.invalidGrant, .accountChanged, .refusedWithoutReason, .lostRotation,
      .noRefreshToken, .lostState, .rollbackSuspected,
    ] {
      #expect(reason.description != reason.rawValue)
      #expect(
        try StateWord.state(["reauthentication-required", "because", reason.rawValue])
          == .reauthenticationRequired(reason))
    }
  }

  @Test func tenScenariosAreShipped() throws {
    let library = ScenarioLibrary(directories: ["\(PackageLayout.root)/Samples/scenarios"])
    #expect(
      library.names == [
        "account-change", "clock-set-back", "damage", "host-stops", "offline", "patience",
        "put-back", "renewals", "sign-in-again", "sign-out",
      ])
    for name in library.names {
      let scenario = try library.scenario(name).1
      #expect(!scenario.title.isEmpty)
      #expect(scenario.length <= .seconds(70), "\(name)")
      #expect(scenario.expectations.isEmpty)
      let simulation = try SimulatedVault()
      var playback = simulation.play(scenario)
      while let played = try playback.next() {
        if case .expire = played.step.action {
          #expect(played.state.session == .expired, "\(name)")
        }
      }
    }
  }

  @Test func whatIsNotShippedIsSaid() throws {
    let library = ScenarioLibrary(directories: ["\(PackageLayout.root)/Samples/scenarios"])
    let error = #expect(throws: ScenarioError.self) { try library.scenario("ofline") }
    #expect(error?.description.contains("did you mean \"offline\"?") == true)
    #expect(error?.description.hasSuffix("a file is named with its path, such as ./ofline") == true)
    let absent = #expect(throws: ScenarioError.self) { try library.scenario("./none") }
    #expect(absent?.description.contains("No such file") == true)
  }
}
