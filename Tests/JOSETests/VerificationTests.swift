import JOSE
import Testing

@Suite struct VerificationTests {
  @Test(
    arguments: [
      (Tokens.rs256, Tokens.rsaKey, SignatureAlgorithm.rs256),
      (Tokens.es256, Tokens.ecKey, .es256),
    ])
  func examplesOfRFC7515AreVerified(
    token: String, key: String, algorithm: SignatureAlgorithm
  ) throws {
    let verified = try CompactJWS(parsing: token)
      .verify(allowed: [algorithm], keys: Tokens.keySet(key))
    #expect(String(decoding: verified.bytes, as: UTF8.self) == Tokens.payloadText)
    #expect(verified.algorithm == algorithm)
    #expect(verified.keyID == nil)
  }

  @Test(arguments: SignatureAlgorithm.allCases)
  func tokenIsVerifiedByItsKeyAlone(algorithm: SignatureAlgorithm) throws {
    let key = try SigningKey.generate(algorithm: algorithm)
    let keys = try JSONWebKeySet(parsing: SigningKey.keySet(of: [key]))
    let token = try key.sign(payload: Array("{}".utf8), headerExtra: #"{"typ":"JWT"}"#)
    let verified = try CompactJWS(parsing: token).verify(allowed: [algorithm], keys: keys)
    #expect(verified.bytes == Array("{}".utf8))
    #expect(verified.algorithm == algorithm)
    #expect(verified.keyID == key.keyID)
    #expect(verified.type == "JWT")
    let others = Set(SignatureAlgorithm.allCases).subtracting([algorithm])
    #expect(Tokens.refusal(token, keys, allowed: others) == .algorithmRefused)
    #expect(Tokens.refusal(token, keys, allowed: []) == .algorithmRefused)
  }

  @Test func everyChangedByteIsRefused() throws {
    let keys = try Tokens.keySet(Tokens.ecKey)
    let token = Array(Tokens.es256.utf8)
    for index in token.indices {
      var changed = token
      changed[index] = token[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      #expect(Tokens.refusal(String(decoding: changed, as: UTF8.self), keys) != nil, "\(index)")
    }
  }

  @Test(arguments: ["none", "NONE", "nOnE", "HS256", "HS384", "HS512", "EdDSA", "ES256K"])
  func jw02AlgorithmWithoutPublicKeyIsRefused(name: String) throws {
    let keys = try Tokens.keySet(Tokens.ecKey, Tokens.rsaKey)
    for signature in ["", "AA", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"] {
      let token = Tokens.token(header: "{\"alg\":\"\(name)\"}", signature: signature)
      #expect(Tokens.refusal(token, keys) == .algorithmRefused)
    }
  }

  @Test func keyOfAnotherKindDoesNotFit() throws {
    #expect(Tokens.refusal(Tokens.rs256, try Tokens.keySet(Tokens.ecKey)) == .noFittingKey)
    #expect(Tokens.refusal(Tokens.es256, try Tokens.keySet(Tokens.rsaKey)) == .noFittingKey)
    let bound = try Tokens.keySet("\"alg\":\"PS256\"," + Tokens.rsaKey)
    #expect(Tokens.refusal(Tokens.rs256, bound) == .noFittingKey)
    let p384 = try SigningKey.generate(algorithm: .es384)
    let keys = try JSONWebKeySet(parsing: SigningKey.keySet(of: [p384]))
    #expect(Tokens.refusal(Tokens.es256, keys) == .noFittingKey)
  }

  @Test func signatureOfAnotherLengthIsRefused() throws {
    let keys = try Tokens.keySet(Tokens.ecKey)
    let signature = try #require(Tokens.es256.split(separator: ".").last)
    let bytes = try #require(Base64URL.decode(signature.utf8))
    for other in [[], Array(bytes.dropLast()), bytes + [0], [0] + bytes, bytes + bytes] {
      let token = Tokens.token(
        header: #"{"alg":"ES256"}"#, signature: Base64URL.encode(other))
      #expect(Tokens.refusal(token, keys) == .signatureInvalid)
    }
  }

  @Test func namedKeyIsTheOnlyOneTried() throws {
    let (first, second) = try (
      SigningKey.generate(algorithm: .es256), SigningKey.generate(algorithm: .es256)
    )
    let keys = try JSONWebKeySet(parsing: SigningKey.keySet(of: [first, second]))
    #expect(try Tokens.refusal(second.sign(payload: []), keys) == nil)
    let misnamed = try second.sign(payload: [], headerExtra: "{\"kid\":\"\(first.keyID)\"}")
    #expect(Tokens.refusal(misnamed, keys) == .signatureInvalid)
    let unknown = try second.sign(payload: [], headerExtra: #"{"kid":"another"}"#)
    #expect(Tokens.refusal(unknown, keys) == .unknownKey)
    let empty = try second.sign(payload: [], headerExtra: #"{"kid":""}"#)
    #expect(Tokens.refusal(empty, keys) == .unknownKey)
  }

  @Test func keyIdentifiersAreComparedByBytes() throws {
    let keys = try Tokens.keySet("\"kid\":\"\u{e9}\"," + Tokens.ecKey)
    let key = try SigningKey(
      algorithm: .es256,
      privateJSON: Array("{\(Tokens.ecKey),\"d\":\"\(Tokens.ecPrivateNumber)\"}".utf8))
    let composed = try key.sign(payload: [], headerExtra: "{\"kid\":\"\u{e9}\"}")
    #expect(Tokens.refusal(composed, keys) == nil)
    let decomposed = try key.sign(payload: [], headerExtra: "{\"kid\":\"e\u{301}\"}")
    #expect(Tokens.refusal(decomposed, keys) == .unknownKey)
  }

  @Test func tokenWithoutKeyIdentifierIsTriedWithFourKeysAtMost() throws {
    let keys = try (0..<5).map { _ in try SigningKey.generate(algorithm: .es256) }
    let set = try JSONWebKeySet(parsing: SigningKey.keySet(of: keys))
    let header = Array(#"{"alg":"ES256"}"#.utf8)
    let refusals = try keys.map { Tokens.refusal(try $0.sign(payload: [], header: header), set) }
    #expect(refusals == [nil, nil, nil, nil, .signatureInvalid])
  }

  @Test func twoKeysUnderOneIdentifierAreRefusedUnlessTheyAreTheSame() throws {
    let other = try SigningKey.generate(algorithm: .es256)
    let token = try other.sign(payload: [], headerExtra: #"{"kid":"k"}"#)
    let otherMembers = String(decoding: other.publicJSON.dropFirst().dropLast(), as: UTF8.self)
      .replacing("\"kid\":\"\(other.keyID)\"", with: "\"kid\":\"k\"")
    let named = "\"kid\":\"k\"," + Tokens.ecKey
    #expect(Tokens.refusal(token, try Tokens.keySet(otherMembers, named)) == .ambiguousKey)
    #expect(Tokens.refusal(token, try Tokens.keySet(otherMembers, otherMembers)) == nil)
    let rsa = "\"kid\":\"k\"," + Tokens.rsaKey
    #expect(Tokens.refusal(token, try Tokens.keySet(rsa, otherMembers)) == nil)
  }

  @Test(.timeLimit(.minutes(1))) func libjoseSaysNothing() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent]
    ) {
      let keys = try Tokens.keySet(Tokens.ecKey)
      let forged = Tokens.es256.replacing("DtEh", with: "AAAA")
      #expect(Tokens.refusal(forged, keys) == .signatureInvalid)
      let key = try SigningKey.generate(algorithm: .es256)
      #expect(throws: JOSEError.signingFailed) {
        try key.sign(payload: [], headerExtra: #"{"alg":"HS256"}"#)
      }
      #expect(throws: JOSEError.signingFailed) {
        try key.sign(payload: [], headerExtra: #"{"alg":"nothing"}"#)
      }
    }
    #expect(String(decoding: result.standardErrorContent, as: UTF8.self) == "")
  }
}
