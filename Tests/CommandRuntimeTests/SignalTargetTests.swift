import CommandRuntime
import FileSupport
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SignalTargetTests {
  @Test(arguments: [
    "waybar:RTMIN+8", "waybar:SIGRTMIN+8", "1234:USR1", "a:b:HUP", "x:WINCH", "x:RTMAX-1",
    "x:RTMIN", "x:USR2",
  ])
  func aProcessAndASignalAreATarget(text: String) {
    #expect(SignalTarget(text)?.text == text)
  }

  @Test(arguments: [
    "", "waybar", ":USR1", "waybar:", "waybar:KILL", "waybar:TERM", "waybar:STOP", "waybar:15",
    "waybar:RTMIN+0", "waybar:RTMIN+31", "waybar:RTMIN+", "waybar:RTMIN-1", "waybar:RTMAX+1",
    "waybar:rtmin+1", "1:USR1", "0:USR1", "99999999999:USR1", "x:RTMIN+é",
  ])
  func whatIsNoneIsRefused(text: String) {
    #expect(SignalTarget(text) == nil)
  }

  @Test func sb12AProgramThatCatchesTheSignalGetsItByNumberAndByName() async throws {
    let directory = try TemporaryDirectory()
    // The kernel names a script's process after its file.
    let name = "tv\(getpid())"
    let script = try directory.write(
      "#!/bin/bash\ntrap 'echo caught' USR1\necho ready\nwhile :; do read -r line; done\n",
      to: name, mode: 0o700)
    let tool = try RunningTool(ToolRequest(script, input: .open))
    try await tool.output.next { $0 == "ready" }
    #expect(SignalTarget("\(name):USR1")?.send() == .sent(1))
    try await tool.output.next { $0 == "caught" }
    #expect(SignalTarget("\(tool.identifier):SIGUSR1")?.send() == .sent(1))
    try await tool.output.next { $0 == "caught" }
    // It would end the program, as pkill(1) would.
    #expect(SignalTarget("\(name):RTMIN+8")?.send() == .notCaught)
    #expect(tool.isRunning)
    tool.kill()
    _ = await tool.result()
    #expect(SignalTarget("\(name):USR1")?.send() == .nobody)
    #expect(SignalTarget("\(tool.identifier):USR1")?.send() == .nobody)
  }
}

@Suite(.timeLimit(.minutes(1))) struct SoleRunTests {
  @Test func sb11WhatStillRunsIsNotStartedOnceMore() async throws {
    let directory = try TemporaryDirectory()
    let pipe = directory.file("pipe")
    try await ToolRunner.runSuccessfully(ToolRequest("mkfifo", [pipe]))
    let runs = SoleRun()
    let command = ["/bin/sh", "-c", "echo started >'\(pipe)'; read line <'\(pipe)'"]
    #expect(runs.start(command))
    #expect(!runs.start(command))
    #expect(!runs.start(["/nonexistent/program"]))
    let reader = try await ToolRunner.run(ToolRequest("cat", [pipe]))
    #expect(reader.output == "started\n")
    #expect(!runs.start(command))
    try await ToolRunner.runSuccessfully(ToolRequest("sh", ["-c", "echo end >'\(pipe)'"]))
  }
}

@Suite(.timeLimit(.minutes(1))) struct TerminalWindowTests {
  @Test func thePersonsTerminalComesFirstAndTheCommandStaysWords() throws {
    let window = TerminalWindow(
      environment: FileSupport.Environment(["TERMINAL": "/usr/bin/kitty --hold"]))
    let commands = window.commands(for: ["/opt/a b/tokenvault", "status"])
    #expect(commands.first?.prefix(3) == ["/usr/bin/kitty", "--hold", "/bin/sh"])
    #expect(commands.allSatisfy { $0.suffix(2) == ["/opt/a b/tokenvault", "status"] })
    #expect(commands.contains { $0.prefix(2) == ["x-terminal-emulator", "-e"] })
    let other = TerminalWindow(environment: FileSupport.Environment(["TERMINAL": "st"])).commands(
      for: ["x"])
    #expect(other.first?.prefix(3) == ["st", "-e", "/bin/sh"])
  }

  @Test func theWindowShowsTheOutputUntilEnterIsPressed() async throws {
    let directory = try TemporaryDirectory()
    let shown = directory.file("shown")
    let terminal = try directory.write(
      "#!/bin/sh\nshift\nprintf '\\n' | \"$@\" >'\(shown)'\necho done >'\(shown).end'\n",
      to: "terminal", mode: 0o700)
    try await ToolRunner.runSuccessfully(ToolRequest("mkfifo", ["\(shown).end"]))
    let window = TerminalWindow(environment: FileSupport.Environment(["TERMINAL": terminal]))
    let isClosed = Gate()
    let opened = try window.open(["/bin/echo", "a  b", "$(x)"]) { isClosed.open() }
    #expect(opened == terminal)
    _ = try await ToolRunner.run(ToolRequest("cat", ["\(shown).end"]))
    #expect(try TestFile.text(shown) == "a  b $(x)\n\nPress Enter to close this window. ")
    // Waited for: a zombie would have the tests that end a process wait for ever.
    try await isClosed.wait()
  }
}
