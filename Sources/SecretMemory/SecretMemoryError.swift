/// What can go wrong with secret memory and with the cipher over it.
package enum SecretMemoryError: Error, Sendable, Equatable, CustomStringConvertible {
  /// No guarded memory could be had (`sodium_malloc`): the process may map no more.
  case outOfMemory
  /// The ciphertext does not open: wrong key, other associated data, damage or too short. Which
  /// of these it was is not told.
  case cannotOpen
  /// A key, nonce or password parameter has a length or value outside its bounds.
  case invalidParameter

  /// One sentence, without any secret.
  package var description: String {
    switch self {
    case .outOfMemory: "no memory for a secret"
    case .cannotOpen: "the sealed data does not open with this key"
    case .invalidParameter: "a cryptographic parameter is out of bounds"
    }
  }
}
