import CSodium

/// The derivation of a key from a passphrase (`crypto_pwhash`, Argon2id of RFC 9106).
package enum PassphraseDerivation {
  /// The length of a salt in bytes.
  package static let saltLength = 16

  /// What one derivation costs, and so what one guess costs.
  package struct Cost: Sendable, Hashable {
    /// How often the memory is gone through (`opslimit`).
    package let passes: UInt64
    /// How much memory is gone through, in bytes (`memlimit`).
    package let memory: UInt64

    /// What new passphrases get: 256 MiB, three times (`crypto_pwhash_OPSLIMIT_MODERATE`).
    package static let standard = Cost(unchecked: 3, 256 << 20)
    /// The least that the function takes; for tests.
    package static let least = Cost(unchecked: 1, 8 << 10)

    /// Accepts what a file asks for, within what this host is ready to spend.
    ///
    /// Nil for more than 16 passes or 1 GiB, or for less than the function takes. Whoever can write
    /// the file could otherwise have the host use up the machine.
    package init?(passes: UInt64, memory: UInt64) {
      guard (1...16).contains(passes), (8 << 10...1 << 30).contains(memory) else { return nil }
      self.passes = passes
      self.memory = memory
    }

    private init(unchecked passes: UInt64, _ memory: UInt64) {
      self.passes = passes
      self.memory = memory
    }
  }

  /// Derives a 32-byte key; with the standard cost this takes about a second.
  ///
  /// - Parameters:
  ///   - passphrase: what the person knows.
  ///   - salt: 16 random bytes.
  ///   - cost: what it may cost.
  /// - Returns: the key.
  /// - Throws: `invalidParameter` for another salt; `outOfMemory`.
  package static func key(
    from passphrase: borrowing SecretBytes, salt: [UInt8], cost: Cost
  ) throws(SecretMemoryError) -> SecretBytes {
    guard salt.count == saltLength else { throw .invalidParameter }
    return try unsafe SecretBytes(count: 32) { output throws(SecretMemoryError) in
      let status = unsafe passphrase.withUnsafeBytes { bytes in
        unsafe csodium_passphrase_key(
          output.baseAddress, output.count, bytes.baseAddress, bytes.count, salt, cost.passes,
          Int(cost.memory))
      }
      guard status == 0 else { throw .outOfMemory }
    }
  }
}
