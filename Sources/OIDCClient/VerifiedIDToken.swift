package import JOSE
package import StrictJSON

/// An ID token that passed every check; made by `IDTokenVerifier` only.
package struct VerifiedIDToken: Sendable {
  /// The token as it came, a secret.
  package let text: String
  /// The account at the provider (`sub`).
  package let subject: String
  /// Every claim.
  package let claims: JSONObject

  let checked: IDTokenClaims

  fileprivate init(_ text: String, _ claims: IDTokenClaims) {
    self.text = text
    subject = claims.subject
    self.claims = claims.all
    checked = claims
  }
}

extension VerifiedIDToken: CustomStringConvertible, CustomReflectable {
  /// A fixed text: the token is a credential and its claims are personal.
  package var description: String { "VerifiedIDToken(not shown)" }
  /// No children, so that `dump` shows no claim.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// Turns an ID token as it came into one that may be believed.
///
/// The signature is checked although the token came over TLS from the token endpoint: others
/// rely later on what was verified here.
package enum IDTokenVerifier {
  /// Checks a token's signature and claims.
  ///
  /// - Parameters:
  ///   - text: the token as it came.
  ///   - expectations: what it has to say.
  ///   - allowed: the algorithms agreed on with the provider.
  ///   - keys: the provider's keys.
  ///   - now: the Unix time.
  /// - Returns: the token, verified.
  /// - Throws: `IDTokenError`; `.signature(.unknownKey)` where newer keys may help.
  package static func verify(
    _ text: String, expectations: IDTokenExpectations, allowed: Set<SignatureAlgorithm>,
    keys: JSONWebKeySet, now: Int64
  ) throws(IDTokenError) -> VerifiedIDToken {
    let payload: VerifiedPayload
    do throws(JOSEError) {
      payload = try CompactJWS(parsing: text).verify(allowed: allowed, keys: keys)
    } catch {
      throw .signature(error)
    }
    let claims = try IDTokenClaims(payload: payload.bytes)
    try expectations.check(claims, now: now)
    if let hash = claims.accessTokenHash {
      let expected = payload.algorithm.leftHalfHash(of: Array(expectations.accessToken.utf8))
      guard sameBytes(hash, expected) else { throw .accessTokenHashMismatch }
    }
    return VerifiedIDToken(text, claims)
  }
}
