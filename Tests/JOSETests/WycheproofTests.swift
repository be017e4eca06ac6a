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

  @Test func jw01TheMixedFileIsJudgedAsExpected() throws {
    // Half of it is JWE, which is no JWS and refused as such; its HMAC tokens are refused too.
    let path = (TestVectors.directory ?? "") + "/wycheproof/json_web_crypto_test.json"
    let text = try #require(TestVectors.bytes(of: path))
    var counts = (tokens: 0, encrypted: 0, accepted: [Int64](), expected: [Int64]())
    for group in try #require(try JSONValue(parsing: text)["testGroups"]?.array) {
      let key = try #require(group["public"] ?? group["private"])
      let set = key["keys"] == nil ? JSONValue.object(["keys": .array([key])]) : key
      let keys = try? JSONWebKeySet(parsing: set.encoded())
      for test in try #require(group["tests"]?.array) {
        let id = try #require(test["tcId"]?.integer)
        let token = test["jws"]?.string ?? test["jwe"]?.string ?? ""
        counts.tokens += 1
        if test["jwe"] != nil { counts.encrypted += 1 }
        let refusal = try Tokens.refusal(
          token, keys ?? JSONWebKeySet(parsing: Array("{\"keys\":[]}".utf8)),
          allowed: Set(SignatureAlgorithm.allCases))
        if refusal == nil { counts.accepted.append(id) }
        let header = token.split(separator: ".").first.flatMap { Base64URL.decode($0.utf8) } ?? []
        let name = (try? JSONValue(parsing: header))?["alg"]?.string ?? ""
        if test["result"]?.string == "valid", SignatureAlgorithm(rawValue: name) != nil {
          counts.expected.append(id)
        }
      }
    }
    #expect(counts.tokens == 83)
    #expect(counts.encrypted == 34)
    #expect(counts.expected.count == 2)
    #expect(counts.accepted == counts.expected)
  }
}
