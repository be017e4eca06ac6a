import BrowserFlow
import Testing

@Suite struct QRCodeTests {
  /// The 7 x 7 pattern that stands in three corners of every code (ISO/IEC 18004 6.3.3).
  private static let finder = [
    "1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111",
  ]

  @Test(arguments: [("HELLO", 21), ("https://id.example/device?user_code=BDWP-HQPK", 33)])
  func threeCornersHoldTheFinderPattern(text: String, size: Int) throws {
    let code = try QRCode(text)
    #expect(code.size == size)
    for (top, left) in [(0, 0), (0, size - 7), (size - 7, 0)] {
      let rows = (0..<7).map { row in
        (0..<7).map { code.isDark(row: top + row, column: left + $0) ? "1" : "0" }.joined()
      }
      #expect(rows == Self.finder)
    }
  }

  @Test func halfBlocksShowEveryModuleAndTheQuietZone() throws {
    let code = try QRCode("HELLO")
    let lines = code.lines(on: .light)
    #expect(lines.count == (code.size + 8 + 1) / 2)
    #expect(lines.allSatisfy { $0.count == code.size + 8 })
    #expect(lines[0].allSatisfy { $0 == " " } && lines[1].allSatisfy { $0 == " " })
    for row in -4..<(code.size + 4) {
      for (column, cell) in lines[(row + 4) / 2].enumerated() {
        let drawn = (row + 4) % 2 == 0 ? "\u{2588}\u{2580}" : "\u{2588}\u{2584}"
        #expect(drawn.contains(cell) == code.isDark(row: row, column: column - 4))
      }
    }
  }

  @Test func aDarkTerminalShowsTheLightModules() throws {
    let code = try QRCode("HELLO")
    let light = code.lines(on: .light)
    let dark = code.lines(on: .dark)
    #expect(dark[0].allSatisfy { $0 == "\u{2588}" })
    #expect(dark[2] != light[2])
    let inverse: [Character: Character] = [
      " ": "\u{2588}", "\u{2588}": " ", "\u{2580}": "\u{2584}", "\u{2584}": "\u{2580}",
    ]
    // The last line is half a line where the number of rows is odd.
    #expect(dark.dropLast().map { String($0.compactMap { inverse[$0] }) } == light.dropLast())
  }

  @Test func textThatDoesNotFitIsRefused() {
    #expect(throws: QRCodeError.empty) { _ = try QRCode("") }
    let error = #expect(throws: QRCodeError.self) {
      _ = try QRCode(String(repeating: "x", count: 2332))
    }
    #expect(error == .tooLong(bytes: 2332))
    #expect(
      error?.description
        == "2332 bytes do not fit a QR code (2331 at most): type the address instead")
    #expect((try? QRCode(String(repeating: "x", count: 2331)))?.size == 177)
  }
}
