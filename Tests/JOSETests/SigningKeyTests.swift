import JOSE
import StrictJSON
import Testing

@Suite struct SigningKeyTests {
  private static let privateJSON = Array(
    "{\(Tokens.ecKey),\"d\":\"\(Tokens.ecPrivateNumber)\"}".utf8)

  @Test func identifierIsTheThumbprint() throws {
    let key = try SigningKey(algorithm: .es256, privateJSON: Self.privateJSON)
    #expect(key.keyID == "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U")
  }

  @Test(arguments: [SignatureAlgorithm.es256, .rs256])
  func publicPartHoldsNothingPrivate(algorithm: SignatureAlgorithm) throws {
    let key = try SigningKey.generate(algorithm: algorithm)
    let members = try #require(try JSONValue(parsing: key.publicJSON).object)
    let numbers = algorithm == .es256 ? ["crv", "x", "y"] : ["n", "e"]
    #expect(Set(members.members.map(\.name)) == Set(["kty", "kid", "alg", "use"] + numbers))
    #expect(members["kid"] == .string(key.keyID))
    #expect(members["alg"] == .string(algorithm.rawValue))
    #expect(members["use"] == .string("sig"))
  }

  @Test func headerHoldsAlgorithmIdentifierAndWhatIsAdded() throws {
    let key = try SigningKey(algorithm: .es256, privateJSON: Self.privateJSON)
    let token = try key.sign(payload: [], headerExtra: #"{"typ":"at+jwt","x":1}"#)
    let header = try #require(
      token.split(separator: ".").first.flatMap { Base64URL.decode($0.utf8) })
    #expect(
      String(decoding: header, as: UTF8.self)
        == "{\"alg\":\"ES256\",\"kid\":\"\(key.keyID)\",\"typ\":\"at+jwt\",\"x\":1}")
  }

  @Test func headerCanBeGivenByteForByte() throws {
    let key = try SigningKey(algorithm: .es256, privateJSON: Self.privateJSON)
    let header = #"{ "alg":"ES256", "crit":["x"] }"#
    let token = try key.sign(payload: [0xFF], header: Array(header.utf8))
    #expect(token.hasPrefix(Base64URL.encode(header.utf8) + "._w."))
  }

  @Test(
    arguments: [
      "", "{}", "{\(Tokens.ecKey)}", "{\(Tokens.rsaKey)}", #"{"kty":"oct","k":"AAAA"}"#,
      "{\(Tokens.ecKey),\"d\":\"\(Tokens.ecPrivateNumber)\",\"use\":\"enc\"}",
    ])
  func textThatIsNoPrivateKeyIsRefused(text: String) {
    #expect(throws: JOSEError.signingKeyRefused) {
      try SigningKey(algorithm: .es256, privateJSON: Array(text.utf8))
    }
  }

  @Test func keyOfAnotherCurveIsRefused() {
    #expect(throws: JOSEError.signingKeyRefused) {
      try SigningKey(algorithm: .es384, privateJSON: Self.privateJSON)
    }
  }

  @Test(arguments: ["", "[]", "{", #"{"a":1,"a":2}"#, #"{"alg":"ES384"}"#, #"{"alg":1}"#])
  func headerThatCannotBeSignedIsRefused(extra: String) throws {
    let key = try SigningKey(algorithm: .es256, privateJSON: Self.privateJSON)
    #expect(throws: JOSEError.signingFailed) { try key.sign(payload: [], headerExtra: extra) }
  }

  @Test func privatePartIsNotShown() throws {
    let key = try SigningKey(algorithm: .es256, privateJSON: Self.privateJSON)
    let shown = "SigningKey(ES256, oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U)"
    #expect("\(key)" == shown)
    #expect(String(reflecting: key) == shown)
  }
}

@Suite struct JOSEErrorTests {
  @Test(
    arguments: [
      (JOSEError.tokenTooLong(limit: 9), "the token is longer than 9 bytes"),
      (.malformedToken, "the token is not a compact JWS of three base64url parts"),
      (
        .malformedHeader,
        "the token's header is not a JSON object with distinct names and an alg"
      ),
      (.unsupportedHeader(.crit), "the token's header holds crit, which is not supported"),
      (
        .algorithmRefused,
        "the token is signed with an algorithm that is not allowed; choose another at the provider"
      ),
      (
        .unknownKey,
        "the token names a key that the key set does not hold; fetch the key set again"
      ),
      (.noFittingKey, "no usable key of the key set fits the token's algorithm"),
      (.ambiguousKey, "the key set holds different keys under the token's key identifier"),
      (.signatureInvalid, "the token's signature is not valid"),
      (.malformedKeySet, "the key set is not a JSON object with an array of keys"),
      (.tooManyKeys(limit: 64), "the key set holds more than 64 keys"),
      (.signingKeyRefused, "the signing key is not a usable private JSON Web Key"),
      (.keyGenerationFailed, "no signing key could be made"),
      (.signingFailed, "the payload could not be signed with this key and header"),
    ])
  func descriptionIsASentence(error: JOSEError, text: String) {
    #expect(error.description == text)
  }
}
