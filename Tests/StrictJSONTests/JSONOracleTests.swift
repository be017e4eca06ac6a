import StrictJSON
import TestSupport
import Testing

/// Python's parser, with our additional rules, must make the same of every text: it takes nothing
/// that we refuse and refuses nothing that we take, and every value is the same to the last bit.
@Suite struct JSONOracleTests {
  private static let texts = [
    #"{"access_token":"a.b-c","expires_in":3600,"token_type":"Bearer","scope":null}"#,
    #"{"keys":[{"kty":"EC","crv":"P-256","x":"f83O","y":"x_FE"},{"kty":"RSA"}]}"#,
    #"{"a":1,"b":{"c":[null,true,false,-1,1.5,1e3]}," d":"\u00e4\ud83d\udd10\n\"\\\/"}"#,
    "[1,[2,[3,[4,[5,[]]]]]]", #""x""#, "0", " [ 1 , 2 ] ", #"{"":{"":""}}"#, "[0.1,1E-7,123e5]",
    nested(64, "[", "]"), nested(32, #"{"a":["#, "]}"),
  ]

  private static func nested(_ count: Int, _ opening: String, _ closing: String) -> String {
    String(repeating: opening, count: count) + String(repeating: closing, count: count)
  }

  @Test(arguments: [
    (64, "[", "]", true), (65, "[", "]", false), (32, #"{"a":["#, "]}", true),
    (33, #"{"a":["#, "]}", false),
  ])
  func fz03BothParsersStopAtTheSameDepth(
    count: Int, opening: String, closing: String, isTaken: Bool
  ) async throws {
    let text = Array(Self.nested(count, opening, closing).utf8)
    let ours = (try? JSONValue(parsing: text)).map(Self.shown) ?? "refused"
    #expect((ours != "refused") == isTaken)
    #expect(try await Self.oracle([text]) == [ours[...]])
  }

  @Test(arguments: 1...UInt64(Effort.count(2, whole: 50)))
  func fz03OursAndPythonsParserAgreeOnChangedTexts(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let inputs = (0..<20_000).map { _ in
      var bytes = Array((Self.texts.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes.mutate(with: ByteMutation.jsonWords, using: &random)
      }
      return bytes
    }
    let outcomes = try await Self.oracle(inputs)
    #expect(outcomes.count == inputs.count)
    var accepted = 0
    for (input, expected) in zip(inputs, outcomes) {
      let outcome = (try? JSONValue(parsing: input)).map(Self.shown) ?? "refused"
      if outcome != expected {
        Issue.record("\(String(decoding: input, as: UTF8.self)): \(outcome), not \(expected)")
      }
      if outcome != "refused" { accepted += 1 }
    }
    // Enough of them are let through to say something about what is let through.
    #expect(accepted > inputs.count / 20)
  }

  private static func oracle(_ inputs: [[UInt8]]) async throws -> [Substring] {
    let directory = try TemporaryDirectory()
    var file: [UInt8] = []
    for input in inputs {
      file += little(UInt32(input.count)) + input
    }
    try directory.write(file, to: "texts")
    let result = try await ToolRunner.runSuccessfully(
      ToolRequest(
        PackageLayout.root + "/Tests/StrictJSONTests/json-oracle", [directory.file("texts")]))
    return result.output.split(separator: "\n")
  }

  /// A value with its kind, every bit of it, and nothing left to formatting.
  private static func shown(_ value: JSONValue) -> String {
    switch value {
    case .null: "n"
    case .bool(let value): value ? "t" : "f"
    case .integer(let value): "i\(value)"
    case .real(let value): "r" + hexText(little(value.bitPattern).reversed())
    case .string(let value): "s" + hexText(Array(value.utf8))
    case .array(let elements): "[" + elements.map(shown).joined(separator: ",") + "]"
    case .object(let object):
      "{"
        + object.members.map { "s\(hexText(Array($0.name.utf8))):\(shown($0.value))" }
        .joined(separator: ",") + "}"
    }
  }
}
