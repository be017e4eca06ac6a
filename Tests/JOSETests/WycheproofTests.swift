import JOSE
import StrictJSON
import TestSupport
import Testing

/// The JOSE vectors of C2SP/wycheproof.
@Suite("Wycheproof JOSE", .enabled(if: TestVectors.directory != nil, "needs TOKENVAULT_VECTORS"))
struct WycheproofTests {
  /// One vector with the keys that it is to be verified with.
  private struct Vector {
    let id: Int64
    let isValid: Bool
    let token: String
    let headerAlgorithm: String?
    let keys: [UInt8]
  }

  private static func vectors(_ file: String) throws -> [Vector] {
    let path = (TestVectors.directory ?? "") + "/wycheproof/" + file
    let text = try #require(TestVectors.bytes(of: path))
    var vectors: [Vector] = []
    for group in try #require(try JSONValue(parsing: text)["testGroups"]?.array) {
      let key = try #require(group["public"] ?? group["private"])
      let set = key["keys"] == nil ? JSONValue.object(["keys": .array([key])]) : key
      for test in try #require(group["tests"]?.array) {
        let token = try #require(test["jws"]?.string)
        let header = token.split(separator: ".", omittingEmptySubsequences: false).first
        let decoded = header.flatMap { Base64URL.decode($0.utf8) } ?? []
        vectors.append(
          Vector(
            id: try #require(test["tcId"]?.integer),
            isValid: test["result"]?.string == "valid", token: token,
            headerAlgorithm: (try? JSONValue(parsing: decoded))?["alg"]?.string,
            keys: set.encoded()))
      }
    }
    return vectors
  }

  private static func accepted(
    _ vectors: [Vector], allowed: Set<SignatureAlgorithm>
  ) throws -> Set<Int64> {
    let accepted = try vectors.filter {
      Tokens.refusal($0.token, try JSONWebKeySet(parsing: $0.keys), allowed: allowed) == nil
    }
    return Set(accepted.map(\.id))
  }

  @Test func jw01CommonAlgorithmsAreJudgedAsExpected() throws {
    let vectors = try Self.vectors("json_web_signature_test.json")
    #expect(vectors.count == 401)
    let names: Set = ["RS256", "PS256", "ES256"]
    let valid = vectors.filter { $0.isValid && names.contains($0.headerAlgorithm ?? "") }
    #expect(valid.count == 16)
    #expect(
      try Self.accepted(vectors, allowed: [.rs256, .ps256, .es256]) == Set(valid.map(\.id)))
  }

  @Test func jw01AllAlgorithmsAreJudgedAsExpectedButForFourDeviations() throws {
    let vectors = try Self.vectors("json_web_signature_test.json")
    // The key's own `alg` names another algorithm than the token (PS256 for a PS384 token), or
    // none that exists ("ES521"): the key is bound to it, as RFC 7517, 4.4 lets us read it.
    let deviations: Set<Int64> = [346, 347, 350, 351]
    let valid = vectors.filter {
      $0.isValid && $0.headerAlgorithm.flatMap(SignatureAlgorithm.init(rawValue:)) != nil
    }
    #expect(deviations.isSubset(of: valid.map(\.id)))
    #expect(
      try Self.accepted(vectors, allowed: Set(SignatureAlgorithm.allCases))
        == Set(valid.map(\.id)).subtracting(deviations))
  }

  @Test func jw02HMACAndNoneAreRefused() throws {
    let vectors = try Self.vectors("json_web_signature_test.json").filter {
      ["HS256", "none", "NONE"].contains($0.headerAlgorithm)
    }
    #expect(vectors.count { $0.headerAlgorithm == "HS256" } >= 26)
    #expect(vectors.count { $0.headerAlgorithm != "HS256" } == 5)
    #expect(try Self.accepted(vectors, allowed: Set(SignatureAlgorithm.allCases)).isEmpty)
  }

  @Test func jw03QuestionMarkInsideBase64urlIsRefused() throws {
    // Marked valid, though base64url has no such character: a deviation.
    let vectors = try Self.vectors("json_web_signature_test.json").filter {
      [372, 373].contains($0.id)
    }
    #expect(vectors.count == 2)
    for vector in vectors {
      #expect(vector.isValid)
      let keys = try JSONWebKeySet(parsing: vector.keys)
      #expect(Tokens.refusal(vector.token, keys) == .malformedToken)
    }
  }

  @Test func jw04OnlyTheOneValidKeySetWithAPublicKeyIsUsed() throws {
    let vectors = try Self.vectors("json_web_key_test.json")
    #expect(vectors.count == 26)
    #expect(vectors.count { !$0.isValid } == 21)
    // The other four valid ones are HMAC keys. ROCA (7) is refused by its fingerprint.
    let valid = vectors.filter { $0.isValid && $0.headerAlgorithm?.hasPrefix("HS") == false }
    #expect(valid.map(\.id) == [5])
    #expect(try Self.accepted(vectors, allowed: Set(SignatureAlgorithm.allCases)) == [5])
  }

  /// Loads the keys of files whose messages lack the dot of a JWS signing input.
  ///
  /// No JWS can carry those messages. Their keys, edge points among them, must all be usable but for the three with
  /// the exponent 3, which is refused on purpose.
  @Test(
    arguments: [
      ("rsa_signature_2048_sha256_test.json", "RSA"),
      ("rsa_signature_3072_sha256_test.json", "RSA"),
      ("rsa_signature_4096_sha256_test.json", "RSA"),
      ("rsa_pss_2048_sha256_mgf1_32_test.json", "RSA"),
      ("ecdsa_secp256r1_sha256_p1363_test.json", "EC"),
    ])
  func jw05AndJw06AndJw07KeysOfTheSignatureFilesAreTaken(file: String, type: String) throws {
    let path = (TestVectors.directory ?? "") + "/wycheproof/" + file
    let text = try #require(TestVectors.bytes(of: path))
    let groups = try #require(try JSONValue(parsing: text)["testGroups"]?.array)
    #expect(!groups.isEmpty)
    for group in groups {
      let key = try #require(group["publicKey"])
      let members: JSONObject =
        type == "RSA"
        ? [
          "kty": .string("RSA"), "n": .string(try Self.base64URL(key["modulus"])),
          "e": .string(try Self.base64URL(key["publicExponent"])),
        ]
        : [
          "kty": .string("EC"), "crv": .string("P-256"),
          "x": .string(try Self.base64URL(key["wx"], length: 32)),
          "y": .string(try Self.base64URL(key["wy"], length: 32)),
        ]
      let set: JSONObject = ["keys": .array([.object(members)])]
      let isTaken = key["publicExponent"]?.string != "03"
      #expect(try JSONWebKeySet(parsing: set.encoded()).count == (isTaken ? 1 : 0))
    }
  }

  /// Rewrites a hexadecimal number as base64url, at its exact length where one is given.
  private static func base64URL(_ number: JSONValue?, length: Int? = nil) throws -> String {
    let digits = Array(try #require(number?.string).utf8)
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
      bytes.append(try #require(UInt8(pair, radix: 16)))
    }
    if let length {
      bytes = Array(bytes.drop { $0 == 0 })
      bytes = Array(repeating: 0, count: length - bytes.count) + bytes
    }
    return Base64URL.encode(bytes)
  }
}
