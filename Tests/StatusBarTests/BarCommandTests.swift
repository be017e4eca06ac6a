import CommandRuntime
import Glibc
import SnapshotTesting
import StatusBar
import TestSupport
import Testing
import VaultReporting

/// Clicks, hooks, examples and command lines of the real program.
@Suite(.timeLimit(.minutes(2))) struct BarCommandTests {
  @Test func theCommandKnowsTheBarsAndTheSignsThatThereAre() {
    #expect(VaultCommands.barFormats == BarFormat.allCases.map(\.rawValue))
    #expect(VaultCommands.icons.value == .choice(BarIcons.named.map(\.name)))
    let help = HelpText(VaultCommands.table(naming: "watch")).page(
      of: VaultCommands.table.commands.first { $0.name == "watch" } ?? Command("", summary: ""))
    for condition in BarCondition.allCases {
      #expect(help.contains(condition.rawValue), "\(condition)")
    }
  }

  @Test func sb11AClickStartsTheProgramByItsPath() async throws {
    let run = try BarRun(.signedOut)
    let log = try ClickLog()
    let listener = try RunningTool(ToolRequest("tail", ["-n", "+1", "-f", log.file]))
    var request = run.request(["--format", "i3bar", "-n", "primary"], input: .open)
    request.program = log.program
    let tool = try RunningTool(request)
    try await tool.output.next { $0.contains("signed out") }
    tool.write("[\n{\"name\":\"tokenvault\",\"instance\":\"primary\",\"button\":1}\n")
    try await listener.output.next { $0 == "sign-in primary" }
    tool.write(",{\"name\":\"tokenvault\",\"bu")
    tool.write("tton\":2}\n,{\"button\":9}\n,nonsense\n,{\"button\":3}\n")
    try await listener.output.next { $0 == "renew primary" || $0 == "status --window -n primary" }
    try await listener.output.next { $0 == "renew primary" || $0 == "status --window -n primary" }
    #expect(listener.output.events.count == 3)
    tool.closeInput()
    try run.vault.show(.valid(for: .seconds(7200)))
    try await tool.output.next { $0.contains("valid") }
  }

  /// No bar and no shell reads the path of what i3bar's and swaybar's clicks start.
  @Test func sb11AClickStartsAProgramAtWhateverPath() async throws {
    let run = try BarRun(.signedOut)
    let log = try ClickLog(in: "a b$(c):%{d}")
    let listener = try RunningTool(ToolRequest("tail", ["-n", "+1", "-f", log.file]))
    var request = run.request(["--format", "swaybar"], input: .open)
    request.program = log.program
    let tool = try RunningTool(request)
    try await tool.output.next { $0.contains("signed out") }
    tool.write("[\n{\"name\":\"tokenvault\",\"instance\":\"primary\",\"button\":1}\n")
    try await listener.output.next { $0 == "sign-in primary" }
    #expect(tool.error.events == [])
  }

  @Test func sb11I3blocksTellsOfAClickInTheEnvironment() async throws {
    let run = try BarRun()
    let log = try ClickLog()
    let listener = try RunningTool(ToolRequest("tail", ["-n", "+1", "-f", log.file]))
    var request = run.request(["--format", "i3blocks-raw"])
    request.program = log.program
    request.environment["BLOCK_BUTTON"] = "2"
    let result = try await ToolRunner.run(request)
    #expect(result.output.contains(" valid 1h59m\n"))
    try await listener.output.next { $0 == "renew primary" }
  }

  // i3blocks 1.4 leaves its own input, with the clicks on all blocks, to what it starts.
  @Test func sb11ClicksOnOtherBlocksAreLeftToI3blocks() async throws {
    let run = try BarRun()
    let result = try await ToolRunner.runSuccessfully(
      run.shell(
        """
        printf '{"button":2}\n' | {
          BLOCK_INTERVAL=persist $tokenvault watch --format i3blocks | sed -un 1q
          cat
        }
        """))
    #expect(result.output == "{\"button\":2}\n")
  }

  @Test(arguments: ["json", "waybar"])
  func sb12TheCommandIsToldOfTheStateAndOfEachChange(format: String) async throws {
    let run = try BarRun()
    let directory = try TemporaryDirectory()
    let file = try directory.write("", to: "told")
    let listener = try RunningTool(ToolRequest("tail", ["-n", "+1", "-f", file]))
    let tool = try run.start(
      "--format", format, "--exec",
      "echo $TOKENVAULT_NAMESPACE $TOKENVAULT_SESSION $TOKENVAULT_HOST >>'\(file)'")
    try await listener.output.next { $0 == "primary valid ok" }
    try run.vault.show(.offline)
    try await listener.output.next { $0 == "primary valid offline" }
    try run.vault.show(.signedOut)
    try await listener.output.next { $0 == "primary signed-out ok" }
    tool.terminate()
    _ = await tool.result()
  }

  @Test(arguments: ["json", "waybar"])
  func sb12TheEndOfTheReaderEndsItsCommand(format: String) async throws {
    let run = try BarRun()
    let directory = try TemporaryDirectory()
    let pipe = directory.file("pipe")
    try await ToolRunner.runSuccessfully(ToolRequest("mkfifo", [pipe]))
    let command = "exec >'\(pipe)'; echo begun; sleep 600; echo later"
    let listener = try RunningTool(ToolRequest("cat", [pipe]))
    let tool = try run.start("--format", format, "--exec", command)
    try await listener.output.next { $0 == "begun" }
    tool.terminate()
    #expect(await tool.result().exit == (format == "json" ? .signal(SIGTERM) : .status(0)))
    #expect(await listener.result().output == "begun\n")
  }

  @Test(arguments: ["json", "waybar"])
  func sb12TheEndOfTheBarEndsTheCommandOfItsReader(format: String) async throws {
    let run = try BarRun()
    let directory = try TemporaryDirectory()
    let (begun, pipe) = (directory.file("begun"), directory.file("pipe"))
    try await ToolRunner.runSuccessfully(ToolRequest("mkfifo", [begun, pipe]))
    let command = "exec >'\(pipe)'; : >'\(begun)'; sleep 600; echo later"
    let listener = try RunningTool(ToolRequest("cat", [pipe]))
    try await ToolRunner.runSuccessfully(
      run.shell(
        """
        $tokenvault watch --format \(format) --exec "\(command)" | { read -r line; cat '\(begun)'; }
        """))
    #expect(await listener.result().output == "")
  }

  @Test func sb12AProcessIsSignalledAtAChange() async throws {
    let run = try BarRun()
    let bar = try RunningTool(
      ToolRequest(
        "bash",
        ["-c", "trap 'echo caught' RTMIN+8; echo ready; while :; do read -r line; done"],
        input: .open))
    try await bar.output.next { $0 == "ready" }
    let tool = try run.start("--signal", "\(bar.identifier):SIGRTMIN+8")
    try await bar.output.next { $0 == "caught" }
    try run.vault.show(.locked)
    try await bar.output.next { $0 == "caught" }
    tool.terminate()
    _ = await tool.result()
    let refused = try run.start("--signal", "\(bar.identifier):USR1")
    try await refused.error.next { $0.contains("the process does not catch it") }
    #expect(bar.isRunning)
  }

  @Test(arguments: BarFormat.allCases)
  func sb09TheExampleNamesThisVeryProgram(format: BarFormat) async throws {
    let result = try await ToolRunner.run(
      .product("tokenvault", ["watch", "--format", format.rawValue, "--example", "-n", "work"]))
    #expect(result.status == 0)
    #expect(
      result.output.contains(
        "\(PackageLayout.product("tokenvault")) watch --format \(format.rawValue) -n work"))
  }

  @Test func sb09TheExampleHasTheOptionsThatItWasAskedWith() async throws {
    let asked = ["--icons", "emoji", "--length", "20", "--no-color", "--seconds"]
    for format in BarFormat.allCases {
      let result = try await ToolRunner.run(
        .product("tokenvault", ["watch", "--format", format.rawValue, "--example"] + asked))
      #expect(result.status == 0)
      #expect(result.output.contains("-n primary \(asked.joined(separator: " "))"), "\(format)")
    }
  }

  @Test(arguments: [
    ["--template", "{state}"], ["--icon", "valid=+"], ["--color", "good=#00ff00"],
    ["--exec", "true"], ["--signal", "waybar:RTMIN+8"],
  ])
  func sb09AnOptionThatNeedsQuotesIsNotLeftOutSilently(option: [String]) async throws {
    let result = try await ToolRunner.run(
      .product("tokenvault", ["watch", "--format", "waybar", "--example"] + option))
    #expect(result.status == 64)
    #expect(result.output.isEmpty)
    #expect(result.error.contains("\"\(option[0])\" needs quotes that differ from bar to bar"))
  }

  @Test func sb08AnExampleThatABarWouldMisreadIsRefused() async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.makeDirectory("a b") + "/tokenvault"
    try TestFile.link(PackageLayout.product("tokenvault"), as: path)
    let result = try await ToolRunner.run(
      ToolRequest(path, ["watch", "--format", "waybar", "--example"]))
    #expect(result.status == 64)
    #expect(
      result.error.hasSuffix(
        "a bar cannot be told to start this program at \"\(path)\": its path may hold letters,"
          + " digits, and / . _ + - @ , = only, 200 at most; make a symbolic link to it at such a"
          + " path, and start that one by its whole path\n"))
  }

  @Test(arguments: [BarFormat.polybar, .lemonbar, .genmon, .argos])
  func sb08ABarThatCannotBeGivenThePathSaysThatClicksDoNothing(format: BarFormat) async throws {
    let run = try BarRun()
    let log = try ClickLog(in: "a b")
    var request = run.request(["--format", format.rawValue, "--once"])
    request.program = log.program
    let result = try await ToolRunner.run(request)
    #expect(result.error.contains("clicks do nothing: a bar cannot be told to start this program"))
    #expect(try ShownRecord.of(result.output, format).commands == [])
    // What the message says to do mends it.
    let link = try TemporaryDirectory()
    try link.link("tokenvault", to: log.program)
    request.program = link.file("tokenvault")
    let mended = try await ToolRunner.run(request)
    #expect(mended.error == "")
    #expect(
      try ShownRecord.of(mended.output, format).commands.contains(
        "\(request.program) status --window -n primary"))
  }

  @Test(arguments: [
    (["--format", "waybars"], "did you mean \"waybar\"?"),
    (["--template", "{icon}"], "\"--template\" is for the format of a bar"),
    (["--format", "json", "--icons", "none"], "\"--icons\" is for the format of a bar"),
    (
      ["--format", "waybar", "--template", "{acount}"],
      "did you mean {account}? See \"tokenvault watch"
    ),
    (["--format", "waybar", "--icon", "ofline=X"], "did you mean \"offline\"?"),
    (["--format", "waybar", "--color", "good=red"], "takes a colour like #e5a50a, not \"red\""),
    (["--format", "waybar", "--color", "god=#ffffff"], "did you mean \"good\"?"),
    (["--format", "waybar", "--length", "0"], "\"--length\" takes 1 to 120"),
    (["--format", "waybar", "--signal", "waybar:KILL"], "such as waybar:RTMIN+8"),
    (["--format", "genmon", "--exec", "true"], "has nothing to tell"),
    (["--once", "--signal", "waybar:USR1"], "has nothing to tell"),
    (["--format", "waybar", "-n", "../x"], "namespace"),
  ])
  func aWrongCommandLineSaysWhatIsRight(words: [String], text: String) async throws {
    let result = try await ToolRunner.run(.product("tokenvault", ["watch"] + words))
    #expect(result.status == 64)
    #expect(result.error.contains(text), "\(result.error)")
    #expect(result.output == "")
  }

  @Test func theStyleOfTheCommandLineIsShown() async throws {
    let run = try BarRun(.locked)
    let result = try await ToolRunner.run(
      run.request([
        "--format", "tmux", "--once", "--template", "{icon}{namespace}: {state}", "--icons",
        "ascii", "--icon", "locked=L ", "--color", "locked=#123456", "--length", "12",
      ]))
    #expect(result.output == "#[fg=#123456]L primary:…#[default]\n")
    let plain = try await ToolRunner.run(
      run.request(["--format", "tmux", "--once", "--no-color", "--template", "{state}"]))
    #expect(plain.output == "locked\n")
  }

  @Test func theStatusIsShownInAWindow() async throws {
    let run = try BarRun()
    let directory = try TemporaryDirectory()
    let shown = directory.file("shown")
    try await ToolRunner.runSuccessfully(ToolRequest("mkfifo", [shown]))
    let terminal = try directory.write(
      "#!/bin/sh\nshift\nprintf '\\n' | \"$@\" >'\(shown)'\n", to: "terminal", mode: 0o700)
    let reader = try RunningTool(ToolRequest("cat", [shown]))
    let request = ToolRequest.product(
      "tokenvault", ["status", "--window", "-n", "primary"],
      environment: run.environment.merging(["TERMINAL": terminal]) { $1 })
    let result = try await ToolRunner.run(request)
    #expect(result.status == 0)
    try await reader.output.next { $0.hasPrefix("NAMESPACE") }
    try await reader.output.next { $0.hasPrefix("primary") && $0.contains("valid") }
    let none = try await ToolRunner.run(
      .product("tokenvault", ["status", "--window"], environment: ["PATH": "/nonexistent"]))
    #expect(none.status == 78)
    #expect(none.error.contains("set TERMINAL to one"))
  }
}
