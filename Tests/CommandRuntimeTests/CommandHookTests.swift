import CommandRuntime
import FileSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CommandHookTests {
  private let directory: TemporaryDirectory
  private let failures = EventRecorder<String>()

  init() throws {
    directory = try TemporaryDirectory()
  }

  private func hook(_ script: String, limit: Duration = .seconds(60)) -> CommandHook {
    let environment = FileSupport.Environment([
      "PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": "1",
      "WATCHDOG_PID": "1",
    ])
    let failures = failures
    return CommandHook(["sh", "-c", script], environment: environment, limit: limit) {
      failures.record($0)
    }
  }

  @Test func theEventIsInTheEnvironmentAndNothingOfTheServiceManager() async throws {
    let pipe = directory.file("pipe")
    _ = try await ToolRunner.runSuccessfully(ToolRequest("mkfifo", [pipe]))
    hook("env > '\(pipe)'").run([(name: "TOKENVAULT_MESSAGE", value: "a b; `id`")])
    let text = try await TestThread.run { try TestFile.text(pipe) }
    #expect(text.split(separator: "\n").contains("TOKENVAULT_MESSAGE=a b; `id`"))
    #expect(!text.contains("NOTIFY_SOCKET") && !text.contains("WATCHDOG"))
  }

  @Test func oneRunsAtATimeAndTheLatestEventWaits() async throws {
    let (begin, go, other) = (
      directory.file("begin"), directory.file("go"), directory.file("other")
    )
    let (running, overlap) = (directory.file("running"), directory.file("overlap"))
    _ = try await ToolRunner.runSuccessfully(ToolRequest("mkfifo", [begin, go, other]))
    let told = hook(
      """
      test ! -e '\(running)' || : > '\(overlap)'
      : > '\(running)'; printf %s "$EVENT" > '\(begin)'; read line < '\(go)'; rm '\(running)'
      """)
    told.run([(name: "EVENT", value: "1")])
    #expect(try await TestThread.run { try TestFile.text(begin) } == "1")
    for number in 2...4 {
      told.run([(name: "EVENT", value: "\(number)")])
      // A run that had been started beside the first would be as far as this one is.
      hook(": > '\(other)'").run([])
      #expect(try await TestThread.run { try TestFile.text(other) } == "")
    }
    try await TestThread.run { try TestFile.write(Array("go\n".utf8), to: go) }
    #expect(try await TestThread.run { try TestFile.text(begin) } == "4")
    try await TestThread.run { try TestFile.write(Array("go\n".utf8), to: go) }
    #expect(!TestFile.exists(overlap))
    #expect(failures.events.isEmpty)
  }

  @Test func aRunThatTakesTooLongIsKilled() async throws {
    hook("sleep 600 & wait", limit: .milliseconds(50)).run([])
    #expect(
      try await failures.wait(count: 1) == ["sh: was killed: it took more than 50ms"])
  }

  // The second one heeds no SIGTERM; what both have open is closed when they and theirs have ended.
  @Test(arguments: ["trap 'echo ended; exit' TERM", "trap '' TERM"])
  func theEndEndsARunAndLetsNoneBegin(trap: String) async throws {
    let pipe = directory.file("pipe")
    _ = try await ToolRunner.runSuccessfully(ToolRequest("mkfifo", [pipe]))
    let listener = try RunningTool(ToolRequest("cat", [pipe]))
    let told = hook("exec >'\(pipe)'; \(trap); echo begun; sleep 600 & wait; wait")
    told.run([])
    try await listener.output.next { $0 == "begun" }
    told.run([])
    told.end()
    told.run([])
    #expect(await listener.result().status == 0)
    #expect(listener.output.events == (trap.contains("ended") ? ["begun", "ended"] : ["begun"]))
  }

  @Test func aCommandThatCannotBeStartedIsReported() async throws {
    let failures = failures
    CommandHook(["/nonexistent/program"], environment: FileSupport.Environment([:])) {
      failures.record($0)
    }.run([])
    #expect(try await failures.wait(count: 1) == ["/nonexistent/program: no such program"])
  }
}
