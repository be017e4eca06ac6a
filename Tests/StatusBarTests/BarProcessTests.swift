import Glibc
import SnapshotTesting
import StatusBar
import TestSupport
import Testing

/// What the real program is to the machine: when it wakes, what it holds, and what it starts.
@Suite(.timeLimit(.minutes(2))) struct BarProcessTests {
  private static let continuous = BarFormat.allCases.filter { !$0.isPolled }

  /// How often the threads of a process have gone to sleep (`proc(5)`).
  private static func sleeps(of process: Int32) throws -> Int {
    try TestFile.names(in: "/proc/\(process)/task").reduce(0) { sum, thread in
      let status = try TestFile.text("/proc/\(process)/task/\(thread)/status")
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }

  @Test func sb06NothingWakesAReaderWhoseTextStays() async throws {
    let (quiet, busy) = (try BarRun(), try BarRun(.valid(for: .seconds(50))))
    let tool = try quiet.start("--format", "waybar")
    try await tool.output.next { $0.contains("valid") }
    // The other one counts the seconds for both: it has begun to watch long before its third.
    let counting = try busy.start("--format", "plain", "--template", "{remaining}", "--seconds")
    for _ in 1...3 { try await counting.output.next() }
    let before = try (Self.sleeps(of: tool.identifier), Self.sleeps(of: counting.identifier))
    for _ in 1...5 { try await counting.output.next() }
    let after = try (Self.sleeps(of: tool.identifier), Self.sleeps(of: counting.identifier))
    // It may still be about to go to sleep when its line is here.
    #expect(after.1 - before.1 >= 4)
    // The look that is due every 30 seconds may fall in between.
    #expect(after.0 - before.0 <= 1)
    #expect(tool.output.events.count == 1)
  }

  @Test func sb10AReaderIsOneProcessWithOneInotifyInstance() async throws {
    let run = try BarRun()
    let tool = try run.start("--format", "tint2")
    try await tool.output.next { $0.contains("valid") }
    try run.vault.show(.offline)
    try await tool.output.next { $0.contains("offline") }
    let place = "/proc/\(tool.identifier)"
    let held = TestFile.names(in: "\(place)/fd").compactMap {
      SymbolicLink.target("\(place)/fd/\($0)")
    }
    #expect(held.count { $0 == "anon_inode:inotify" } == 1)
    let threads = TestFile.names(in: "\(place)/task")
    #expect(threads.count == 1)
    for thread in threads {
      #expect(try TestFile.text("\(place)/task/\(thread)/children") == "")
    }
  }

  @Test(arguments: continuous)
  func sb10TheFirstRecordAndTheEndAtASignalTakeNoTime(format: BarFormat) async throws {
    let directory = try TemporaryDirectory()
    for state in ["/nowhere", try BarRun().vault.path] {
      let result = try await ToolRunner.runSuccessfully(
        ToolRequest(
          "bash",
          [
            "-c",
            """
            mkfifo '\(directory.file("pipe"))'; began=$(date +%s%N)
            '\(PackageLayout.product("tokenvault"))' watch --format \(format.rawValue) \
              >'\(directory.file("pipe"))' & exec 3<'\(directory.file("pipe"))'
            read -r line <&3; shown=$(date +%s%N)
            kill -TERM $!; wait $!; status=$? ended=$(date +%s%N)
            rm '\(directory.file("pipe"))'
            echo $((shown - began)) $((ended - shown)) $status
            """,
          ], environment: ["PATH": Environment.searchPath, "TOKENVAULT_RUNTIME_DIR": state]))
      let numbers = result.output.split { $0 == " " || $0 == "\n" }.compactMap { Int($0) }
      #expect(numbers.count == 3 && numbers.last == 0)
      #expect(numbers.prefix(2).allSatisfy { $0 < 1_000_000_000 }, "\(numbers)")
    }
  }

  @Test(arguments: continuous)
  func sb10AReaderNeverEndsByItself(format: BarFormat) async throws {
    let run = try BarRun()
    let tool = try run.start("--format", format.rawValue)
    try await tool.output.next { $0.contains("valid") }
    try TestFile.rename(run.vault.path, to: run.vault.path + ".away")
    try await tool.output.next { $0.contains("no session") }
    try TestFile.rename(run.vault.path + ".away", to: run.vault.path)
    try await tool.output.next { $0.contains("valid") }
    try run.vault.show(.stale(.hostStopped))
    try await tool.output.next { $0.contains("stale") }
    try run.vault.show(.corrupt(byte: 40))
    try await tool.output.next { $0.contains("corrupt") }
    try run.vault.show(.locked)
    try await tool.output.next { $0.contains("locked") }
    #expect(tool.isRunning)
    tool.terminate()
    #expect(await tool.result().exit == .status(0))
  }

  // The bar waits for the end of its pipe, and its SIGKILL or SIGSTOP is for its own group.
  @Test func sb11AClickStartsWhatHasNothingOfTheBarsAndIsWaitedFor() async throws {
    let run = try BarRun()
    let log = try ClickLog(
      noting: "$1 $$ $(cut -d' ' -f5,6 /proc/$$/stat) $(readlink /proc/$$/fd/{0,1,2} | xargs)")
    let listener = try RunningTool(ToolRequest("tail", ["-n", "+1", "-f", log.file]))
    var request = run.request(["--format", "i3bar"], input: .open)
    request.program = log.program
    let tool = try RunningTool(request)
    try await tool.output.next { $0.contains("valid") }
    tool.write("[\n{\"button\":2}\n")
    let words = try await listener.output.next().split(separator: " ")
    try #require(words.count == 7)
    #expect(words[0] == "renew")
    // The group and the session are the program's own.
    #expect(words[2] == words[1] && words[3] == words[1])
    #expect(words[4...].allSatisfy { $0 == "/dev/null" }, "\(words)")
    try await ToolRunner.runSuccessfully(
      ToolRequest(
        "bash",
        ["-c", "until [ -z \"$(cat /proc/\(tool.identifier)/task/*/children)\" ]; do :; done"]))
    // Else they are gone with the reader, whose time was up.
    #expect(tool.isRunning)
  }

  @Test(arguments: ["waybar", "text"])
  func sb12TheCommandHasNothingOfTheBars(format: String) async throws {
    let run = try BarRun()
    let directory = try TemporaryDirectory()
    let file = try directory.write("", to: "told")
    let listener = try RunningTool(ToolRequest("tail", ["-n", "+1", "-f", file]))
    let tool = try run.start(
      "--format", format, "--exec",
      """
      echo NOT FOR THE BAR
      bar=$(readlink /proc/$PPID/fd/1)
      echo "$bar $(ls -l /proc/$$/fd | grep -cF "$bar") $$ $(cut -d' ' -f5 /proc/$$/stat)" >>'\(file)'
      """)
    for state in [SimulatedState.offline, .locked] {
      let words = try await listener.output.next().split(separator: " ")
      try #require(words.count == 4)
      #expect(words[0].hasPrefix("pipe:") && words[1] == "0", "\(words)")
      #expect(words[2] == words[3])
      try run.vault.show(state)
    }
    try await tool.output.next { $0.contains("locked") }
    tool.terminate()
    #expect(await !tool.result().output.contains("NOT FOR THE BAR"))
  }
}
