package import SecretMemory
package import SnapshotFormat

/// The key of the host boxes: derived from the host's master key, in no reader's hands.
package final class HostBoxKey: Sendable {
  let secret: SecretBytes

  /// What the derivation is called (`crypto_kdf_derive_from_key`).
  package static let context: StaticString = "TVhostbx"

  /// Derives the key.
  ///
  /// - Throws: `SecretMemoryError`.
  package init(derivedFrom master: borrowing SecretBytes) throws(SecretMemoryError) {
    secret = try KeyDerivation.subkey(of: master, identifier: 1, context: HostBoxKey.context)
  }
}

/// Makes account fingerprints with a key that only the host has.
package final class AccountFingerprinter: Sendable {
  private let secret: SecretBytes

  /// What the derivation is called (`crypto_kdf_derive_from_key`).
  package static let context: StaticString = "TVaccfpr"

  /// Derives the key.
  ///
  /// - Throws: `SecretMemoryError`.
  package init(derivedFrom master: borrowing SecretBytes) throws(SecretMemoryError) {
    secret = try KeyDerivation.subkey(
      of: master, identifier: 1, context: AccountFingerprinter.context)
  }

  /// Returns the fingerprint of an account.
  ///
  /// - Parameters:
  ///   - issuer: the issuer identifier, byte for byte.
  ///   - subject: the subject at that issuer, byte for byte.
  /// - Returns: 16 bytes that are equal for equal pairs only.
  /// - Throws: `SecretMemoryError`.
  package func fingerprint(
    issuer: String, subject: String
  ) throws(SecretMemoryError) -> AccountFingerprint {
    // The length in front keeps apart pairs that are equal when joined.
    var writer = ByteWriter()
    writer.write(UInt64(issuer.utf8.count))
    writer.write(Array(issuer.utf8))
    writer.write(Array(subject.utf8))
    return AccountFingerprint(
      bytes: try SecretMemory.fingerprint(of: writer.bytes, key: secret, length: 16))
  }
}
