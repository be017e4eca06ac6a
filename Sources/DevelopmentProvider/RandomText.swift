internal import SecretMemory

/// Random texts and the digests of the token rules.
enum RandomText {
  /// Returns 32 random bytes as base64url: codes and tokens (RFC 6749 10.10).
  static func token() -> String {
    Base64URL.encode(randomBytes(32))
  }

  /// Returns a user code of eight consonants, 34 bits, as RFC 8628 6.1 shows it.
  static func userCode() -> String {
    let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
    let code = (0..<8).map { _ in letters[Int(randomNumber(below: UInt32(letters.count)))] }
    return String(code[..<4]) + "-" + String(code[4...])
  }

  /// Returns base64url of the SHA-256 of a code verifier (RFC 7636 4.2).
  static func challenge(of verifier: String) -> String {
    Base64URL.encode(sha256(Array(verifier.utf8)))
  }

  /// Returns `at_hash` for an algorithm with SHA-256 (OpenID Connect Core 3.1.3.6).
  static func accessTokenHash(of token: String) -> String {
    Base64URL.encode(Array(sha256(Array(token.utf8)).prefix(16)))
  }

  /// Returns the HMAC with SHA-256 of a message (RFC 2104).
  static func messageAuthentication(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    let block = 64
    let short = key.count > block ? sha256(key) : key
    let padded = short + [UInt8](repeating: 0, count: block - short.count)
    return sha256(padded.map { $0 ^ 0x5C } + sha256(padded.map { $0 ^ 0x36 } + message))
  }

  /// Decodes standard base64 with padding, as in `Authorization: Basic` (RFC 4648 4).
  static func decodeBasic(_ text: String) -> String? {
    let characters = text.utf8.filter { $0 != UInt8(ascii: "=") }.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    return Base64URL.decode(String(decoding: characters, as: UTF8.self))
      .flatMap { String(validating: $0, as: UTF8.self) }
  }

  /// Compares a secret in constant time.
  static func isSecret(_ given: String, equalTo secret: String) -> Bool {
    constantTimeEqual(given, secret)
  }
}
