import JOSE
import StrictJSON
import TestSupport
import Testing

/// The files of C2SP/wycheproof whose signatures are over messages of their own, and not over tokens.
///
/// What a token signs is base64url around a dot, `header.payload` (RFC 7515, 5.2), and libjose puts
/// the dot there itself. No message of these files is that, which the tests count anew, so no
/// signature can be verified over its own message. What they can show is counted and printed: that
/// every key is taken or refused as it should be, and that no signature, whatever edge case it was
/// made for, is taken for that of a token.
@Suite("Wycheproof raw signatures", .enabled(if: TestVectors.directory != nil, "needs vectors"))
struct RawSignatureVectorTests {
  private static func groups(_ file: String) throws -> [JSONValue] {
    let path = (TestVectors.directory ?? "") + "/wycheproof/" + file
    let text = try #require(TestVectors.bytes(of: path))
    return try #require(try JSONValue(parsing: text)["testGroups"]?.array)
  }

  /// What became of the vectors of one file.
  private struct Count {
    var vectors = 0
    var expressible = 0
    var accepted = 0
    var keys = 0
    var takenKeys = 0
  }

  /// Puts every signature of a file behind a token, under the key it was made with.
  private static func count(
    _ file: String, algorithm: String, key: (JSONValue) throws -> JSONObject
  ) throws -> Count {
    var count = Count()
    for group in try groups(file) {
      let set: JSONObject = ["keys": .array([.object(try key(group))])]
      let keys = try JSONWebKeySet(parsing: set.encoded())
      count.keys += 1
      count.takenKeys += keys.count
      for test in try #require(group["tests"]?.array) {
        count.vectors += 1
        let message = try hexadecimal(test["msg"])
        let dot = message.firstIndex(of: UInt8(ascii: "."))
        if let dot, Base64URL.decode(message[..<dot]) != nil,
          Base64URL.decode(message[(dot + 1)...]) != nil
        {
          count.expressible += 1
        }
        let token = Tokens.token(
          header: "{\"alg\":\"\(algorithm)\"}",
          signature: Base64URL.encode(try hexadecimal(test["sig"])))
        let refusal = Tokens.refusal(token, keys, allowed: Set(SignatureAlgorithm.allCases))
        if refusal == nil { count.accepted += 1 }
      }
    }
    print(
      "\(file): \(count.vectors) signatures, \(count.expressible) over what a token can sign,"
        + " \(count.accepted) taken for a token's; \(count.takenKeys) of \(count.keys) keys usable")
    return count
  }

  @Test(
    arguments: [
      ("rsa_signature_2048_sha256_test.json", "RS256", 259),
      ("rsa_signature_3072_sha256_test.json", "RS256", 259),
      ("rsa_signature_4096_sha256_test.json", "RS256", 258),
      ("rsa_pss_2048_sha256_mgf1_32_test.json", "PS256", 108),
    ])
  func jw05AndJw07NoRSASignatureIsTakenForAToken(
    file: String, algorithm: String, vectors: Int
  ) throws {
    let count = try Self.count(file, algorithm: algorithm) { group in
      let key = try #require(group["publicKey"])
      return [
        "kty": .string("RSA"),
        "n": .string(Base64URL.encode(try Self.hexadecimal(key["modulus"]))),
        "e": .string(Base64URL.encode(try Self.hexadecimal(key["publicExponent"]))),
      ]
    }
    #expect(count.vectors == vectors)
    #expect(count.expressible == 0)
    #expect(count.accepted == 0)
    // The exponent 3 is refused on purpose.
    let small = try Self.groups(file).count { $0["publicKey"]?["publicExponent"]?.string == "03" }
    #expect(count.takenKeys == count.keys - small)
  }

  @Test func jw06NoSignatureOfP256IsTakenForAToken() throws {
    // With r and s of zero, of the group's order, or of another length, among others.
    let count = try Self.count(
      "ecdsa_secp256r1_sha256_p1363_test.json", algorithm: "ES256"
    ) { group in
      let key = try #require(group["publicKey"])
      return [
        "kty": .string("EC"), "crv": .string("P-256"),
        "x": .string(Base64URL.encode(try Self.coordinate(key["wx"]))),
        "y": .string(Base64URL.encode(try Self.coordinate(key["wy"]))),
      ]
    }
    #expect(count.vectors == 262)
    #expect(count.expressible == 0)
    #expect(count.accepted == 0)
    #expect(count.takenKeys == count.keys)
  }

  @Test func jw07NothingOfEd25519IsTaken() throws {
    // libjose 11 has no EdDSA: its keys are passed over and its tokens refused by their algorithm.
    let count = try Self.count("ed25519_test.json", algorithm: "EdDSA") { group in
      let key = try #require(group["publicKeyJwk"]?.object)
      #expect(key["kty"]?.string == "OKP")
      return key
    }
    #expect(count.vectors == 151)
    #expect(count.expressible == 0)
    #expect(count.accepted == 0)
    #expect(count.takenKeys == 0)
  }

  private static func hexadecimal(_ value: JSONValue?) throws -> [UInt8] {
    let digits = Array(try #require(value?.string).utf8)
    return try stride(from: 0, to: digits.count, by: 2).map { index in
      let pair = String(decoding: digits[index..<min(index + 2, digits.count)], as: UTF8.self)
      return try #require(UInt8(pair, radix: 16))
    }
  }

  /// A coordinate of P-256 at its exact length.
  private static func coordinate(_ value: JSONValue?) throws -> [UInt8] {
    let bytes = Array(try hexadecimal(value).drop { $0 == 0 })
    return [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
  }
}
