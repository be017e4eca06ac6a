import Glibc
import SnapshotTesting
import StatusBar
import TestSupport
import Testing

/// The system calls of the real program, as strace(1) writes them down.
@Suite(.timeLimit(.minutes(2))) struct BarTraceTests {
  private let directory: TemporaryDirectory
  private let log: String

  init() throws {
    directory = try TemporaryDirectory()
    log = try directory.write("", to: "trace")
  }

  // As a grandchild strace(1) leaves the reader the process that the test has started.
  private func start(_ run: BarRun, calls: String, _ words: [String]) throws -> RunningTool {
    try RunningTool(
      ToolRequest(
        "strace",
        ["-D", "-f", "-o", log, "-e", "trace=" + calls, PackageLayout.product("tokenvault")]
          + ["watch"] + words,
        environment: run.environment))
  }

  // Less than PIPE_BUF bytes in one write(2) arrive whole or not at all (pipe(7)).
  @Test(arguments: BarFormat.allCases)
  func sb10EachRecordIsOneWriteWithItsOpening(format: BarFormat) async throws {
    let run = try BarRun()
    let tool = try start(run, calls: "write,writev", ["--format", format.rawValue])
    var records = 1
    try await tool.output.next { $0.contains("valid") }
    if !format.isPolled {
      try run.vault.show(.offline)
      try await tool.output.next { $0.contains("offline") }
      tool.terminate()
      records = 2
    }
    let result = await tool.result()
    #expect(result.exit == .status(0))
    let lines = try TestFile.text(log).split(separator: "\n")
    let writes = lines.filter { $0.contains(" write(1, ") || $0.contains(" writev(1, ") }
    #expect(writes.count == records, "\(writes)")
    let lengths = writes.compactMap { line in
      line.split(separator: " ").last.flatMap { Int($0) }
    }
    #expect(lengths.reduce(0, +) == result.outputBytes.count)
    #expect(lengths.allSatisfy { $0 < 4096 })
  }

  // What changed while it stood still may be a change that nothing told of.
  @Test func sb10GoingOnAfterAStopReadsTheSnapshotOnceMore() async throws {
    let run = try BarRun()
    let listener = try RunningTool(ToolRequest("tail", ["-n", "+1", "-f", log]))
    let tool = try start(run, calls: "%fstat,rt_sigreturn", ["--format", "i3bar"])
    try await tool.output.next { $0.contains("valid") }
    try run.vault.show(.locked)
    try await tool.output.next { $0.contains("locked") }
    tool.send(signal: SIGSTOP)
    tool.send(signal: SIGCONT)
    try await listener.output.next { $0.contains("--- SIGCONT ") }
    try await listener.output.next { $0.contains("rt_sigreturn") }
    // This one is heard behind the other, and before the reader looks by itself.
    tool.terminate()
    #expect(await tool.result().exit == .status(0))
    let lines = try TestFile.text(log).split(separator: "\n")
    let after = lines.drop { !$0.contains("--- SIGCONT ") }
    // The snapshot at hand, whether it is still the one that is there.
    #expect(after.contains { $0.contains("fstat") }, "\(after)")
    // Nothing had changed: the record that the bar has is the right one.
    #expect(tool.output.events.count { $0.contains("locked") } == 1)
  }

  @Test func sb10AShortRunStartsNothingWatchesNothingAndWaitsForNothing() async throws {
    let run = try BarRun()
    let tool = try start(run, calls: "all", ["--format", "conky"])
    try await tool.output.next { $0.contains("valid") }
    #expect(await tool.result().exit == .status(0))
    let calls = try TestFile.text(log).split(separator: "\n").compactMap { line in
      line.split(separator: " ").dropFirst().first?.split(separator: "(").first.map(String.init)
    }
    #expect(calls.count { $0 == "execve" } == 1)
    let others: Set = [
      "clone", "clone3", "fork", "vfork", "socket", "connect", "inotify_init1", "nanosleep",
      "clock_nanosleep", "poll", "ppoll", "select", "pselect6", "epoll_wait", "epoll_pwait",
      "futex",
    ]
    #expect(others.isDisjoint(with: calls))
    // Most of these are the loader's, of whatever the program is linked with.
    if Sanitizer.permits("how many calls a run takes") { #expect(calls.count < 600) }
  }
}
