import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ToolRunnerTests {
  @Test func outputErrorAndStatusAreCaptured() async throws {
    let result = try await ToolRunner.run(
      ToolRequest("sh", ["-c", "printf out; printf err >&2; exit 7"]))
    #expect(result.exit == .status(7))
    #expect(result.output == "out")
    #expect(result.error == "err")
    #expect(!result.isTimedOut)
  }

  @Test func theEnvironmentIsTheOneGiven() async throws {
    let result = try await ToolRunner.run(ToolRequest("env", environment: ["ONLY": "this"]))
    #expect(result.output == "ONLY=this\n")
  }

  @Test func noOtherDescriptorIsInherited() async throws {
    // Without close-on-exec, as a library may open one.
    let descriptor = unsafe open("/dev/null", O_RDONLY)
    defer { close(descriptor) }
    let result = try await ToolRunner.run(ToolRequest("sh", ["-c", "echo /proc/$$/fd/*"]))
    let numbers = result.output.split { $0 == " " || $0 == "\n" }.map {
      $0.split(separator: "/").last
    }
    #expect(!numbers.contains("\(descriptor)"))
    #expect(numbers.starts(with: ["0", "1", "2"]))
  }

  @Test func theWorkingDirectoryIsTheOneGiven() async throws {
    let result = try await ToolRunner.run(ToolRequest("pwd", directory: "/usr"))
    #expect(result.output == "/usr\n")
  }

  @Test(arguments: [0, 1, 300_000]) func inputIsReadToItsEnd(count: Int) async throws {
    let text = String(repeating: "x", count: count)
    let result = try await ToolRunner.run(ToolRequest("cat", input: .text(text)))
    #expect(result.output == text)
  }

  @Test func aProgramThatReadsNoInputDoesNotStopTheTests() async throws {
    let text = String(repeating: "x", count: 300_000)
    let result = try await ToolRunner.run(ToolRequest("true", input: .text(text)))
    #expect(result.exit == .status(0))
  }

  @Test func aProgramThatIsNotThereIsNamed() async {
    await #expect {
      try await ToolRunner.run(ToolRequest("/nonexistent/tool"))
    } throws: { error in
      "\(error)" == "posix_spawnp(/nonexistent/tool): No such file or directory"
    }
  }

  @Test func aProgramThatTakesTooLongIsKilled() async throws {
    let result = try await ToolRunner.run(
      ToolRequest("sleep", ["1000"], limit: .milliseconds(50)))
    #expect(result.isTimedOut)
    #expect(result.exit == .signal(9))
    #expect(result.status == 137)
  }

  @Test func cancellationKillsTheProgram() async throws {
    let task = Task { try await ToolRunner.run(ToolRequest("sleep", ["1000"])) }
    task.cancel()
    #expect(try await task.value.exit == .signal(9))
  }

  @Test func linesComeWhileTheProgramRuns() async throws {
    let tool = try RunningTool(ToolRequest("cat", input: .open))
    tool.write("one\ntw")
    #expect(try await tool.output.next() == "one")
    tool.write("o\nlast")
    #expect(try await tool.output.next() == "two")
    #expect(tool.isRunning)
    tool.closeInput()
    #expect(try await tool.output.next() == "last")
    await #expect(throws: EventWaitError.finished) { try await tool.output.next() }
    #expect(await tool.result().exit == .status(0))
  }

  @Test func aRunningProgramIsTerminated() async throws {
    let tool = try RunningTool(
      ToolRequest(
        "sh", ["-c", "trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.01; done"]))
    try await tool.output.next { $0 == "ready" }
    tool.terminate()
    #expect(await tool.result().exit == .status(3))
    #expect(tool.output.events == ["ready", "bye"])
  }

  @Test func aProgramEndsWithItsOwner() async throws {
    let identifier = try await startAndForget()
    // It would sleep for longer than the time limit.
    try await ProcessTable.waitForEnd(ofChild: identifier)
  }

  private func startAndForget() async throws -> Int32 {
    let tool = try RunningTool(ToolRequest("sleep", ["1000"]))
    return tool.identifier
  }
}
