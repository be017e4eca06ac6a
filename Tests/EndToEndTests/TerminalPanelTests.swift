import TestSupport
import Testing

/// The sample widget where no demonstration takes it.
@Suite(.timeLimit(.minutes(2)))
struct TerminalPanelTests {
  private static let panel = PackageLayout.product("terminal-panel")

  @Test func itEndsWithTheReaderOfItsLines() async throws {
    let machine = try HostMachine()
    let result = try await ToolRunner.run(
      ToolRequest(
        "/bin/sh", ["-c", "'\(Self.panel)' | head -n 1"], environment: machine.environment,
        limit: .seconds(20)))
    #expect(!result.isTimedOut)
    #expect(result.output.contains("current state: absent"))
  }

  @Test func aSentenceThatIsTooLongForARowGoesOnInTheNext() async throws {
    let machine = try HostMachine()
    let tool = try RunningTool(
      ToolRequest(
        "script", ["-qec", "exec '\(Self.panel)'", "/dev/null"],
        environment: machine.environment.merging(["NO_COLOR": "1"]) { $1 },
        input: .open, limit: .seconds(20)))
    let why = try await tool.output.next { $0.contains("no snapshot of primary") }
    #expect(!why.contains("…"), "\(why)")
    let rest = try await tool.output.next { $0.contains("default") }
    #expect(rest.contains("│             default"), "\(rest)")
    tool.terminate()
    _ = await tool.result()
  }

  @Test(arguments: ["a", String(repeating: "n", count: 64), String(repeating: "x", count: 300)])
  func aNameOfAnyLengthFitsIntoTheFrame(name: String) async throws {
    let machine = try HostMachine()
    // script(1) gives it a terminal.
    let tool = try RunningTool(
      ToolRequest(
        "script", ["-qec", "exec '\(Self.panel)' -n \(name)", "/dev/null"],
        environment: machine.environment, input: .open, limit: .seconds(20)))
    let top = try await tool.output.next { $0.contains("TokenVault") }
    #expect(top.contains("╮"), "\(top)")
    let line = top.drop { $0 != "╭" }.prefix { $0 != "╮" }
    #expect(line.count == 77, "\(top)")
    try await tool.output.next { $0.contains("nothing to do") || $0.contains("╰") }
    tool.terminate()
    _ = await tool.result()
  }
}
