/// The payload of a token whose signature has been verified; only `CompactJWS.verify` makes one.
package struct VerifiedPayload: Sendable {
  /// The payload's bytes.
  package let bytes: [UInt8]
  /// The algorithm that the signature was verified with.
  package let algorithm: SignatureAlgorithm
  /// The key identifier that the token named, or nil.
  package let keyID: String?
  /// The media type that the token claimed (`typ`), or nil.
  package let type: String?

  fileprivate init(_ token: CompactJWS, _ algorithm: SignatureAlgorithm) {
    bytes = token.unverifiedPayload
    self.algorithm = algorithm
    keyID = token.keyID
    type = token.type
  }
}

extension CompactJWS {
  /// How many keys are tried for a token that names none.
  package static let maximumTries = 4

  /// Verifies the signature with the keys of a set.
  ///
  /// A token that names a key is verified with that one alone; a token that names none is tried
  /// with the first fitting keys. A key fits by its type, its curve and its own `alg`, so a key of
  /// one kind can never be used as another.
  ///
  /// - Parameters:
  ///   - allowed: what the caller has agreed on with the provider.
  ///   - keys: the provider's keys.
  /// - Returns: the payload, now to be believed as far as the key's owner is.
  /// - Throws: `JOSEError`; `.unknownKey` where fetching the set again may help.
  package func verify(
    allowed: Set<SignatureAlgorithm>, keys: JSONWebKeySet
  ) throws(JOSEError) -> VerifiedPayload {
    guard let algorithm, allowed.contains(algorithm) else { throw .algorithmRefused }
    for key in try candidates(algorithm, keys.keys)
    where key.signatureLength == signatureLength
      && JoseLibrary.verifies(self, algorithm, publicKey: key.publicJSON)
    {
      return VerifiedPayload(self, algorithm)
    }
    throw .signatureInvalid
  }

  private func candidates(
    _ algorithm: SignatureAlgorithm, _ keys: [VerificationKey]
  ) throws(JOSEError) -> [VerificationKey] {
    guard let keyID else {
      let fitting = keys.filter { $0.fits(algorithm) }.prefix(Self.maximumTries)
      guard !fitting.isEmpty else { throw .noFittingKey }
      return Array(fitting)
    }
    let named = keys.filter { $0.keyID?.utf8.elementsEqual(keyID.utf8) ?? false }
    guard !named.isEmpty else { throw .unknownKey }
    let fitting = named.filter { $0.fits(algorithm) }
    guard let key = fitting.first else { throw .noFittingKey }
    // One key listed twice, say once for each algorithm, is no ambiguity.
    guard fitting.allSatisfy({ $0.publicJSON == key.publicJSON }) else { throw .ambiguousKey }
    return [key]
  }
}

extension VerifiedPayload: CustomStringConvertible, CustomDebugStringConvertible {
  /// A fixed text: claims are personal.
  package var description: String { "VerifiedPayload(not shown)" }
  /// The same fixed text.
  package var debugDescription: String { description }
}
