import CommandRuntime
import FileSupport
import Glibc
import Testing

@Suite struct TerminalTests {
  @Test(arguments: [
    (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false),
    (true, ["NO_COLOR": ""], true), (true, ["TERM": "dumb"], false),
    (true, ["TERM": "xterm"], true), (false, ["TERM": "xterm"], false),
  ])
  func showsColoursOnTerminalsOnly(
    isTerminal: Bool, variables: [String: String], expected: Bool
  ) {
    let terminal = Terminal(
      isTerminal: isTerminal, columns: nil, environment: FileSupport.Environment(variables))
    #expect(terminal.hasColours == expected)
    #expect(
      terminal.styled("text", .red) == (expected ? "\u{1b}[31mtext\u{1b}[0m" : "text"))
  }

  @Test(
    arguments: [
      (nil, [:], 80), (132, [:], 132), (132, ["COLUMNS": "60"], 60), (nil, ["COLUMNS": "0"], 80),
      (100, ["COLUMNS": "wide"], 100),
    ] as [(Int?, [String: String], Int)])
  func takesTheWidthFromTheTerminalUnlessTold(
    columns: Int?, variables: [String: String], width: Int
  ) {
    let terminal = Terminal(
      isTerminal: true, columns: columns, environment: FileSupport.Environment(variables))
    #expect(terminal.width == width)
  }

  @Test func asksAPipeAndATerminal() throws {
    let pipe = try FileSupport.Pipe()
    let none = FileSupport.Environment([:])
    #expect(
      Terminal(descriptor: pipe.writing.rawValue, environment: none)
        == Terminal(isTerminal: false, columns: nil, environment: none))
    var master: Int32 = -1
    var slave: Int32 = -1
    var size = winsize(ws_row: 24, ws_col: 97, ws_xpixel: 0, ws_ypixel: 0)
    try #require(unsafe openpty(&master, &slave, nil, nil, &size) == 0)
    defer {
      close(master)
      close(slave)
    }
    #expect(
      Terminal(descriptor: slave, environment: none)
        == Terminal(isTerminal: true, columns: 97, environment: none))
  }
}
