/// A compact JWS (RFC 7515, 7.1) that is well formed and that nobody has verified.
///
/// Keys and URLs that a header brings along (`jwk`, `jku`, `x5c`, `x5u`) are ignored: who could
/// forge the token could forge them.
package struct CompactJWS: Sendable {
  /// The longest token taken, in bytes.
  package static let maximumLength = 64 << 10

  /// The algorithm that the header claims, or nil for one that is never accepted.
  package let algorithm: SignatureAlgorithm?
  /// The key identifier that the header names, or nil where it names none.
  package let keyID: String?
  /// The media type that the header claims (`typ`), or nil.
  package let type: String?
  /// The payload before any verification: a hint, never a reason to trust.
  package let unverifiedPayload: [UInt8]

  let header: String
  let payload: String
  let signature: String
  let signatureLength: Int

  /// Takes a token apart.
  ///
  /// - Throws: `JOSEError` for anything but three parts of strict base64url, for a header that is
  ///   not plain, and for `crit`, `b64` and `zip`.
  package init(parsing token: String) throws(JOSEError) {
    guard token.utf8.count <= Self.maximumLength else {
      throw .tokenTooLong(limit: Self.maximumLength)
    }
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64URL.decode(parts[0]),
      let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2])
    else { throw .malformedToken }
    guard let object = JoseTree(parsing: header), object.isAbsentOrString("kid"),
      object.isAbsentOrString("typ"), let name = object.string("alg")
    else { throw .malformedHeader }
    for parameter in JOSEError.HeaderParameter.allCases where object.contains(parameter.rawValue) {
      throw .unsupportedHeader(parameter)
    }
    algorithm = SignatureAlgorithm(rawValue: name)
    keyID = object.string("kid")
    type = object.string("typ")
    unverifiedPayload = payload
    signatureLength = signature.count
    self.header = String(Substring(parts[0]))
    self.payload = String(Substring(parts[1]))
    self.signature = String(Substring(parts[2]))
  }
}

extension CompactJWS: CustomStringConvertible, CustomDebugStringConvertible {
  /// A fixed text: the token is a credential.
  package var description: String { "CompactJWS(not shown)" }
  /// The same fixed text.
  package var debugDescription: String { description }
}
