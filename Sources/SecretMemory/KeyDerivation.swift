import CSodium

/// The derivation of keys from a master key (`crypto_kdf_derive_from_key`, BLAKE2b).
package enum KeyDerivation {
  /// The length of a master key in bytes.
  package static let masterKeyLength = 32

  /// Derives a 32-byte key.
  ///
  /// - Parameters:
  ///   - master: 32 bytes.
  ///   - identifier: the subkey's number, an epoch for instance.
  ///   - context: 8 ASCII characters that say what the key is for; no two uses share one.
  /// - Returns: the key, 32 bytes.
  /// - Throws: `invalidParameter`, `outOfMemory`.
  package static func subkey(
    of master: borrowing SecretBytes, identifier: UInt64, context: StaticString
  ) throws(SecretMemoryError) -> SecretBytes {
    guard master.count == masterKeyLength, context.utf8CodeUnitCount == 8 else {
      throw .invalidParameter
    }
    return try unsafe SecretBytes(count: 32) { output throws(SecretMemoryError) in
      unsafe master.withUnsafeBytes { masterBytes in
        unsafe csodium_derive_key(
          output.baseAddress, output.count, identifier, context.utf8Start, masterBytes.baseAddress)
      }
    }
  }
}
