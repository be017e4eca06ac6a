import JOSE

/// Signing keys that the tests share: an RSA key takes a moment to make.
struct TestKeys: Sendable {
  let rsa: SigningKey
  let other: SigningKey
  let ec: SigningKey

  static let shared = Result { () throws(JOSEError) -> TestKeys in
    TestKeys(
      rsa: try .generate(algorithm: .rs256), other: try .generate(algorithm: .rs256),
      ec: try .generate(algorithm: .es256))
  }
}
