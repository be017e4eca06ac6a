/// The signature algorithms of RFC 7518, section 3.1, that a token may be signed with.
///
/// There is no `none` and no HMAC here, so neither can be allowed by anybody. `EdDSA` is missing
/// because libjose 11 does not have it.
package enum SignatureAlgorithm: String, Sendable, CaseIterable {
  /// RSASSA-PKCS1-v1_5 with SHA-256.
  case rs256 = "RS256"
  /// RSASSA-PKCS1-v1_5 with SHA-384.
  case rs384 = "RS384"
  /// RSASSA-PKCS1-v1_5 with SHA-512.
  case rs512 = "RS512"
  /// RSASSA-PSS with SHA-256.
  case ps256 = "PS256"
  /// RSASSA-PSS with SHA-384.
  case ps384 = "PS384"
  /// RSASSA-PSS with SHA-512.
  case ps512 = "PS512"
  /// ECDSA on P-256 with SHA-256.
  case es256 = "ES256"
  /// ECDSA on P-384 with SHA-384.
  case es384 = "ES384"
  /// ECDSA on P-521 with SHA-512.
  case es512 = "ES512"

  /// The curve that the algorithm is bound to, or nil for the RSA ones.
  var curve: EllipticCurve? {
    switch self {
    case .es256: .p256
    case .es384: .p384
    case .es512: .p521
    default: nil
    }
  }
}

/// The curves of RFC 7518, section 6.2.1.1.
enum EllipticCurve: String, Sendable {
  case p256 = "P-256"
  case p384 = "P-384"
  case p521 = "P-521"

  /// The exact length of a coordinate, in bytes; leading zeros are written.
  var coordinateLength: Int {
    switch self {
    case .p256: 32
    case .p384: 48
    case .p521: 66
    }
  }
}
