import StrictJSON
import Testing

@Suite struct StrictJSONErrorTests {
  private static func refusal(
    of text: [UInt8], maximumDepth: Int = 64, maximumLength: Int = 1 << 20
  ) -> StrictJSONError? {
    do throws(StrictJSONError) {
      _ = try JSONValue(
        parsing: text, maximumDepth: maximumDepth, maximumLength: maximumLength)
      return nil
    } catch {
      return error
    }
  }

  private typealias Reason = StrictJSONError.Reason

  @Test(
    arguments: [
      ("", StrictJSONError.Reason.prematureEnd, 1, 0, 0), ("  ", .prematureEnd, 1, 2, 2),
      ("[1,", .prematureEnd, 1, 3, 3), ("[1,\n2,}", .invalidSyntax, 2, 3, 7),
      ("{} x", .trailingText, 1, 4, 4), ("nul", .invalidSyntax, 1, 3, 3),
      ("[1]\n\0", .nulByte, 2, 1, 5), (#"{"é":"# + "\0}", .nulByte, 1, 6, 7),
      (#"{"a\u0000":1}"#, .nulByte, 1, 10, 10),
      (#"{"a":1,"b":2,"a":1}"#, .duplicateName, 1, 16, 16),
      (#"{"a":1,"\u0061":1}"#, .duplicateName, 1, 15, 15),
      ("1e400", .numberTooLarge, 1, 5, 5), ("-1e400", .numberTooLarge, 1, 6, 6),
      ("9223372036854775808", .numberTooLarge, 1, 19, 19),
      ("-9223372036854775809", .numberTooLarge, 1, 20, 20),
      ("\u{feff}{}", .invalidSyntax, 1, 1, 3), (#""\ud800""#, .invalidSyntax, 1, 8, 8),
    ])
  func refusalSaysWhyAndWhere(
    text: String, reason: StrictJSONError.Reason, line: Int, column: Int, offset: Int
  ) throws {
    let refusal = try #require(Self.refusal(of: Array(text.utf8)))
    #expect(refusal.reason == reason)
    #expect([refusal.line, refusal.column, refusal.offset] == [line, column, offset])
  }

  @Test(
    arguments: [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0xAF, 0x22],
      [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0xFF, 0xFE, 0x7B],
    ] as [[UInt8]])
  func bytesThatAreNotUTF8AreRefused(text: [UInt8]) {
    #expect(Self.refusal(of: text)?.reason == .invalidUTF8)
  }

  @Test func utf16IsRefused() {
    #expect(Self.refusal(of: [0x7B, 0, 0x7D, 0])?.reason == .nulByte)
    #expect(Self.refusal(of: [0, 0x7B, 0, 0x7D])?.reason == .nulByte)
  }

  @Test func nestingIsBoundedByTheCaller() {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    #expect(Self.refusal(of: nested(64)) == nil)
    #expect(Self.refusal(of: nested(65))?.reason == .tooDeep(limit: 64))
    #expect(Self.refusal(of: nested(65))?.offset == 65)
    #expect(Self.refusal(of: nested(3), maximumDepth: 2)?.reason == .tooDeep(limit: 2))
    #expect(Self.refusal(of: nested(100_000))?.reason == .tooDeep(limit: 64))
    // Brackets in strings, also behind an escaped quotation mark, are no nesting.
    let text = Array(#"["\"[[[{{{", "\\"]"#.utf8)
    #expect(Self.refusal(of: text, maximumDepth: 1) == nil)
  }

  @Test func lengthIsBoundedByTheCaller() {
    #expect(Self.refusal(of: Array("[1]".utf8), maximumLength: 3) == nil)
    #expect(
      Self.refusal(of: Array("[1] ".utf8), maximumLength: 3)?.reason == .tooLong(limit: 3))
  }

  @Test func noTextOfTheInputIsInTheDescription() throws {
    let secret = "eyJhbGciOiJub25lIn0"
    for text in [secret, "[\(secret)]", "\"\(secret)", "{\"\(secret)\":1,\"\(secret)\":2}"] {
      let refusal = try #require(Self.refusal(of: Array(text.utf8)))
      let said = "\(refusal) " + String(reflecting: refusal)
      #expect(!said.contains("eyJ"))
    }
  }

  @Test(
    arguments: [
      (StrictJSONError.Reason.tooLong(limit: 9), "the text is longer than 9 bytes"),
      (.tooDeep(limit: 9), "the nesting is deeper than 9"),
      (.nulByte, "NUL is not allowed here"), (.invalidUTF8, "the text is not UTF-8"),
      (.prematureEnd, "the text ends too early"), (.trailingText, "something follows the value"),
      (.invalidSyntax, "the text is not JSON"),
      (.duplicateName, "a name occurs twice in one object"),
      (.numberTooLarge, "a number is out of range"), (.outOfMemory, "no memory is left"),
    ])
  func reasonIsASentence(reason: StrictJSONError.Reason, text: String) {
    #expect(reason.description == text)
  }

  @Test func descriptionNamesThePlace() throws {
    let refusal = try #require(Self.refusal(of: Array("[1,\n2,}".utf8)))
    #expect(
      refusal.description
        == "JSON refused at line 2, column 3 (byte 7): the text is not JSON")
  }
}
