import CSodium

/// Returns the SHA-256 digest of bytes, 32 bytes (`crypto_hash_sha256`).
package func sha256(_ bytes: [UInt8]) -> [UInt8] {
  SodiumLibrary.start()
  return unsafe [UInt8](unsafeUninitializedCapacity: 32) { output, count in
    unsafe csodium_sha256(output.baseAddress, bytes, bytes.count)
    count = 32
  }
}

/// Returns the SHA-384 digest of bytes, 48 bytes (`crypto_hash_sha512` from other initial values).
package func sha384(_ bytes: [UInt8]) -> [UInt8] {
  SodiumLibrary.start()
  return unsafe [UInt8](unsafeUninitializedCapacity: 48) { output, count in
    unsafe csodium_sha384(output.baseAddress, bytes, bytes.count)
    count = 48
  }
}

/// Returns the SHA-512 digest of bytes, 64 bytes (`crypto_hash_sha512`).
package func sha512(_ bytes: [UInt8]) -> [UInt8] {
  SodiumLibrary.start()
  return unsafe [UInt8](unsafeUninitializedCapacity: 64) { output, count in
    unsafe csodium_sha512(output.baseAddress, bytes, bytes.count)
    count = 64
  }
}

/// Returns a keyed BLAKE2b fingerprint of bytes (`crypto_generichash`).
///
/// - Parameters:
///   - bytes: what is to be recognised again by the holder of the key, and by nobody else.
///   - key: 16 to 64 bytes.
///   - length: 16 to 64 bytes.
/// - Returns: `length` bytes.
/// - Throws: `invalidParameter`.
package func fingerprint(
  of bytes: [UInt8], key: borrowing SecretBytes, length: Int
) throws(SecretMemoryError) -> [UInt8] {
  guard (16...64).contains(key.count), (16...64).contains(length) else {
    throw .invalidParameter
  }
  return unsafe key.withUnsafeBytes { keyBytes in
    unsafe [UInt8](unsafeUninitializedCapacity: length) { output, count in
      unsafe csodium_keyed_hash(
        output.baseAddress, length, bytes, bytes.count, keyBytes.baseAddress, keyBytes.count)
      count = length
    }
  }
}

/// Returns random bytes that are not secret, for nonces and identifiers (`randombytes_buf`).
package func randomBytes(_ count: Int) -> [UInt8] {
  SodiumLibrary.start()
  return unsafe [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
    if let base = output.baseAddress { unsafe randombytes_buf(base, count) }
    initialized = count
  }
}

/// Returns a uniform random number below a bound (`randombytes_uniform`), for jitter.
package func randomNumber(below bound: UInt32) -> UInt32 {
  SodiumLibrary.start()
  return randombytes_uniform(bound)
}
