import JOSE
import Testing

@Suite struct CompactJWSTests {
  private static func refusal(_ token: String) -> JOSEError? {
    do throws(JOSEError) {
      _ = try CompactJWS(parsing: token)
      return nil
    } catch {
      return error
    }
  }

  @Test func headerAndPayloadAreRead() throws {
    let header = #" { "typ":"JWT", "alg" : "PS384", "kid":"a/\u00e9" } "#
    let token = try CompactJWS(parsing: Tokens.token(header: header))
    #expect(token.algorithm == .ps384)
    #expect(token.keyID == "a/é")
    #expect(token.type == "JWT")
    #expect(String(decoding: token.unverifiedPayload, as: UTF8.self) == Tokens.payloadText)
  }

  @Test(arguments: ["none", "NONE", "nOnE", "HS256", "EdDSA", "rs256", "RS256 ", ""])
  func algorithmThatIsNeverAcceptedIsNoAlgorithm(name: String) throws {
    let token = try CompactJWS(parsing: Tokens.token(header: "{\"alg\":\"\(name)\"}"))
    #expect(token.algorithm == nil)
  }

  @Test(
    arguments: [
      "", ".", "..", "a.b", "e30", "e30.e30", "e30.e30.e30.e30", "e30.e30.e30.", ".e30.e30.e30",
      "e30=.e30.AA", "e30.e30=.AA", "e30.e30.AA==", "e30.e30.AA\n", " e30.e30.AA", "e3 0.e30.AA",
      "e30.+30.AA", "e30.e3/.AA", "e30.e30.AB", "e31.e30.AA", "e30.e30.A", "e30.e30.\u{e9}",
    ])
  func jw11TokenThatIsNotThreeStrictPartsIsRefused(token: String) {
    #expect(Self.refusal(token) == (token == ".." ? .malformedHeader : .malformedToken))
  }

  @Test func jw11TokenIsBoundedBeforeItIsDecoded() {
    let head = Tokens.token(header: #"{"alg":"ES256"}"#, payload: "", signature: "")
    let longest = head + String(repeating: "A", count: 65536 - head.utf8.count)
    #expect(Self.refusal(longest) == nil)
    #expect(Self.refusal(longest + "A") == .tokenTooLong(limit: 65536))
    #expect(Self.refusal(String(repeating: ".", count: 1 << 20)) == .tokenTooLong(limit: 65536))
  }

  @Test(
    arguments: [
      "", "null", "[]", "\"ES256\"", "{}", #"{"alg":null}"#, #"{"alg":["ES256"]}"#,
      #"{"alg":"ES256"} x"#, #"{"alg":"ES256",}"#, #"{"alg":"ES256","kid":1}"#,
      #"{"alg":"ES256","kid":null}"#, #"{"alg":"ES256","typ":{}}"#, "{\"alg\":\"ES256\"}\0",
      #"{"alg":"ES256\u0000"}"#, "\u{feff}{\"alg\":\"ES256\"}", #"{"ALG":"ES256"}"#,
    ])
  func headerThatIsNotPlainIsRefused(header: String) {
    #expect(Self.refusal(Tokens.token(header: header)) == .malformedHeader)
  }

  @Test(
    arguments: [
      #"{"alg":"ES256","alg":"ES256"}"#, #"{"alg":"none","alg":"ES256"}"#,
      #"{"alg":"ES256","a\u006cg":"none"}"#, #"{"alg":"ES256","kid":"a","kid":"b"}"#,
      #"{"alg":"ES256","x":{"y":1,"y":2}}"#,
    ])
  func jw10DuplicateNameInTheHeaderIsRefused(header: String) {
    #expect(Self.refusal(Tokens.token(header: header)) == .malformedHeader)
  }

  @Test(
    arguments: [
      (#"{"alg":"ES256","crit":["exp"],"exp":1}"#, JOSEError.HeaderParameter.crit),
      (#"{"alg":"ES256","crit":[]}"#, .crit), (#"{"alg":"ES256","crit":null}"#, .crit),
      (#"{"alg":"ES256","b64":false}"#, .b64), (#"{"alg":"ES256","b64":true}"#, .b64),
      (#"{"alg":"ES256","zip":"DEF"}"#, .zip),
    ])
  func jw09ParameterThatMustNotBeIgnoredIsRefused(
    header: String, parameter: JOSEError.HeaderParameter
  ) {
    #expect(Self.refusal(Tokens.token(header: header)) == .unsupportedHeader(parameter))
  }

  @Test func jw09KeysAndAddressesInTheHeaderAreIgnored() throws {
    let attacker = try SigningKey.generate(algorithm: .es256)
    let owner = try SigningKey.generate(algorithm: .es256)
    let keys = try JSONWebKeySet(parsing: SigningKey.keySet(of: [owner]))
    let header =
      "{\"jwk\":\(String(decoding: attacker.publicJSON, as: UTF8.self)),\"x5c\":[\"AA\"],"
      + "\"jku\":\"http://127.0.0.1:9/k\",\"x5u\":\"http://127.0.0.1:9/c\",\"kid\":\"\(owner.keyID)\"}"
    let forged = try attacker.sign(payload: [1], headerExtra: header)
    let genuine = try owner.sign(payload: [2], headerExtra: header)
    #expect(Tokens.refusal(forged, keys) == .signatureInvalid)
    #expect(Tokens.refusal(genuine, keys) == nil)
  }

  @Test func tokenIsNotShown() throws {
    let token = try CompactJWS(parsing: Tokens.es256)
    #expect(
      "\(token) \(String(reflecting: token))" == "CompactJWS(not shown) CompactJWS(not shown)")
  }
}
