/// The usable keys of a JSON Web Key Set, RFC 7517, section 5.
///
/// Keys that cannot or must not verify are passed over, as the RFC asks: unknown types and
/// curves, bad base64url, points off the curve, weak or costly RSA numbers, a use other than
/// signatures, and keys that show their private part.
package struct JSONWebKeySet: Sendable {
  /// The most keys that a set may have, usable or not.
  package static let maximumCount = 64
  /// The longest text of a set, in bytes.
  package static let maximumLength = 1 << 20

  let keys: [VerificationKey]

  /// Reads a set.
  ///
  /// - Parameter text: the JSON text as the provider sent it.
  /// - Throws: `JOSEError.malformedKeySet` or `.tooManyKeys`; never for a single bad key.
  package init(parsing text: [UInt8]) throws(JOSEError) {
    guard text.count <= Self.maximumLength, let set = JoseTree(parsing: text),
      let count = set.elementCount("keys")
    else { throw .malformedKeySet }
    guard count <= Self.maximumCount else { throw .tooManyKeys(limit: Self.maximumCount) }
    var keys: [VerificationKey] = []
    for index in 0..<count {
      guard let element = set.element("keys", index), let key = VerificationKey(element) else {
        continue
      }
      keys.append(key)
    }
    self.keys = keys
  }

  /// How many keys can be used.
  package var count: Int { keys.count }
}
