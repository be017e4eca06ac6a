import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

@Suite struct StoredSessionRecordTests {
  private func decode(_ json: String, expiry: Int64? = nil) throws -> StoredSessionV1? {
    var made = HandMadeSnapshot()
    made.plaintext = Array(json.utf8)
    made.expiry = expiry.map { [1] + little($0) } ?? [0]
    guard case .session(let record) = try Sample.open(made.bytes()).content else { return nil }
    return record
  }

  @Test func membersAreWrittenInTheSchemasOrder() {
    #expect(
      String(decoding: Sample.record.encoded, as: UTF8.self)
        == #"{"version":1,"issuer":"https://issuer.example","clientId":"desktop","#
        + #""accessToken":"access-token-sentinel","tokenType":"Bearer","#
        + #""refreshToken":"refresh-token-sentinel","idToken":"id-token-sentinel","#
        + #""scope":"openid profile offline_access","expiresAt":1800000000}"#)
  }

  @Test func theFixtureOfTheSchemaIsRead() throws {
    let json = #"""
      { "version": 1, "issuer": "https://issuer.example", "clientId": "mobile",
        "accessToken": "access", "refreshToken": "refresh", "idToken": "id-token",
        "tokenType": "Bearer", "scope": "openid profile offline_access",
        "expiresAt": 1800000000 }
      """#
    #expect(
      try decode(json, expiry: 1_800_000_000)
        == StoredSessionV1(
          issuer: "https://issuer.example", clientId: "mobile", accessToken: "access",
          tokenType: "Bearer", refreshToken: "refresh", idToken: "id-token",
          scope: "openid profile offline_access", expiresAt: UnixTime(rawValue: 1_800_000_000)))
  }

  /// What becomes of a text, in a form that can be compared.
  private func outcome(_ text: [UInt8], expiry: Int64) throws -> String {
    var made = HandMadeSnapshot()
    made.plaintext = text
    made.expiry = [1] + little(expiry)
    let bytes = try made.bytes()
    do {
      guard case .session(let record) = try Sample.open(bytes).content else { return "no session" }
      return String(decoding: record.encoded, as: UTF8.self)
    } catch let error as SnapshotError {
      return "\(error)"
    }
  }

  // The host's own form is read without the JSON parser, to which a space in front sends it.
  @Test func whatIsReadWithoutTheParserIsReadAsTheParserReadsIt() throws {
    let text = Array(
      (#"{"version":1,"issuer":"https://i","clientId":"c","accessToken":"a~","tokenType":"t","#
        + #""refreshToken":"r","idToken":"d","scope":"s p","expiresAt":10}"#).utf8)
    #expect(try outcome(text, expiry: 10) == String(decoding: text, as: UTF8.self))
    var texts = [text, text + text]
    let others = Array(#"\",:}01e "#.utf8) + [0, 0x1F, 0x7F, 0xC3]
    for position in text.indices {
      texts.append(Array(text[..<position]))
      texts.append(Array(text[..<position] + text[(position + 1)...]))
      for other in others {
        texts.append(text[..<position] + [other] + text[(position + 1)...])
        texts.append(text[..<position] + [other] + text[position...])
      }
    }
    for text in texts {
      #expect(
        try outcome(text, expiry: 10) == outcome(Array(" ".utf8) + text, expiry: 10),
        "\(String(decoding: text, as: UTF8.self))")
    }
  }

  @Test func nullCountsAsAbsentForOptionalMembers() throws {
    let json = #"""
      {"version":1,"issuer":"i","clientId":"c","accessToken":"a","tokenType":"t",
       "refreshToken":null,"idToken":null,"scope":null,"expiresAt":null}
      """#
    #expect(
      try decode(json)
        == StoredSessionV1(issuer: "i", clientId: "c", accessToken: "a", tokenType: "t"))
  }

  @Test(arguments: [
    "", "[]", "null", "{}", #"{"version":null}"#, #"{"version":"1"}"#, #"{"version":1.0}"#,
    #"{"version":1}"#,
    #"{"version":1,"issuer":"","clientId":"c","accessToken":"a","tokenType":"t"}"#,
    #"{"version":1,"issuer":"i","clientId":"","accessToken":"a","tokenType":"t"}"#,
    #"{"version":1,"issuer":"i","clientId":"c","accessToken":"","tokenType":"t"}"#,
    #"{"version":1,"issuer":"i","clientId":"c","accessToken":"a","tokenType":""}"#,
    #"{"version":1,"issuer":"i","clientId":"c","accessToken":null,"tokenType":"t"}"#,
    #"{"version":1,"issuer":1,"clientId":"c","accessToken":"a","tokenType":"t"}"#,
    #"{"version":1,"issuer":"i","clientId":"c","accessToken":"a","tokenType":"t","x":1}"#,
    #"{"version":1,"issuer":"i","clientId":"c","accessToken":"a","tokenType":"t","scope":1}"#,
    #"{"version":1,"issuer":"i","clientId":"c","accessToken":"a","tokenType":"t","scope":[]}"#,
    #"{"version":1,"version":1,"issuer":"i","clientId":"c","accessToken":"a","tokenType":"t"}"#,
    #"{"version":1,"issuer":"i","clientId":"c","accessToken":"a","tokenType":"t","expiresAt":-1}"#,
    #"{"version":1,"issuer":"i","clientId":"c","accessToken":"a","tokenType":"t","expiresAt":1.5}"#,
    #"{"version":1,"issuer":"i","clientId":"c","accessToken":"a","tokenType":"t"} x"#,
  ])
  func anythingElseIsDamage(_ json: String) {
    #expect(throws: SnapshotError.corrupt(.record)) { try decode(json) }
  }

  @Test(arguments: [
    #"{"version":2}"#, #"{"whatever":[],"version":2}"#, #"{"version":2,"issuer":7}"#,
  ])
  func anotherVersionIsToldBeforeAnyOtherMember(_ json: String) {
    #expect(throws: SnapshotError.unsupportedRecordVersion(2)) { try decode(json) }
  }

  @Test(arguments: [nil, 5, 1_800_000_001] as [Int64?])
  func anExpiryOtherThanTheHeadersIsDamage(_ expiry: Int64?) {
    let json =
      #"{"version":1,"issuer":"i","clientId":"c","accessToken":"a","tokenType":"t","#
      + #""expiresAt":1800000000}"#
    #expect(throws: SnapshotError.corrupt(.record)) { try decode(json, expiry: expiry) }
  }

  @Test func aTokenOfTheGreatestLengthIsReadAndALongerOneRefused() throws {
    let longest = String(repeating: "x", count: 65_536)
    func record(_ token: String) -> StoredSessionV1 {
      StoredSessionV1(issuer: "i", clientId: "c", accessToken: token, tokenType: "t")
    }
    let snapshot = try Sample.open(Sample.snapshot(Sample.draft(.session(record(longest)))))
    #expect(snapshot.content == .session(record(longest)))
    #expect(throws: SnapshotEncodingError.tokenTooLong("access token")) {
      try Sample.snapshot(Sample.draft(.session(record(longest + "x"))))
    }
    let json =
      #"{"version":1,"issuer":"i","clientId":"c","accessToken":"\#(longest)x","tokenType":"t"}"#
    #expect(throws: SnapshotError.corrupt(.record)) { try decode(json) }
  }

  @Test(
    arguments: [
      [], Array(repeating: 0, count: 1024), Array(repeating: 0x7B, count: 1024),
      [0x80] + Array(repeating: 0, count: 2047),
    ] as [[UInt8]])
  func wrongPaddingIsRefused(_ padded: [UInt8]) throws {
    var made = HandMadeSnapshot()
    made.padded = padded
    let bytes = try made.bytes()
    #expect(throws: SnapshotError.self) { try Sample.open(bytes) }
  }

  @Test(arguments: Array(stride(from: 500, through: 4000, by: 250)))
  func cr20TheLengthShowsOnlyWholeKibibytes(_ length: Int) throws {
    let record = StoredSessionV1(
      issuer: "https://issuer.example", clientId: "c",
      accessToken: String(repeating: "t", count: length), tokenType: "Bearer")
    let bytes = try Sample.snapshot(Sample.draft(.session(record)))
    let empty = try Sample.snapshot(
      Sample.draft(
        .session(
          StoredSessionV1(
            issuer: "i", clientId: "c", accessToken: "t", tokenType: "Bearer"))))
    #expect((bytes.count - empty.count) % 1024 == 0)
    #expect(bytes.count > length)
    #expect(bytes.count < length + 2 * 1024 + 500)
  }
}
