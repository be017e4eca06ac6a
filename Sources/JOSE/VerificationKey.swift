/// A public key that has passed every check and may verify tokens.
struct VerificationKey: Sendable {
  /// What the key can do by its kind.
  enum Kind: Sendable, Equatable {
    /// RSA, with the length of a signature in bytes.
    case rsa(signatureLength: Int)
    /// An elliptic curve.
    case ec(EllipticCurve)
  }

  /// `kid`, or nil where the key has none.
  let keyID: String?
  /// Kind and size.
  let kind: Kind
  /// `alg`, or nil where the key does not bind itself.
  let algorithm: SignatureAlgorithm?
  /// The key's type and numbers as a JSON Web Key, in one spelling, and nothing else of it.
  let publicJSON: [UInt8]

  /// Reads one key of a set (RFC 7517, section 4), or answers nil where it must be passed over.
  init?(_ key: borrowing JoseTree) {
    // A published private part means that anybody can sign: the key proves nothing any more.
    guard !key.contains("d"), key.isAbsentOrString("kid"), key.isAbsentOrString("use"),
      key.isAbsentOrString("alg"), ["sig", nil].contains(key.string("use")),
      Self.allowsVerifying(key)
    else { return nil }
    keyID = key.string("kid")
    switch key.string("kty") {
    case "RSA":
      guard
        let numbers = RSAPublicNumbers(
          modulus: Self.bytes(key, "n") ?? [], exponent: Self.bytes(key, "e") ?? [])
      else { return nil }
      kind = .rsa(signatureLength: numbers.modulus.count)
      publicJSON = Self.json([
        ("kty", "RSA"), ("n", Base64URL.encode(numbers.modulus)),
        ("e", Base64URL.encode(numbers.exponent)),
      ])
    case "EC":
      guard let curve = key.string("crv").flatMap(EllipticCurve.init(rawValue:)),
        let x = Self.bytes(key, "x"), x.count == curve.coordinateLength,
        let y = Self.bytes(key, "y"), y.count == curve.coordinateLength
      else { return nil }
      kind = .ec(curve)
      publicJSON = Self.json([
        ("kty", "EC"), ("crv", curve.rawValue), ("x", Base64URL.encode(x)),
        ("y", Base64URL.encode(y)),
      ])
    default: return nil
    }
    if let name = key.string("alg") {
      guard let algorithm = SignatureAlgorithm(rawValue: name) else { return nil }
      self.algorithm = algorithm
    } else {
      algorithm = nil
    }
    // An `alg` of another kind of key, or a point that is not on its curve.
    guard let probe = SignatureAlgorithm.allCases.first(where: fits),
      JoseLibrary.accepts(publicKey: publicJSON, for: probe)
    else { return nil }
  }

  /// Whether the key may verify a signature of this algorithm.
  func fits(_ algorithm: SignatureAlgorithm) -> Bool {
    guard self.algorithm == nil || self.algorithm == algorithm else { return false }
    return switch kind {
    case .rsa: algorithm.curve == nil
    case .ec(let curve): algorithm.curve == curve
    }
  }

  /// The only length that a signature by this key can have, in bytes.
  var signatureLength: Int {
    switch kind {
    case .rsa(let length): length
    case .ec(let curve): 2 * curve.coordinateLength
    }
  }

  private static func allowsVerifying(_ key: borrowing JoseTree) -> Bool {
    guard key.contains("key_ops") else { return true }
    return key.strings("key_ops")?.contains("verify") ?? false
  }

  private static func bytes(_ key: borrowing JoseTree, _ name: String) -> [UInt8]? {
    key.string(name).flatMap { Base64URL.decode($0.utf8) }
  }

  /// Writes an object of strings that need no escaping.
  private static func json(_ members: [(String, String)]) -> [UInt8] {
    Array("{\(members.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ","))}".utf8)
  }
}
