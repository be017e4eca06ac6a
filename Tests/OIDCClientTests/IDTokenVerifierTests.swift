import JOSE
import OIDCClient
import StrictJSON
import Testing

struct IDTokenVerifierTests {
  private static let now: Int64 = 1_800_000_000
  private static let issuer = "https://id.example"

  private static var expectations: IDTokenExpectations {
    IDTokenExpectations(
      issuer: issuer, clientId: "desktop", nonce: "n-1", accessToken: "access")
  }

  private static func claims(_ changes: [(String, JSONValue?)] = []) -> JSONObject {
    var object = JSONObject([
      ("iss", .string(issuer)), ("sub", .string("alice")), ("aud", .string("desktop")),
      ("exp", .integer(now + 300)), ("iat", .integer(now)), ("nonce", .string("n-1")),
    ])
    for (name, value) in changes { object[name] = value }
    return object
  }

  private static func verify(
    _ token: String, allowed: Set<SignatureAlgorithm> = [.rs256], keys: [SigningKey],
    expectations: IDTokenExpectations = expectations
  ) throws -> VerifiedIDToken {
    try IDTokenVerifier.verify(
      token, expectations: expectations, allowed: allowed,
      keys: JSONWebKeySet(parsing: SigningKey.keySet(of: keys)), now: now)
  }

  private static func verify(
    _ changes: [(String, JSONValue?)], expectations: IDTokenExpectations = expectations
  ) throws -> VerifiedIDToken {
    let key = try TestKeys.shared.get().rsa
    return try verify(
      key.sign(payload: claims(changes).encoded()), keys: [key], expectations: expectations)
  }

  @Test func aGoodTokenIsBelieved() throws {
    #expect(try Self.verify([]).subject == "alice")
  }

  @Test(
    arguments: [
      ("iss", JSONValue.string("https://id.example1"), IDTokenError.issuerMismatch),
      ("iss", .string("https://id.example/"), .issuerMismatch),
      ("iss", nil, .missing("iss")), ("iss", .null, .missing("iss")),
      ("iss", .integer(1), .malformed("iss")),
      ("sub", nil, .missing("sub")), ("sub", .string(""), .malformed("sub")),
      ("aud", .string("desktop1"), .audienceMismatch), ("aud", nil, .missing("aud")),
      ("aud", .array([]), .malformed("aud")), ("aud", .integer(1), .malformed("aud")),
      ("aud", .array([.string("desktop"), .integer(1)]), .malformed("aud")),
      ("aud", .array([.string("desktop"), .string("other")]), .audienceMismatch),
      ("azp", .string("other"), .authorizedPartyMismatch),
      ("iat", nil, .missing("iat")), ("exp", nil, .missing("exp")),
      ("exp", .integer(now - 301), .expired), ("exp", .string("1900000000"), .malformed("exp")),
      ("exp", .integer(now + 100 * 366 * 86_400), .implausibleLifetime),
      ("exp", .integer(now), .implausibleLifetime), ("exp", .real(1e300), .malformed("exp")),
      ("exp", .integer(.max), .malformed("exp")), ("iat", .integer(.min), .malformed("iat")),
      ("iat", .integer(now + 600), .notYetValid), ("nbf", .integer(now + 600), .notYetValid),
      ("nonce", .string("n-11"), .nonceMismatch), ("nonce", nil, .missing("nonce")),
      ("at_hash", .string("AAAAAAAAAAAAAAAAAAAAAA"), .accessTokenHashMismatch),
      ("at_hash", .string(""), .accessTokenHashMismatch),
    ] as [(String, JSONValue?, IDTokenError)])
  func aWrongClaimIsRefused(
    name: String, value: JSONValue?, error: IDTokenError
  ) {
    #expect(throws: error) { try Self.verify([(name, value)]) }
  }

  @Test(
    arguments: [
      [("aud", JSONValue.array([.string("desktop")]))],
      [("aud", .array([.string("desktop"), .string("other")])), ("azp", .string("desktop"))],
      [("azp", .string("desktop"))],
      [("iat", .integer(now - 500)), ("exp", .integer(now - 59))],
      [("iat", .integer(now + 59))], [("iat", .real(1_799_999_999.5))],
      [("unknown", .object(JSONObject()))],
    ] as [[(String, JSONValue)]])
  func rp07AndRp12AClaimAtItsLimitIsTaken(changes: [(String, JSONValue)]) throws {
    #expect(try Self.verify(changes.map { ($0.0, $0.1) }).subject == "alice")
  }

  @Test func rp13AnExponentBeyondNumbersIsRefused() throws {
    let key = try TestKeys.shared.get().rsa
    let text = String(decoding: Self.claims([("exp", nil)]).encoded().dropLast(), as: UTF8.self)
    let token = try key.sign(payload: Array((text + ",\"exp\":1e400}").utf8))
    #expect(throws: IDTokenError.notJSON) { try Self.verify(token, keys: [key]) }
  }

  @Test func jw10DuplicateClaimsAreRefused() throws {
    let key = try TestKeys.shared.get().rsa
    let text = String(decoding: Self.claims().encoded().dropLast(), as: UTF8.self)
    let token = try key.sign(payload: Array((text + ",\"sub\":\"bob\"}").utf8))
    #expect(throws: IDTokenError.notJSON) { try Self.verify(token, keys: [key]) }
  }

  @Test func rp38ClaimsAreComparedByBytes() {
    var expectations = Self.expectations
    expectations.issuer = "https://id.example/caf\u{e9}"
    #expect(throws: IDTokenError.issuerMismatch) {
      try Self.verify(
        [("iss", .string("https://id.example/cafe\u{301}"))], expectations: expectations)
    }
  }

  @Test(arguments: ["none", "NONE", "nOnE"])
  func rp16AnUnsignedTokenIsRefused(algorithm: String) throws {
    let header = Base64URL.encode(Array("{\"alg\":\"\(algorithm)\"}".utf8))
    let token = "\(header).\(Base64URL.encode(Self.claims().encoded()))."
    #expect(throws: IDTokenError.signature(.algorithmRefused)) {
      try Self.verify(token, keys: [TestKeys.shared.get().rsa])
    }
  }

  @Test func rp17AChangedSignatureIsRefusedAlthoughItCameOverTLS() throws {
    let key = try TestKeys.shared.get().rsa
    let token = try key.sign(payload: Self.claims().encoded())
    let parts = token.split(separator: ".").map(String.init)
    var signature = try #require(Base64URL.decode(parts[2].utf8))
    signature[signature.count - 1] ^= 1
    let changed = "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))"
    #expect(throws: IDTokenError.signature(.signatureInvalid)) {
      try Self.verify(changed, keys: [key])
    }
  }

  @Test func rp18AndRp19AnotherAlgorithmIsRefused() throws {
    let keys = try TestKeys.shared.get()
    let token = try keys.ec.sign(payload: Self.claims().encoded())
    #expect(throws: IDTokenError.signature(.algorithmRefused)) {
      try Self.verify(token, keys: [keys.rsa, keys.ec])
    }
    #expect(try Self.verify(token, allowed: [.es256], keys: [keys.ec]).subject == "alice")
    let header = Base64URL.encode(Array("{\"alg\":\"HS256\"}".utf8))
    let forged = "\(header).\(Base64URL.encode(Self.claims().encoded())).AAAA"
    #expect(throws: IDTokenError.signature(.algorithmRefused)) {
      try Self.verify(forged, keys: [keys.rsa])
    }
  }

  @Test func rp20AndRp21ATokenWithoutAKeyNameIsTriedWithTheKeysThatFit() throws {
    let keys = try TestKeys.shared.get()
    let token = try keys.rsa.sign(
      payload: Self.claims().encoded(), header: Array("{\"alg\":\"RS256\"}".utf8))
    #expect(try Self.verify(token, keys: [keys.rsa]).subject == "alice")
    #expect(try Self.verify(token, keys: [keys.other, keys.rsa]).subject == "alice")
    #expect(throws: IDTokenError.signature(.signatureInvalid)) {
      try Self.verify(token, keys: [keys.other])
    }
  }

  @Test func rp23AnUnknownKeyIsSaid() throws {
    let keys = try TestKeys.shared.get()
    let token = try keys.rsa.sign(payload: Self.claims().encoded())
    #expect(throws: IDTokenError.signature(.unknownKey)) {
      try Self.verify(token, keys: [keys.other])
    }
  }

  @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512])
  func rp32TheAccessTokenHashIsThatOfTheAlgorithm(algorithm: SignatureAlgorithm) throws {
    let hashes: [SignatureAlgorithm: String] = [
      .es256: "oFYf1knNtrqnhAVfBRuteQ",
      .es384: "SeGOaEgS6QNKbB7vkLM3y8nujeY4Ple3",
      .es512: "kyd4-h3ZoV2sH212kLKbcOnCBajStKQ38Ae_bfT-PFI",
    ]
    let key = try SigningKey.generate(algorithm: algorithm)
    let hash = try #require(hashes[algorithm])
    let token = try key.sign(payload: Self.claims([("at_hash", .string(hash))]).encoded())
    #expect(try Self.verify(token, allowed: [algorithm], keys: [key]).subject == "alice")
  }

  @Test(
    arguments: [
      (nil, IDTokenError.missing("auth_time")), (now - 161, .authenticationTooOld),
    ] as [(Int64?, IDTokenError)])
  func rp42AnOldAuthenticationIsRefused(time: Int64?, error: IDTokenError) {
    var expectations = Self.expectations
    expectations.maximumAge = 100
    #expect(throws: error) {
      try Self.verify(
        [("auth_time", time.map(JSONValue.integer))], expectations: expectations)
    }
  }

  @Test func rp42AFreshAuthenticationIsTaken() throws {
    var expectations = Self.expectations
    expectations.maximumAge = 100
    #expect(
      try Self.verify(
        [("auth_time", .integer(Self.now - 100))], expectations: expectations
      ).subject == "alice")
  }

  @Test func nothingShowsTheToken() throws {
    let verified = try Self.verify([("email", .string("sentinel"))])
    var dumped = ""
    dump(verified, to: &dumped)
    #expect(!"\(verified)\(dumped)".contains("sentinel"))
    #expect(!dumped.contains(verified.text))
  }
}
