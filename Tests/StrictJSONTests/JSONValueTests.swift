import StrictJSON
import Testing

@Suite struct JSONValueTests {
  private static func parse(_ text: String) throws(StrictJSONError) -> JSONValue {
    try JSONValue(parsing: Array(text.utf8))
  }

  @Test(
    arguments: [
      ("null", JSONValue.null), ("true", .bool(true)), ("false", .bool(false)),
      ("0", .integer(0)), ("-0", .integer(0)), (" 12 ", .integer(12)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("1.0", .real(1)), ("1e3", .real(1000)), ("-1.5E-2", .real(-0.015)),
      (#""""#, .string("")), (#""a\u00e9\ud83d\ude00\n""#, .string("aé😀\n")),
      (#""\u0000""#, .string("\0")),
      ("[]", .array([])), ("[1,[2]]", .array([.integer(1), .array([.integer(2)])])),
      ("{}", .object([:])),
      (#"{"b":1,"a":null}"#, .object(["b": .integer(1), "a": .null])),
    ])
  func textIsParsed(text: String, value: JSONValue) throws {
    #expect(try Self.parse(text) == value)
  }

  @Test(
    arguments: [
      ("null", JSONValue.null), ("[true,false]", .array([.bool(true), .bool(false)])),
      ("-9223372036854775808", .integer(.min)), ("0.25", .real(0.25)), ("null", .real(.nan)),
      ("null", .real(.infinity)), (#""é\"\\\n\u0000""#, .string("é\"\\\n\0")),
      (#""""#, .string("")),
      (
        #"{"version":1,"issuer":"https://id.example/","":{}}"#,
        .object([
          "version": .integer(1), "issuer": .string("https://id.example/"), "": .object([:]),
        ])
      ),
    ])
  func valueIsWrittenCompactly(text: String, value: JSONValue) {
    #expect(String(decoding: value.encoded(), as: UTF8.self) == text)
  }

  @Test func membersKeepTheOrderOfTheText() throws {
    let text = #"{"z":1,"a":2,"m":{"y":3,"b":4},"0":5}"#
    let value = try Self.parse(text)
    #expect(value.object?.members.map(\.name) == ["z", "a", "m", "0"])
    #expect(String(decoding: value.encoded(), as: UTF8.self) == text)
  }

  @Test func realsSurviveARoundTrip() throws {
    for value in [0.1, 1e-300, .pi, 1e22, -.leastNonzeroMagnitude, .greatestFiniteMagnitude] {
      #expect(try JSONValue(parsing: JSONValue.real(value).encoded()) == .real(value))
    }
  }

  @Test func canonicallyEquivalentStringsDiffer() throws {
    #expect("\u{e9}" == "e\u{301}")
    #expect(JSONValue.string("\u{e9}") != .string("e\u{301}"))
    let object = try Self.parse("{\"\u{e9}\":1,\"e\u{301}\":2}").object
    #expect(object?["\u{e9}"] == .integer(1))
    #expect(object?["e\u{301}"] == .integer(2))
  }

  @Test func memoryThatIsNoArrayIsParsedInPlace() throws {
    let text: [UInt8] = Array(#"xx{"accessToken":"t"}xx"#.utf8)
    let value = try unsafe JSONValue(parsing: text.span.bytes.extracting(2..<21))
    #expect(value["accessToken"]?.string == "t")
  }

  @Test func accessorsAnswerTheirOwnKindOnly() {
    #expect(JSONValue.integer(1).integer == 1)
    #expect(JSONValue.real(1).integer == nil)
    #expect(JSONValue.integer(2).number == 2)
    #expect(JSONValue.real(2.5).number == 2.5)
    #expect(JSONValue.string("1").integer == nil)
    #expect(JSONValue.string("1").number == nil)
    #expect(JSONValue.bool(true).bool == true)
    #expect(JSONValue.integer(1).bool == nil)
    #expect(JSONValue.null.isNull)
    #expect(JSONValue.null.string == nil)
    #expect(JSONValue.array([]).array == [])
    #expect(JSONValue.array([])["a"] == nil)
    #expect(JSONValue.object(["a": .null])["a"] == .null)
  }
}

@Suite struct JSONObjectTests {
  @Test func laterPairReplacesTheEarlierInItsPlace() {
    let object: JSONObject = ["a": .integer(1), "b": .integer(2), "a": .integer(3)]
    #expect(object == ["a": .integer(3), "b": .integer(2)])
  }

  @Test func assignmentReplacesAppendsAndRemoves() {
    var object: JSONObject = ["a": .integer(1), "b": .integer(2)]
    object["a"] = .null
    object["c"] = .bool(true)
    object["b"] = nil
    object["d"] = nil
    #expect(object == ["a": .null, "c": .bool(true)])
  }

  @Test func orderIsPartOfEquality() {
    #expect(JSONObject([("a", .null), ("b", .null)]) != ["b": .null, "a": .null])
  }
}
