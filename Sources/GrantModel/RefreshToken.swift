package import SecretMemory

/// A refresh token (RFC 6749 1.5), in guarded memory.
///
/// Only host-side modules can name this type.
package final class RefreshToken: Sendable {
  private let secret: SecretBytes

  /// Takes a token out of a provider's answer or the host's store; that copy is not wiped here.
  ///
  /// - Throws: `outOfMemory`.
  package init(_ text: String) throws(SecretMemoryError) {
    secret = try SecretBytes(copyingUTF8: text)
  }

  /// Copies the token as text, for a request to the provider or a record of the store.
  package func copiedText() -> String {
    secret.copiedText()
  }

  /// Whether two tokens are the same, in constant time.
  package func isSame(as other: RefreshToken) -> Bool {
    secret.isEqual(to: other.secret)
  }

  /// Returns a keyed fingerprint by which the token is recognised after it was erased.
  ///
  /// - Parameter key: 32 bytes of the host's own.
  /// - Returns: 16 bytes.
  /// - Throws: `invalidParameter`.
  package func fingerprint(key: borrowing SecretBytes) throws(SecretMemoryError) -> [UInt8] {
    try SecretMemory.fingerprint(of: secret.copiedBytes(), key: key, length: 16)
  }
}
