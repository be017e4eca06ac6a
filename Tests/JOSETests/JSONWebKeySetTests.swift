import JOSE
import Testing

@Suite struct JSONWebKeySetTests {
  private static func refusal(_ text: [UInt8]) -> JOSEError? {
    do throws(JOSEError) {
      _ = try JSONWebKeySet(parsing: text)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    arguments: [
      "", "[]", "{}", #"{"keys":{}}"#, #"{"keys":null}"#, #"{"keys":[],"keys":[]}"#,
      #"{"keys":[]} x"#, "{\"keys\":[]}\0", #"{"keys":["#, #"{"keys":[{"kid":"a","kid":"b"}]}"#,
    ])
  func textThatIsNoSetIsRefused(text: String) {
    #expect(Self.refusal(Array(text.utf8)) == .malformedKeySet)
  }

  @Test func setIsBounded() throws {
    func set(_ count: Int) -> [UInt8] {
      let keys = Array(repeating: "{\(Tokens.ecKey)}", count: count).joined(separator: ",")
      return Array("{\"keys\":[\(keys)]}".utf8)
    }
    #expect(try JSONWebKeySet(parsing: set(64)).count == 64)
    #expect(Self.refusal(set(65)) == .tooManyKeys(limit: 64))
    let long = "{\"keys\":[]" + String(repeating: " ", count: 1 << 20) + "}"
    #expect(Self.refusal(Array(long.utf8)) == .malformedKeySet)
  }

  @Test(
    arguments: [
      Tokens.rsaKey, Tokens.ecKey, Tokens.ecKey + #","use":"sig""#,
      Tokens.ecKey + #","key_ops":["verify"]"#, Tokens.ecKey + #","key_ops":["sign","verify"]"#,
      Tokens.ecKey + #","alg":"ES256","kid":"","x5c":["AA"],"extra":{"a":[1]}"#,
      Tokens.rsaKey + #","alg":"PS512""#,
      Tokens.rsaKey.replacing("\"ofgW", with: "\"AKH4").replacing("AKH4CuLj", with: "ofgWCuLj"),
    ])
  func goodKeyIsTaken(members: String) throws {
    #expect(try Tokens.keySet(members).count == 1)
  }

  @Test(
    arguments: [
      "", #""kty":"oct","k":"AAAA""#, #""kty":"OKP","crv":"Ed25519","x":"AA""#,
      Tokens.ecKey.replacing("EC", with: "RSA"), Tokens.rsaKey.replacing("RSA", with: "EC"),
      Tokens.ecKey.replacing("P-256", with: "P-384"),
      Tokens.ecKey.replacing("P-256", with: "secp256k1"),
      // Not on the curve, too short, too long, padded, foreign characters.
      Tokens.ecKey.replacing("f83O", with: "f83P"), Tokens.ecKey.replacing("f83O", with: ""),
      Tokens.ecKey.replacing("f83O", with: "AAAAf83O"), Tokens.ecKey.replacing("a0", with: "a0=="),
      Tokens.ecKey.replacing("f83O", with: "f8+O"),
      #""kty":"EC","crv":"P-256","x":"","y":"""#, #""kty":"EC","crv":"P-256","x":1,"y":2"#,
      Tokens.ecKey + #","use":"enc""#, Tokens.ecKey + #","use":null"#, Tokens.ecKey + #","use":"""#,
      Tokens.ecKey + #","key_ops":["encrypt"]"#, Tokens.ecKey + #","key_ops":[]"#,
      Tokens.ecKey + #","key_ops":"verify""#, Tokens.ecKey + #","key_ops":["verify",1]"#,
      Tokens.ecKey + #","alg":"ES384""#, Tokens.ecKey + #","alg":"RS256""#,
      Tokens.ecKey + #","alg":"ECDH-ES""#, Tokens.ecKey + #","alg":1"#, Tokens.ecKey + #","kid":1"#,
      Tokens.ecKey + ",\"d\":\"\(Tokens.ecPrivateNumber)\"",
      Tokens.rsaKey + #","alg":"ES256""#, Tokens.rsaKey + #","alg":"RSA-OAEP""#,
    ])
  func badKeyIsPassedOver(members: String) throws {
    let set = try Tokens.keySet(members, Tokens.ecKey)
    #expect(set.count == 1)
    #expect(Tokens.refusal(Tokens.es256, set) == nil)
    #expect(try Tokens.keySet(members).count == 0)
    #expect(Tokens.refusal(Tokens.es256, try Tokens.keySet(members)) == .noFittingKey)
  }

  @Test func elementThatIsNoObjectIsPassedOver() throws {
    let text = "{\"keys\":[null,1,\"a\",[],{\(Tokens.ecKey)}]}"
    #expect(try JSONWebKeySet(parsing: Array(text.utf8)).count == 1)
  }

  /// A number of so many bits with the highest and, if wanted, the lowest bit set.
  private static func number(bits: Int, isOdd: Bool = true) -> String {
    var bytes = (0..<(bits + 7) / 8).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 7) }
    let top = UInt8(1) << UInt8((bits - 1) % 8)
    bytes[0] = bytes[0] & (top - 1) | top
    bytes[bytes.count - 1] = bytes[bytes.count - 1] & 0xFE | (isOdd ? 1 : 0)
    return Base64URL.encode(bytes)
  }

  @Test(
    arguments: [
      (512, true, false), (1024, true, false), (2047, true, false), (2048, true, true),
      (2048, false, false), (2049, true, true), (4096, true, true), (8192, true, true),
      (8193, true, false), (16384, true, false),
    ])
  func jw13ModulusIsOddAndNeitherShortNorLong(bits: Int, isOdd: Bool, isTaken: Bool) throws {
    let modulus = Self.number(bits: bits, isOdd: isOdd)
    let set = try Tokens.keySet("\"kty\":\"RSA\",\"e\":\"AQAB\",\"n\":\"\(modulus)\"")
    #expect((set.count == 1) == isTaken)
  }

  @Test(
    arguments: [
      ([], false), ([0], false), ([1], false), ([3], false), ([17], false), ([1, 0, 0], false),
      ([1, 0, 1], true), ([0, 1, 0, 1], true), ([1, 0, 0, 1], true),
      ([0x80, 0, 0, 0, 0, 0, 0, 1], true), ([1, 0, 0, 0, 0, 0, 0, 0, 1], false),
    ] as [([UInt8], Bool)])
  func jw13ExponentIsOddAndNeitherSmallNorHuge(exponent: [UInt8], isTaken: Bool) throws {
    let set = try Tokens.keySet(
      "\"kty\":\"RSA\",\"e\":\"\(Base64URL.encode(exponent))\",\"n\":\"\(Tokens.modulus)\"")
    #expect((set.count == 1) == isTaken)
  }

  @Test func jw13LargestKeyVerifiesWithinFiftyMilliseconds() throws {
    let keys = try Tokens.keySet("\"kty\":\"RSA\",\"e\":\"AQAB\",\"n\":\"\(LargeKey.modulus)\"")
    let token = try CompactJWS(parsing: LargeKey.token)
    let times = try (0..<5).map { _ in
      try ContinuousClock().measure { _ = try token.verify(allowed: [.rs256], keys: keys) }
    }
    #expect(try #require(times.min()) < .milliseconds(50))
  }
}
