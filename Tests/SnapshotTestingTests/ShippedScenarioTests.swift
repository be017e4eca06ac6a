import SnapshotTesting
import TestSupport
import Testing

/// The ten scenarios against the project's own widgets, and against one that reads once.
@Suite(.timeLimit(.minutes(3))) struct ShippedScenarioTests {
  private static let library = ScenarioLibrary(
    directories: ["\(PackageLayout.root)/Samples/scenarios"])

  @Test func noneOfTheProjectsWidgetsIsAccused() async throws {
    try await withTemporaryDirectory { directory in
      let poll = try directory.write(ExampleWidget.poll, to: "poll", mode: 0o700)
      var widgets = [
        [PackageLayout.product("terminal-panel")], ["tokenvault", "watch"],
        ["tokenvault", "watch", "--format", "json"], [poll],
      ]
      if let library = PackageLayout.library {
        // `make library` builds it, TOKENVAULT_LIBRARY=skip goes without it.
        try #require(TestFile.exists(library), "\(library) is not there")
        try directory.link("libtokenvault.so.0", to: library)
        let panel = "\(PackageLayout.root)/Samples/python-panel/panel.py"
        widgets.append(["env", "LD_LIBRARY_PATH=\(directory.path)", panel])
      }
      let runs = Self.library.names.flatMap { name in widgets.map { (name, $0) } }
      #expect(runs.count >= 40)
      for (name, widget, result) in try await Self.outcomes(of: runs, expected: 0) {
        #expect(result.status == 0, "\(name) \(widget)\n\(result.output)\(result.error)")
        #expect(result.output.hasSuffix("All rules are kept.\n"), "\(name) \(widget)")
      }
    }
  }

  @Test func aNaiveWidgetIsCaughtWithASentence() async throws {
    try await withTemporaryDirectory { directory in
      let naive = try directory.write(ExampleWidget.naive, to: "naive", mode: 0o700)
      let runs = Self.library.names.map { ($0, [naive]) }
      var broken: [String: [String]] = [:]
      for (name, _, result) in try await Self.outcomes(of: runs) {
        #expect(result.status == 1, "\(name)\n\(result.output)\(result.error)")
        let lines = result.output.split(separator: "\n").map(String.init)
        for (index, line) in lines.enumerated() where line.hasPrefix("BROKEN") {
          // Which rule, when, after which step, and what the widget did.
          let sentence = try #require(
            line.wholeMatch(of: #/BROKEN +(\S+) +at \S+, after ".+" at \S+: the widget .+/#),
            "\(line)")
          broken[name, default: []].append(String(sentence.1))
          #expect(lines[index + 1].contains("expected: "))
          #expect(lines[index + 2].contains("-> "))
        }
      }
      // One account is as usable as the other, and who began with nobody has no token to show.
      var expected = Dictionary(
        uniqueKeysWithValues: Self.library.names.map { ($0, ["token", "visible"]) })
      expected["account-change"] = ["token"]
      expected["sign-out"] = ["visible"]
      #expect(broken == expected)
    }
  }

  /// Who compares the expiry with the wall clock is right as long as nobody sets that.
  @Test func aWidgetThatTrustsTheWallClockIsCaughtWhereThatIsSet() async throws {
    try await withTemporaryDirectory { directory in
      let widget = try directory.write(ExampleWidget.wallClock, to: "widget", mode: 0o700)
      let outcomes = try await Self.outcomes(of: [
        ("offline", [widget]), ("clock-set-back", [widget]), ("sign-out", [widget]),
      ])
      for (name, _, result) in outcomes {
        #expect(result.status == (name == "offline" ? 0 : 1), "\(name)\n\(result.output)")
      }
    }
  }

  private typealias Outcome = (name: String, widget: [String], result: ToolResult)

  private static func outcome(of name: String, _ widget: [String]) async throws -> Outcome {
    let words = ["run", name, "--speed", "4", "--within", "2s", "--blank", "20s", "--"]
    return (name, widget, try await Simulate.run(words + widget))
  }

  /// Plays many side by side, as most of the time nothing happens, and those that did not end as
  /// expected once more by themselves: what counts is the widget, not how busy the machine was.
  private static func outcomes(
    of runs: [(String, [String])], expected: Int32? = nil
  ) async throws -> [Outcome] {
    var outcomes = try await withThrowingTaskGroup(of: Outcome.self) { group in
      var waiting = runs[...]
      for (name, widget) in waiting.prefix(16) {
        group.addTask { try await outcome(of: name, widget) }
      }
      waiting = waiting.dropFirst(16)
      var found: [Outcome] = []
      for try await outcome in group {
        found.append(outcome)
        guard let (name, widget) = waiting.popFirst() else { continue }
        group.addTask { try await Self.outcome(of: name, widget) }
      }
      return found
    }
    guard let expected else { return outcomes }
    for index in outcomes.indices where outcomes[index].result.status != expected {
      outcomes[index] = try await outcome(of: outcomes[index].name, outcomes[index].widget)
    }
    return outcomes
  }
}
