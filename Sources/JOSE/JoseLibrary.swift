/// What tokens and keys ask of libjose, in strings and bytes.
enum JoseLibrary {
  /// Whether a signature is valid under a public key.
  static func verifies(
    _ token: CompactJWS, _ algorithm: SignatureAlgorithm, publicKey: [UInt8]
  ) -> Bool {
    guard let key = bound(publicKey, to: algorithm) else { return false }
    let signed = JoseTree(members: [
      ("protected", token.header), ("payload", token.payload), ("signature", token.signature),
    ])
    return signed.isVerified(by: key)
  }

  /// Whether a public key can be used with an algorithm at all.
  static func accepts(publicKey: [UInt8], for algorithm: SignatureAlgorithm) -> Bool {
    let header = Base64URL.encode("{\"alg\":\"\(algorithm.rawValue)\"}".utf8)
    guard let key = bound(publicKey, to: algorithm) else { return false }
    let signed = JoseTree(members: [("protected", header), ("signature", "")])
    return signed.isVerifiable(by: key)
  }

  /// Makes a private key, or answers nil.
  static func generateKey(for algorithm: SignatureAlgorithm) -> [UInt8]? {
    let key = JoseTree(members: [("alg", algorithm.rawValue)])
    guard key.generateKey() else { return nil }
    // libjose lists operations; `use` says the same and more readers know it.
    key.remove("key_ops")
    return key.text
  }

  /// The SHA-256 thumbprint of RFC 7638, or nil for what is no key.
  static func thumbprint(ofKey json: [UInt8]) -> String? {
    guard let key = JoseTree(parsing: json) else { return nil }
    return key.thumbprint()
  }

  /// The key without its private part and with members added, or nil for what is no key.
  static func publicPart(ofKey json: [UInt8], with members: [(String, String)]) -> [UInt8]? {
    guard let key = JoseTree(parsing: json), key.removePrivatePart() else { return nil }
    key.set(members)
    return key.text
  }

  /// An object of strings, to which another object's members are added; nil where that is none.
  static func object(_ members: [(String, String)], extra: [UInt8]) -> [UInt8]? {
    let object = JoseTree(members: members)
    guard let extra = JoseTree(parsing: extra), object.update(from: extra) else { return nil }
    return object.text
  }

  /// Signs; header, payload and the result are base64url.
  static func signature(
    header: String, payload: String, key: [UInt8], _ algorithm: SignatureAlgorithm
  ) -> String? {
    guard let key = bound(key, to: algorithm) else { return nil }
    let signed = JoseTree(members: [("payload", payload)])
    let template = JoseTree(members: [("protected", header)])
    guard signed.sign(as: template, by: key) else { return nil }
    return signed.string("signature")
  }

  /// A key that states the one algorithm it is used for: libjose then checks that as well.
  private static func bound(_ key: [UInt8], to algorithm: SignatureAlgorithm) -> JoseTree? {
    guard let key = JoseTree(parsing: key) else { return nil }
    key.set([("alg", algorithm.rawValue)])
    return key
  }
}
