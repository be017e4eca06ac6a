import SnapshotTesting
import Testing

/// What a widget prints, as a person sees it.
@Suite struct OutputSplitterTests {
  private static func lines(_ chunks: [String]) -> [String] {
    var splitter = OutputSplitter(isError: false)
    let lines = chunks.flatMap { splitter.take(Array($0.utf8)[...], at: .zero) }
    return (lines + splitter.flush(at: .zero)).map(\.text)
  }

  @Test(arguments: [
    (["a\nb\n"], ["a", "b"]), (["a", "b\nc"], ["ab", "c"]), (["a\n\nb\n"], ["a", "", "b"]),
    (["a\r\nb\r", "\n\n"], ["a", "b", ""]), (["10 left\r9 left\r"], ["10 left", "9 left"]),
    (["\u{1B}[31mred\u{1B}[0m\n"], ["red"]), (["\u{1B}]0;title\u{07}shown\n"], ["shown"]),
    (["\u{1B}]0;title\u{1B}\\shown\n"], ["shown"]), (["a\tb\u{0}c\n"], ["a bc"]),
    (["\u{1B}[2J\u{1B}[H\n"], [""]),
  ]) func itIsTakenApart(chunks: [String], lines: [String]) {
    #expect(Self.lines(chunks) == lines)
  }

  @Test func aCharacterThatComesInTwoPartsIsWhole() {
    var splitter = OutputSplitter(isError: true)
    #expect(splitter.take([0xC3], at: .zero).isEmpty)
    #expect(splitter.hasPending)
    let lines = splitter.take([0xA4, 0x0A], at: .seconds(1))
    #expect(lines == [.init(at: .seconds(1), isError: true, text: "ä")])
  }

  @Test func aLineWithoutAnEndIsCut() {
    var splitter = OutputSplitter(isError: false)
    let limit = OutputSplitter.longestLine
    var lines = splitter.take(ArraySlice(repeating: 0x78, count: limit), at: .zero)
    #expect(lines.isEmpty, "what is as long as may be is whole")
    lines += splitter.take(ArraySlice(repeating: 0x78, count: 2 * limit - 1), at: .zero)
    lines += splitter.take([0xC3], at: .zero)
    lines += splitter.take([0xA4, 0x79, 0x0A], at: .zero)
    let text = String(repeating: "x", count: limit)
    #expect(lines.map(\.text) == [text, text, text.dropLast() + "ä", "y"])
    #expect(!splitter.hasPending)
  }

  @Test func theTicksOfAProcessAreReadBehindItsName() {
    let rest = "S 1 42 42 0 -1 4194304 100 200 0 0 7 5 3 2 20 0 1 0 100"
    #expect(ProcessorTime.ticks(in: "43 (a) b) (c) \(rest)", group: 42) == 17)
    #expect(ProcessorTime.ticks(in: "43 (sh) \(rest)", group: 41) == nil)
    #expect(ProcessorTime.ticks(in: "43 (sh) S 1 42", group: 42) == nil)
    #expect(ProcessorTime.ticks(in: "", group: 42) == nil)
  }
}
