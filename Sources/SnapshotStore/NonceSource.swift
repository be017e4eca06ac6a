import SecretMemory

/// Where the encoder takes its nonces from.
package struct NonceSource: Sendable {
  let next: @Sendable () -> [UInt8]

  /// Creates a source from a closure that returns 24 other bytes each time.
  package init(_ next: @escaping @Sendable () -> [UInt8]) {
    self.next = next
  }

  /// Random nonces (`randombytes_buf`): 192 bits, so that no counter can be lost in a crash.
  package static let random = NonceSource { randomBytes(AuthenticatedCipher.nonceLength) }
}
