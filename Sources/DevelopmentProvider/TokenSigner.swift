internal import JOSE
internal import StrictJSON

/// Signs tokens with the newest key and publishes the keys.
struct TokenSigner: Sendable {
  /// The published keys; the last one signs.
  private(set) var keys: [SigningKey]

  /// Makes a signer with one key.
  init(key: SigningKey) {
    keys = [key]
  }

  /// The algorithm of the key that signs.
  var algorithm: SignatureAlgorithm { keys[keys.count - 1].algorithm }

  /// The published key set.
  var keySet: [UInt8] { SigningKey.keySet(of: keys) }

  /// Signs with another key from here on.
  ///
  /// - Parameters:
  ///   - key: The new key.
  ///   - keepsOld: Whether the earlier keys stay published.
  mutating func rotate(to key: SigningKey, keepsOld: Bool) {
    keys = (keepsOld ? keys : []) + [key]
  }

  /// Signs claims as they are.
  func sign(_ claims: JSONObject, type: String) throws(JOSEError) -> String {
    let extra: JSONObject = ["typ": .string(type)]
    return try keys[keys.count - 1].sign(
      payload: claims.encoded(), headerExtra: String(decoding: extra.encoded(), as: UTF8.self))
  }

  /// Signs an ID token after the mutations of a test.
  func signIDToken(
    _ claims: JSONObject, mutations: [TokenMutation]
  ) throws(JOSEError) -> String {
    var key = keys[keys.count - 1]
    var claims = claims
    var header: JSONObject = [
      "alg": .string(key.algorithm.rawValue), "kid": .string(key.keyID), "typ": .string("JWT"),
    ]
    var isBroken = false
    var isUnsigned = false
    var secret: [UInt8]?
    var rawClaims: [(String, String)] = []
    var rawHeader: [(String, String)] = []
    var rewrite: @Sendable (String) -> String = { $0 }
    for mutation in mutations {
      switch mutation {
      case .setClaim(let name, let value): claims[name] = value
      case .removeClaim(let name): claims[name] = nil
      case .setHeader(let name, let value): header[name] = value
      case .removeHeader(let name): header[name] = nil
      case .addRawClaim(let name, let text): rawClaims.append((name, text))
      case .addRawHeader(let name, let text): rawHeader.append((name, text))
      case .rewrite(let change): rewrite = change
      case .breakSignature: isBroken = true
      case .foreignKey: key = try SigningKey.generate(algorithm: key.algorithm)
      case .macSigned(let bytes):
        header["alg"] = .string("HS256")
        secret = bytes
      case .unsigned(let algorithm):
        header["alg"] = .string(algorithm)
        isUnsigned = true
      }
    }
    if isUnsigned {
      return Base64URL.encode(header.encoded()) + "." + Base64URL.encode(claims.encoded()) + "."
    }
    if let secret {
      let input = Base64URL.encode(header.encoded()) + "." + Base64URL.encode(claims.encoded())
      return input + "."
        + Base64URL.encode(RandomText.messageAuthentication(of: Array(input.utf8), key: secret))
    }
    let token = try key.sign(
      payload: Self.adding(rawClaims, to: claims), header: Self.adding(rawHeader, to: header))
    return rewrite(isBroken ? Self.breakSignature(of: token) : token)
  }

  private static func adding(_ members: [(String, String)], to object: JSONObject) -> [UInt8] {
    let more = members.map { ",\"\($0.0)\":\($0.1)" }.joined()
    return object.encoded().dropLast() + Array((more + "}").utf8)
  }

  private static func breakSignature(of token: String) -> String {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, var signature = Base64URL.decode(parts[2].utf8), !signature.isEmpty
    else { return token }
    signature[signature.count - 1] ^= 1
    return parts[0] + "." + parts[1] + "." + Base64URL.encode(signature)
  }
}
