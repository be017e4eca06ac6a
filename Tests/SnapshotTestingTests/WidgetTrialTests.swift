import SnapshotTesting
import StrictJSON
import TestSupport
import Testing

/// Runs of small widgets: what is recorded, what is judged, and that nothing stays behind.
@Suite(.timeLimit(.minutes(1))) struct WidgetTrialTests {
  private static let short = "at 0s valid\nat 6s end\n"

  private static func outcome(
    of widget: String, scenario: String = short, options: [String] = []
  ) async throws -> ToolResult {
    try await withTemporaryDirectory { directory in
      try directory.write(scenario, to: "s.scenario")
      let path = try directory.write(widget, to: "widget", mode: 0o700)
      return try await Simulate.run(
        ["run", directory.file("s.scenario"), "--within", "4s"] + options + ["--", path])
    }
  }

  private static func broken(_ result: ToolResult) -> [String] {
    result.output.split(separator: "\n").filter { $0.hasPrefix("BROKEN") }.map { line in
      String(line.split(separator: " ")[1])
    }
  }

  @Test(arguments: [
    ("echo shown\nwhile :; do :; done", ["busy"]),
    ("echo shown\nexit 3", ["alive"]), ("exec sleep 100", ["blank"]),
    ("trap '' TERM\necho shown\nwhile :; do sleep 0.1; done", ["ends"]),
    ("echo shown\nexec sleep 100", []),
  ]) func eachRuleIsJudged(widget: String, rules: [String]) async throws {
    let result = try await Self.outcome(
      of: "#!/bin/sh\n\(widget)\n", options: ["--blank", "4s", "--processor", "5"])
    #expect(Self.broken(result) == rules, "\(result.output)\(result.error)")
    #expect(result.status == (rules.isEmpty ? 0 : 1))
  }

  @Test func aRequestToTheIssuerIsCounted() async throws {
    let widget = """
      #!/bin/bash
      echo shown
      sleep 0.3
      issuer=$(tokenvault status --json | sed 's/.*"issuer":"\\([^"]*\\)".*/\\1/')
      exec 3<>"/dev/tcp/127.0.0.1/${issuer##*:}"
      exec 3>&-
      exec sleep 100
      """
    let result = try await Self.outcome(of: widget)
    #expect(Self.broken(result) == ["issuer"], "\(result.output)\(result.error)")
    #expect(result.output.contains("the issuer's address was connected to"))
  }

  @Test func whatTheScenarioAndTheCommandLineExpectIsJudged() async throws {
    let scenario = "at 0s valid\nat 3s end\nexpect 1s..2s text \"Shown\"\n"
    let kept = try await Self.outcome(of: "#!/bin/sh\necho shown; sleep 100\n", scenario: scenario)
    #expect(Self.broken(kept) == [], "\(kept.output)")
    #expect(kept.output.contains("kept    expected"))
    let missed = try await Self.outcome(
      of: "#!/bin/sh\necho other; sleep 100\n", scenario: scenario)
    #expect(Self.broken(missed) == ["expected"])
    #expect(missed.output.contains("see line 3 of the scenario, which asks for it"))
    let forbidden = try await Self.outcome(
      of: "#!/bin/sh\necho shown; sleep 100\n", scenario: Self.short,
      options: ["--expect", "1s..2s no text shown"])
    #expect(Self.broken(forbidden) == ["expected"])
    #expect(forbidden.output.contains("see the option --expect"))
  }

  /// One that is asked to end, and one that ends early and leaves what does not heed SIGTERM.
  @Test(arguments: [("", "wait", []), ("trap '' TERM", "exit 0", ["alive"])])
  func neitherProcessesNorDirectoriesStayBehind(
    first: String, last: String, rules: [String]
  ) async throws {
    let widget = """
      #!/bin/sh
      \(first)
      sleep 1000 &
      echo "$! $TOKENVAULT_RUNTIME_DIR"
      \(last)
      """
    let result = try await Self.outcome(of: widget)
    #expect(Self.broken(result) == rules, "\(result.output)\(result.error)")
    let line = try #require(
      result.output.split(separator: "\n").first { $0.contains("/run") && $0.contains(" | ") })
    let words = line.split(separator: " ").map(String.init)
    #expect(Self.isGone(words[words.count - 2]), "\(line)")
    #expect(!TestFile.exists(words[words.count - 1]), "\(line)")
  }

  @Test(arguments: [Signal.interrupt, .terminate])
  func aSignalEndsTheWidgetToo(signal: Signal) async throws {
    try await withTemporaryDirectory { directory in
      try directory.write("at 0s valid\nat 60s end\n", to: "s.scenario")
      let widget = try directory.write(
        "#!/bin/sh\necho \"$$ $TOKENVAULT_RUNTIME_DIR\"\nexec sleep 1000\n", to: "widget",
        mode: 0o700)
      let tool = try RunningTool(
        Simulate.request(["run", directory.file("s.scenario"), "--", widget]))
      let line = try await tool.output.next { $0.contains("/run") }
      tool.send(signal: signal.number)
      #expect(await tool.result().exit == .signal(signal.number))
      let words = line.split(separator: " ").map(String.init)
      #expect(Self.isGone(words[words.count - 2]))
      #expect(!TestFile.exists(words[words.count - 1]))
    }
  }

  /// Whether a process has ended; one whose parent has ended may wait for somebody who asks for it.
  private static func isGone(_ process: String) -> Bool {
    guard let text = try? TestFile.text("/proc/\(process)/stat") else { return true }
    return text.contains(") Z ")
  }

  enum Signal: Sendable {
    case interrupt, terminate
    var number: Int32 { self == .interrupt ? 2 : 15 }
  }

  @Test func aProgramGetsJSON() async throws {
    let result = try await Self.outcome(
      of: "#!/bin/sh\necho shown; echo aside >&2; exec sleep 100\n", options: ["--json"])
    let value = try JSONValue(parsing: Array(result.output.utf8))
    guard case .object(let object) = value, case .array(let timeline) = object["timeline"],
      case .array(let rules) = object["rules"]
    else {
      Issue.record("\(result.output)")
      return
    }
    #expect(object["broken"] == .integer(0))
    #expect(rules.count == 7)
    let entries = timeline.compactMap { entry -> JSONObject? in
      if case .object(let object) = entry { object } else { nil }
    }
    #expect(entries.contains { $0["step"] == .string("valid") })
    #expect(entries.contains { $0["state"] == .string("valid, host ok") })
    #expect(entries.contains { $0["stream"] == .string("error") && $0["text"] == .string("aside") })
  }

  /// A command line, its status, and what it says.
  struct Mistake: Sendable, CustomTestStringConvertible {
    let words: [String]
    let status: Int32
    let message: String
    var testDescription: String { words.joined(separator: " ") }

    init(_ status: Int32, _ words: String, _ message: String) {
      self.words = words.split(separator: " ").map(String.init)
      self.status = status
      self.message = message
    }
  }

  private static let mistakes: [Mistake] = [
    Mistake(127, "run offline -- /nonexistent/widget", "no such program"),
    Mistake(126, "run offline -- /etc/passwd", "cannot be executed"),
    Mistake(64, "run ofline -- true", "did you mean \"offline\"?"),
    Mistake(64, "run offline --speed 0 -- true", "--speed takes 1 to 100, not 0"),
    Mistake(64, "run offline --expect soon -- true", "--expect: write it like"),
    Mistake(64, "run offline --without mercy -- true", "takes token, blank,"),
    Mistake(64, "run offline", "CMD is missing"),
    Mistake(64, "set vallid", "did you mean \"valid\"?"),
    Mistake(64, "set valid --once", "--once needs --in"),
    Mistake(64, "set corrupt at 99999", "and no byte 99999"),
    Mistake(64, "show", "SCENARIO is missing"),
  ]

  @Test(arguments: mistakes) func whatIsWrongIsSaid(mistake: Mistake) async throws {
    let result = try await Simulate.run(mistake.words)
    #expect(result.status == mistake.status, "\(result.error)")
    #expect(result.error.contains(mistake.message), "\(result.error)")
  }
}
