import CommandRuntime
import SnapshotTesting
import TestSupport
import Testing

/// `tokenvault simulate` besides its runs.
@Suite(.timeLimit(.minutes(1))) struct SimulateCommandTests {
  @Test func theListHasALineForEachStateAndScenario() async throws {
    let result = try await Simulate.run(["list"])
    #expect(result.status == 0)
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.allSatisfy { $0.count <= 80 })
    for word in StateWord.all {
      #expect(lines.contains { $0.hasPrefix("  \(word.summary)  ") }, "\(word.name)")
    }
    #expect(lines.contains { $0.hasPrefix("  clock-set-back  ") })
    #expect(lines.count == StateWord.all.count + 10 + 2)
  }

  @Test func tokenvaultTurnsIntoIt() async throws {
    for (words, text) in [
      (["simulate", "list"], "\n  clock-set-back  "), (["simulate", "show", "offline"], "at 0s"),
      (["simulate", "run", "--help"], "Usage: tokenvault simulate run"),
      (["simulate", "--help"], "tokenvault simulate list"),
    ] {
      let result = try await ToolRunner.run(
        .product("tokenvault", words, environment: Simulate.environment))
      #expect(result.status == 0, "\(result.error)")
      #expect(result.output.contains(text), "\(result.output)")
    }
    let wrong = try await ToolRunner.run(
      .product("tokenvault", ["simulate", "list", "--jason"], environment: Simulate.environment))
    #expect(wrong.status == 64)
    #expect(wrong.error.contains("did you mean \"--json\"?"))
  }

  @Test func withoutTheProgramItSaysSo() async throws {
    try await withTemporaryDirectory { directory in
      try TestFile.link(PackageLayout.product("tokenvault"), as: directory.file("tokenvault"))
      let result = try await ToolRunner.run(
        ToolRequest(
          directory.file("tokenvault"), ["simulate", "list"], environment: ["PATH": "/nonexistent"])
      )
      #expect(result.status == 127)
      #expect(result.error.contains("tokenvault-simulate"))
    }
  }

  @Test func setPlaysTheHostAndTakesMoreStates() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("run")
      let tool = try RunningTool(
        Simulate.request(["set", "valid", "for", "1h", "--in", path], input: .open))
      let export = try await tool.output.next { $0.hasPrefix("export ") }
      #expect(export == "export TOKENVAULT_RUNTIME_DIR='\(path)'")
      try await tool.error.next { $0 == "primary: valid, host ok" }
      #expect(try await Self.word(path) == "valid ok")
      tool.write("offline\n\nnonsense\nexpired since 1m\n")
      try await tool.error.next { $0 == "primary: valid, host offline" }
      try await tool.error.next { $0.contains("unknown word \"nonsense\"") }
      try await tool.error.next { $0 == "primary: expired, host ok" }
      #expect(try await Self.word(path) == "expired ok")
      let second = try await Simulate.run(["set", "valid", "--in", path])
      #expect(second.status == 75)
      #expect(second.error.contains("a host or another simulation uses it"))
      // The end of the input is not the end: a widget may be under test still.
      tool.closeInput()
      #expect(try await Self.word(path) == "expired ok")
      tool.terminate()
      #expect(await tool.result().exit == .status(0))
      #expect(try await Self.word(path) == "expired stale")
    }
  }

  @Test func onceLeavesADirectoryWithoutAHost() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("a run")
      let result = try await Simulate.run(["set", "signed-out", "--once", "--in", path])
      #expect(result.status == 0)
      #expect(try await Self.word(path) == "signed-out stale")
      let other = try directory.makeDirectory("other")
      try directory.write("mine", to: "other/notes")
      let refused = try await Simulate.run(["set", "valid", "--once", "--in", other])
      #expect(refused.status == 73)
      #expect(TestFile.names(in: other) == ["notes"])
    }
  }

  @Test func anAnswerThatCannotBeWrittenIsAFailure() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("run")
      for words in [
        "list", "show offline", "set valid --in \(path)", "run offline -- sh -c 'echo a; sleep 60'",
        "run offline --json --speed 100 -- sh -c 'echo a; sleep 60'",
      ] {
        let result = try await ToolRunner.run(
          ToolRequest(
            "/bin/sh", ["-c", "exec tokenvault-simulate \(words) >/dev/full"],
            environment: Simulate.environment))
        #expect(result.status == 73, "\(words)")
        #expect(
          result.error.hasSuffix(
            "standard output: write: No space left on device (ENOSPC)\n"), "\(result.error)")
      }
      #expect(try await Self.word(path) == "valid stale", "the host is not played on")
    }
  }

  @Test func aWidgetThatPrintsWithoutEndIsStopped() async throws {
    let words = ["run", "offline", "--json", "--", "yes", String(repeating: "x", count: 10_000)]
    let result = try await Simulate.run(words)
    #expect(result.status == 1)
    #expect(result.error.hasSuffix("the widget prints without end, more than 16 MiB\n"))
  }

  @Test func scenariosAreFoundInTheBuildAndWhereTheyAreInstalled() async throws {
    let names = ScenarioLibrary(besides: PackageLayout.product("tokenvault-simulate")).names
    #expect(names.count == 10)
    try await withTemporaryDirectory { directory in
      #expect(ScenarioLibrary(besides: directory.file("bin/tokenvault-simulate")).names == [])
      try await ToolRunner.runSuccessfully(
        ToolRequest(
          "make",
          ["-C", PackageLayout.root, "install-scenarios", "PREFIX=\(directory.path)"]))
      #expect(ScenarioLibrary(besides: directory.file("bin/tokenvault-simulate")).names == names)
    }
  }

  /// What a reader of a directory says: `valid ok`.
  private static func word(_ path: String) async throws -> String {
    let result = try await ToolRunner.runSuccessfully(
      .product(
        "tokenvault", ["watch", "--once", "--format", "json"],
        environment: ["TOKENVAULT_RUNTIME_DIR": path]))
    let parts = result.output.split(separator: "\"")
    func value(_ name: Substring) -> Substring {
      parts.firstIndex(of: name).map { parts[$0 + 2] } ?? "nothing"
    }
    return "\(value("session")) \(value("host"))"
  }
}
