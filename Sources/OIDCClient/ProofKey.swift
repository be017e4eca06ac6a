import SecretMemory

/// A proof key for one code exchange (RFC 7636), always with the method S256.
package struct ProofKey: Sendable {
  /// The only challenge method that is ever sent.
  package static let method = "S256"

  /// The code verifier: 32 random octets in base64url, 43 characters.
  package let verifier: String

  /// Makes a fresh key.
  package init() {
    verifier = SecretMemory.Base64URL.encode(randomBytes(32))
  }

  /// Makes a key of a known verifier.
  package init(verifier: String) {
    self.verifier = verifier
  }

  /// The code challenge: base64url of the verifier's SHA-256 (RFC 7636 4.2).
  package var challenge: String {
    SecretMemory.Base64URL.encode(sha256(Array(verifier.utf8)))
  }
}
