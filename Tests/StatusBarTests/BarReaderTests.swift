import Glibc
import SessionModel
import SnapshotTesting
import StatusBar
import TestSupport
import Testing

/// The real program as a bar runs it.
@Suite(.timeLimit(.minutes(2))) struct BarReaderTests {
  @Test func sb10WaybarGetsARecordAtOnceAndAtEachChange() async throws {
    let run = try BarRun()
    let tool = try run.start("--format", "waybar")
    let first = try await tool.output.next()
    #expect(BarRun.text(first).hasSuffix(" valid 1h59m"), "\(first)")
    try run.vault.show(.offline)
    try await tool.output.next { BarRun.text($0).contains("offline") }
    try run.vault.show(.signedOut)
    try await tool.output.next { BarRun.text($0).hasSuffix(" signed out") }
    try run.vault.show(.reauthenticationRequired(.invalidGrant))
    try await tool.output.next { BarRun.text($0).hasSuffix("sign in again") }
    tool.terminate()
    let result = await tool.result()
    #expect(result.exit == .status(0))
    #expect(result.error == "")
  }

  @Test func sb10WithoutAHostOrADirectoryThereIsARecordToo() async throws {
    for format in BarFormat.allCases where !format.isPolled {
      let directory = try TemporaryDirectory()
      let tool = try RunningTool(
        .product(
          "tokenvault", ["watch", "--format", format.rawValue],
          environment: ["TOKENVAULT_RUNTIME_DIR": directory.file("not there")]))
      try await tool.output.next { $0.contains("no session") }
      tool.terminate()
      #expect(await tool.result().exit == .status(0), "\(format)")
    }
  }

  @Test(arguments: BarFormat.allCases)
  func sb10OnceWritesOneRecordAndEndsWell(format: BarFormat) async throws {
    let run = try BarRun(.reauthenticationRequired(.lostRotation))
    let result = try await ToolRunner.run(run.request(["--format", format.rawValue, "--once"]))
    #expect(result.exit == .status(0))
    #expect(result.error == "")
    let opening = BarWriter(format).opening
    #expect(result.output.hasPrefix(opening))
    let record = String(result.output.dropFirst(opening.count))
    #expect(try ShownRecord.of(record, format).text.hasSuffix("sign in again"))
    if format.isPolled {
      let plain = try await ToolRunner.run(run.request(["--format", format.rawValue]))
      #expect(plain.output == result.output)
    }
  }

  @Test(arguments: ["waybar", "i3bar", "polybar", "text", "json"])
  func sb10TheReaderLeavesWithTheBar(format: String) async throws {
    let run = try BarRun()
    // The bar is gone when the first time is taken, the reader when the second one is.
    let result = try await ToolRunner.runSuccessfully(
      run.shell(
        "$tokenvault watch --format \(format) | { read -r line; date +%s%N >&2; }; date +%s%N"))
    let gone = try #require(Int(result.error.dropLast()))
    let ended = try #require(Int(result.output.dropLast()))
    #expect(ended - gone < 1_000_000_000)
  }

  @Test func sb10ASignalEndsAReaderWhoseBarDoesNotRead() async throws {
    let run = try BarRun()
    let result = try await ToolRunner.runSuccessfully(
      run.shell(
        """
        directory=$(mktemp -d); mkfifo $directory/pipe; exec 3<>$directory/pipe; rm -r $directory
        dd if=/dev/zero bs=65536 count=1 status=none >&3
        $tokenvault watch --format waybar >&3 2>/dev/null & reader=$!
        until grep -q '^SigCgt:.*[4-7c-f]...$' /proc/$reader/status; do :; done
        switches() { sed -n 's/^voluntary.*[^0-9]//p' /proc/$reader/status; }
        # Awake once more, and asleep again in whatever it waits for then.
        before=$(switches); kill -CONT $reader
        until [ $(switches) -gt $before ]; do :; done
        kill -TERM $reader; wait $reader; echo $?
        """))
    #expect(result.output == "0\n")
  }

  @Test func sb10AStoppedReaderShowsTheNewStateWhenItGoesOn() async throws {
    let run = try BarRun()
    let tool = try run.start("--format", "polybar")
    try await tool.output.next { $0.contains("valid") }
    tool.send(signal: SIGSTOP)
    for state in [SimulatedState.offline, .locked, .signedOut, .expired(since: .seconds(1))] {
      try run.vault.show(state)
    }
    tool.send(signal: SIGCONT)
    try await tool.output.next { $0.contains("expired") }
    try run.vault.show(.locked)
    try await tool.output.next { $0.contains("locked") }
    // Neither the old record once more nor one of those that came and went.
    #expect(tool.output.events.count == 3, "\(tool.output.events)")
  }

  @Test func sb10SignalsThatBarsMeanForOthersAreIgnored() async throws {
    let run = try BarRun()
    let tool = try run.start("--format", "i3bar")
    try await tool.output.next { $0.contains("valid") }
    for signal in [SIGUSR1, SIGUSR2] { tool.send(signal: signal) }
    // The end of the input, which came at once, is no end either.
    try run.vault.show(.locked)
    try await tool.output.next { $0.contains("locked") }
    #expect(tool.isRunning)
    #expect(tool.output.events.prefix(2) == ["{\"version\":1,\"click_events\":true}", "["])
  }

  @Test func sb10ClosedStreamsDoNoHarm() async throws {
    let run = try BarRun()
    let result = try await ToolRunner.runSuccessfully(
      run.shell(
        """
        $tokenvault watch --format i3bar <&- 2>&- | sed -un '3{p;q}'
        $tokenvault watch --format waybar >&-; echo $?
        """))
    #expect(result.output.hasPrefix("[{\"name\":\"tokenvault\""))
    #expect(result.output.hasSuffix("],\n0\n"))
  }

  @Test func sb06ARecordComesWhenAShownStepIsPassed() async throws {
    let run = try BarRun(.valid(for: .seconds(61)))
    let tool = try run.start("--format", "plain", "--template", "{remaining}")
    let counting = try run.start("--format", "plain", "--template", "{remaining}", "--seconds")
    #expect(try await tool.output.next() == "1m")
    #expect(try await tool.output.next() == "<1m")
    try await counting.output.next { $0 == "59s" }
    try await counting.output.next { $0 == "58s" }
    // As much time has gone by for both.
    #expect(tool.output.events == ["1m", "<1m"])
  }

  @Test func sb10AHostThatIsStartedAgainIsNoticed() async throws {
    let run = try BarRun()
    let tool = try run.start("--format", "tmux")
    try await tool.output.next { $0.contains("valid") }
    try run.vault.show(.stale(.hostStopped))
    try await tool.output.next { $0.contains("stale") }
    try run.vault.show(.valid(for: .seconds(7200)))
    try await tool.output.next { $0.contains("valid") }
  }
}
