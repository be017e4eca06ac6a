import CSodium

/// XChaCha20-Poly1305 with a 256-bit key and a random 192-bit nonce, detached from any format.
///
/// The C functions are `crypto_aead_xchacha20poly1305_ietf_encrypt` and `_decrypt`.
package enum AuthenticatedCipher {
  /// The length of a key in bytes.
  package static let keyLength = 32
  /// The length of a nonce in bytes.
  package static let nonceLength = 24
  /// How many bytes a ciphertext is longer than its plaintext.
  package static let tagLength = 16

  /// Encrypts and authenticates.
  ///
  /// - Parameters:
  ///   - plaintext: what only the holder of the key may read.
  ///   - associatedData: what is authenticated with it but stays readable.
  ///   - nonce: 24 bytes, never used twice with one key; random ones are safe.
  ///   - key: 32 bytes.
  /// - Returns: the ciphertext with its tag, 16 bytes longer than the plaintext.
  /// - Throws: `invalidParameter` for a key or nonce of another length.
  package static func seal(
    _ plaintext: [UInt8], associatedData: [UInt8], nonce: [UInt8], key: borrowing SecretBytes
  ) throws(SecretMemoryError) -> [UInt8] {
    guard key.count == keyLength, nonce.count == nonceLength else { throw .invalidParameter }
    let length = plaintext.count + tagLength
    return unsafe key.withUnsafeBytes { keyBytes in
      unsafe [UInt8](unsafeUninitializedCapacity: length) { output, count in
        unsafe csodium_aead_seal(
          output.baseAddress, plaintext, plaintext.count, associatedData, associatedData.count,
          nonce, keyBytes.baseAddress)
        count = length
      }
    }
  }

  /// Opens a ciphertext into guarded memory.
  ///
  /// - Parameters:
  ///   - ciphertext: what `seal` returned.
  ///   - associatedData: the same bytes that were given to `seal`.
  ///   - nonce: the same 24 bytes.
  ///   - key: the same 32 bytes.
  /// - Returns: the plaintext.
  /// - Throws: `cannotOpen` for any mismatch; `invalidParameter`; `outOfMemory`.
  package static func open(
    _ ciphertext: some ContiguousBytesView, associatedData: some ContiguousBytesView,
    nonce: some ContiguousBytesView, key: borrowing SecretBytes
  ) throws(SecretMemoryError) -> SecretBytes {
    guard key.count == keyLength, nonce.count == nonceLength else { throw .invalidParameter }
    guard ciphertext.count >= tagLength else { throw .cannotOpen }
    let length = ciphertext.count - tagLength
    var failed = false
    let plaintext = try unsafe SecretBytes(count: length) { output throws(SecretMemoryError) in
      let status = unsafe key.withUnsafeBytes { keyBytes in
        unsafe ciphertext.withUnsafeBytes { sealed in
          unsafe associatedData.withUnsafeBytes { associated in
            unsafe nonce.withUnsafeBytes { nonceBytes in
              unsafe csodium_aead_open(
                output.baseAddress, sealed.baseAddress, sealed.count, associated.baseAddress,
                associated.count, nonceBytes.baseAddress, keyBytes.baseAddress)
            }
          }
        }
      }
      failed = status != 0
    }
    guard !failed else { throw .cannotOpen }
    return plaintext
  }

  /// Opens a ciphertext for the length of a call; the memory is ordinary and wiped afterwards.
  ///
  /// For plaintext that leaves guarded memory at once anyway: guarded memory costs six system
  /// calls, more than the cipher.
  ///
  /// - Parameters:
  ///   - ciphertext: what `seal` returned.
  ///   - associatedData: the same bytes that were given to `seal`.
  ///   - nonce: the same 24 bytes.
  ///   - key: the same 32 bytes.
  ///   - body: receives the plaintext. It returns nothing: to make a result's type at run time costs
  ///     a reader that has just woken as much as a system call.
  /// - Throws: `cannotOpen` for any mismatch; `invalidParameter`.
  package static func withOpened(
    _ ciphertext: RawSpan, associatedData: RawSpan, nonce: RawSpan, key: borrowing SecretBytes,
    _ body: (RawSpan) -> Void
  ) throws(SecretMemoryError) {
    guard key.count == keyLength, nonce.byteCount == nonceLength else { throw .invalidParameter }
    let length = ciphertext.byteCount - tagLength
    guard length >= 0 else { throw .cannotOpen }
    let isOpened = unsafe withUnsafeTemporaryAllocation(
      byteCount: max(length, 1), alignment: 16
    ) { output in
      defer { unsafe sodium_memzero(output.baseAddress, output.count) }
      let status = unsafe key.withUnsafeBytes { keyBytes in
        unsafe ciphertext.withUnsafeBytes { sealed in
          unsafe associatedData.withUnsafeBytes { associated in
            unsafe nonce.withUnsafeBytes { nonceBytes in
              unsafe csodium_aead_open(
                output.baseAddress, sealed.baseAddress, sealed.count, associated.baseAddress,
                associated.count, nonceBytes.baseAddress, keyBytes.baseAddress)
            }
          }
        }
      }
      guard status == 0 else { return false }
      unsafe body(UnsafeRawBufferPointer(output).bytes.extracting(first: length))
      return true
    }
    guard isOpened else { throw .cannotOpen }
  }
}

/// Bytes that lie in one piece: an array or a slice of one.
package protocol ContiguousBytesView {
  /// How many bytes there are.
  var count: Int { get }
  /// Lends the bytes to a closure; they must not be kept.
  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
}

extension [UInt8]: ContiguousBytesView {}
extension ArraySlice<UInt8>: ContiguousBytesView {}
