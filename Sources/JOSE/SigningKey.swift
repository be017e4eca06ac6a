/// A private key that signs tokens, for the development provider and for tests.
package struct SigningKey: Sendable {
  /// The algorithm that the key is bound to.
  package let algorithm: SignatureAlgorithm
  /// `kid`: the SHA-256 thumbprint of RFC 7638.
  package let keyID: String
  /// The public JSON Web Key, with `kid`, `alg` and `use`.
  package let publicJSON: [UInt8]

  private let privateJSON: [UInt8]

  /// Makes a key with `jose_jwk_gen()`; RSA keys have 2048 bits.
  ///
  /// - Throws: `JOSEError.keyGenerationFailed`.
  package static func generate(algorithm: SignatureAlgorithm) throws(JOSEError) -> SigningKey {
    guard let privateJSON = JoseLibrary.generateKey(for: algorithm) else {
      throw .keyGenerationFailed
    }
    return try SigningKey(algorithm: algorithm, privateJSON: privateJSON)
  }

  /// Takes a private JSON Web Key.
  ///
  /// - Throws: `JOSEError.signingKeyRefused` where the key cannot sign with the algorithm.
  package init(algorithm: SignatureAlgorithm, privateJSON: [UInt8]) throws(JOSEError) {
    guard let thumbprint = JoseLibrary.thumbprint(ofKey: privateJSON),
      let publicJSON = JoseLibrary.publicPart(
        ofKey: privateJSON,
        with: [("kid", thumbprint), ("alg", algorithm.rawValue), ("use", "sig")])
    else { throw .signingKeyRefused }
    self.algorithm = algorithm
    self.privateJSON = privateJSON
    self.publicJSON = publicJSON
    keyID = thumbprint
    // libjose would sign with a curve that is not the algorithm's: what this module verifies is
    // what it signs.
    guard let tree = JoseTree(parsing: publicJSON), let key = VerificationKey(tree),
      key.fits(algorithm), (try? sign(payload: [])) != nil
    else { throw .signingKeyRefused }
  }

  /// The JSON text of a key set of these keys' public parts.
  package static func keySet(of keys: [SigningKey]) -> [UInt8] {
    let list = keys.map { String(decoding: $0.publicJSON, as: UTF8.self) }.joined(separator: ",")
    return Array("{\"keys\":[\(list)]}".utf8)
  }

  /// Signs a payload as a compact JWS.
  ///
  /// - Parameters:
  ///   - payload: the bytes to sign.
  ///   - headerExtra: a JSON object whose members are added to `alg` and `kid`, or replace them.
  /// - Returns: the compact JWS.
  /// - Throws: `JOSEError.signingFailed`.
  package func sign(payload: [UInt8], headerExtra: String = "{}") throws(JOSEError) -> String {
    guard
      let header = JoseLibrary.object(
        [("alg", algorithm.rawValue), ("kid", keyID)], extra: Array(headerExtra.utf8))
    else { throw .signingFailed }
    return try sign(payload: payload, header: header)
  }

  /// Signs a payload under a header given as JSON text, taken byte for byte.
  ///
  /// - Returns: the compact JWS.
  /// - Throws: `JOSEError.signingFailed`, also where the header's `alg` is not one of the key's.
  package func sign(payload: [UInt8], header: [UInt8]) throws(JOSEError) -> String {
    let header = Base64URL.encode(header)
    let payload = Base64URL.encode(payload)
    guard
      let signature = JoseLibrary.signature(
        header: header, payload: payload, key: privateJSON, algorithm)
    else { throw .signingFailed }
    return "\(header).\(payload).\(signature)"
  }
}

extension SigningKey: CustomStringConvertible, CustomDebugStringConvertible {
  /// The algorithm and the public identifier.
  package var description: String { "SigningKey(\(algorithm.rawValue), \(keyID))" }
  /// The same text, so that the private part is never shown.
  package var debugDescription: String { description }
}
