import JOSE

/// The input is a compact JWS, or behind a byte 0 the header of one, to be signed genuinely.
enum TokenInput {
  private static let key = makeKey()
  private static let keys = makeKeys()
  private static let ownPayload = Array(#"{"iss":"https://id.example"}"#.utf8)
  // The token of RFC 7515, A.3, is by the same key: an input may be genuine.
  private static let knownPayload = Array(
    "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}".utf8)

  static func digest(_ input: [UInt8]) throws(FuzzFinding) {
    guard input.first == 0 else {
      guard let token = String(validating: input, as: UTF8.self) else { return }
      return try verify(token, signed: knownPayload)
    }
    let header = Array(input.dropFirst())
    if let token = try? key.sign(payload: ownPayload, header: header) {
      return try verify(token, signed: ownPayload)
    }
    let parts = [header, ownPayload, [0]].map { Base64URL.encode($0) }
    try verify(parts.joined(separator: "."), signed: knownPayload)
  }

  private static func verify(_ token: String, signed: [UInt8]) throws(FuzzFinding) {
    guard let parsed = try? CompactJWS(parsing: token) else { return }
    let allowed = Set(SignatureAlgorithm.allCases)
    guard let verified = try? parsed.verify(allowed: allowed, keys: keys) else { return }
    try demand(verified.bytes == signed, "nothing is verified but what was signed")
    try demand(verified.algorithm == .es256, "the algorithm is the key's")
  }

  private static func makeKey() -> SigningKey {
    // The key of RFC 7515, A.3.
    let text = """
      {"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",\
      "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",\
      "d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}
      """
    do {
      return try SigningKey(algorithm: .es256, privateJSON: Array(text.utf8))
    } catch {
      fatalError("\(error)")
    }
  }

  private static func makeKeys() -> JSONWebKeySet {
    do {
      return try JSONWebKeySet(parsing: SigningKey.keySet(of: [key]))
    } catch {
      fatalError("\(error)")
    }
  }
}
