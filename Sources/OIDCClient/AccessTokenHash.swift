import JOSE
import SecretMemory

extension SignatureAlgorithm {
  /// The `at_hash` of a token (OpenID Connect Core 3.1.3.6): the left half of its digest by this
  /// algorithm's hash function, in base64url.
  func leftHalfHash(of bytes: [UInt8]) -> String {
    let digest =
      switch self {
      case .rs256, .ps256, .es256: sha256(bytes)
      case .rs384, .ps384, .es384: sha384(bytes)
      case .rs512, .ps512, .es512: sha512(bytes)
      }
    return SecretMemory.Base64URL.encode(Array(digest.prefix(digest.count / 2)))
  }
}
