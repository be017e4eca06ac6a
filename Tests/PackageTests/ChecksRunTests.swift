import TestSupport
import Testing

/// `.ci/run`, with other scripts in the places of its steps.
@Suite(.timeLimit(.minutes(2))) struct ChecksRunTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    for name in ["bin", ".ci", ".build"] { _ = try directory.makeDirectory(name) }
    try directory.write(
      try TestFile.text("\(PackageLayout.root)/.ci/run"), to: ".ci/run", mode: 0o700)
    for name in ["bin/make", ".ci/cases", ".ci/shown"] {
      try directory.write("#!/bin/bash\necho '✔ Test run with others'\n", to: name, mode: 0o700)
    }
  }

  private func run(test script: String, seconds: Int = 60) async throws -> ToolResult {
    try directory.write("#!/bin/bash\n" + script, to: ".ci/tests", mode: 0o700)
    return try await ToolRunner.run(
      ToolRequest(
        directory.file(".ci/run"),
        environment: [
          "PATH": "\(directory.file("bin")):\(Environment.searchPath)", "HOME": directory.path,
          "LOG": directory.file("log"), "CI_SECONDS": "\(seconds)",
        ]))
  }

  private static func lines(_ result: ToolResult) -> [String] {
    result.output.split(separator: "\n").map(String.init)
  }

  @Test func atTheEndTheWholeRunIsToldOfAndWhatWasRunAgain() async throws {
    let lines = [
      "✘ Test run with 1000 tests in 100 suites failed after 60 seconds with 1 issue.",
      "RUN AGAIN BY ITSELF, as it failed beside the others: thatOne",
      "✔ Test run with 1 test in 1 suite passed after 1 second.",
    ]
    let script = lines.map { "echo '\($0)'\n" }.joined(separator: "echo between\n")
    let result = try await run(test: script)
    #expect(result.exit == .status(0), "\(result.error)")
    #expect(Self.lines(result).suffix(3) == lines[...])
    let plain = try await run(test: "echo '\(lines[2])'\n")
    let last = Self.lines(plain)
    #expect(last.dropLast().last?.hasPrefix("== fuzz: ") == true)
    #expect(last.last == lines[2])
  }

  @Test func whereNoTimeIsLeftNoStepIsBegun() async throws {
    let result = try await run(test: "", seconds: 0)
    #expect(result.exit == .status(124))
    #expect(result.error == "prerequisites: not begun, the 0 seconds are over\n")
  }

  @Test func whatAStepLeavesBehindMayClearUp() async throws {
    let result = try await run(
      test: """
        mkfifo "$TMPDIR/ready"
        (
          trap 'for ((i = 0; i < 100000; i++)); do :; done; echo cleared up >"$LOG"; exit' TERM
          echo >"$TMPDIR/ready"
          while :; do :; done
        ) &
        read -r line <"$TMPDIR/ready"
        exit 3

        """)
    #expect(result.exit == .status(3))
    #expect(try directory.read("log") == Array("cleared up\n".utf8))
  }

  @Test(arguments: [["--only", ""], ["--only", "tint2", "--skip", "tint2"], ["--only", "tint3"]])
  func whoeverAsksForNoBarIsTold(words: [String]) async throws {
    let result = try await ToolRunner.run(
      ToolRequest("\(PackageLayout.root)/Tests/Bars/bars", words))
    #expect(result.exit == .status(64))
    #expect(result.output == "" && result.error.contains("\nbars: "))
  }
}
