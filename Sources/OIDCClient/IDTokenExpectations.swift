/// What an ID token has to say to be believed (OpenID Connect Core 3.1.3.7).
package struct IDTokenExpectations: Sendable {
  /// How far the provider's clock may be off.
  package static let skew: Int64 = 60
  /// The longest time between `iat` and `exp`: a year and a day.
  package static let maximumLifetime: Int64 = 366 * 86_400

  /// The issuer, byte for byte.
  package var issuer: String
  /// The client identifier, byte for byte.
  package var clientId: String
  /// The nonce that was sent; nil where none was.
  package var nonce: String?
  /// The greatest age of the person's authentication, in seconds.
  package var maximumAge: Int64?
  /// The access token that came with it.
  package var accessToken: String

  /// Makes expectations.
  package init(
    issuer: String, clientId: String, nonce: String? = nil, maximumAge: Int64? = nil,
    accessToken: String
  ) {
    self.issuer = issuer
    self.clientId = clientId
    self.nonce = nonce
    self.maximumAge = maximumAge
    self.accessToken = accessToken
  }

  /// Checks the claims, all but `at_hash`.
  ///
  /// - Parameters:
  ///   - claims: the claims of a token whose signature holds.
  ///   - now: the Unix time.
  /// - Throws: `IDTokenError`.
  func check(_ claims: IDTokenClaims, now: Int64) throws(IDTokenError) {
    guard sameBytes(claims.issuer, issuer) else { throw .issuerMismatch }
    guard containsBytes(claims.audiences, clientId) else { throw .audienceMismatch }
    if let party = claims.authorizedParty, !sameBytes(party, clientId) {
      throw .authorizedPartyMismatch
    }
    // Others may act on such a token as well: only `azp` shows that it was made for this client.
    if claims.audiences.contains(where: { !sameBytes($0, clientId) }) {
      guard claims.authorizedParty != nil else { throw .audienceMismatch }
    }
    guard now <= claims.expiresAt + Self.skew else { throw .expired }
    guard max(claims.issuedAt, claims.notBefore ?? .min) <= now + Self.skew else {
      throw .notYetValid
    }
    guard (1...Self.maximumLifetime).contains(claims.expiresAt - claims.issuedAt) else {
      throw .implausibleLifetime
    }
    if let nonce {
      guard let stated = claims.nonce else { throw .missing("nonce") }
      guard sameBytes(stated, nonce) else { throw .nonceMismatch }
    }
    if let maximumAge {
      guard let time = claims.authenticatedAt else { throw .missing("auth_time") }
      guard now - time <= maximumAge + Self.skew else { throw .authenticationTooOld }
    }
  }

  /// Checks what a renewal's token must have in common with the sign-in's (Core 12.2).
  ///
  /// - Throws: `IDTokenError.changed`.
  static func check(
    _ renewed: IDTokenClaims, against original: IDTokenClaims
  ) throws(IDTokenError) {
    guard sameBytes(renewed.issuer, original.issuer) else { throw .changed("iss") }
    guard sameBytes(renewed.subject, original.subject) else { throw .changed("sub") }
    guard Self.sameSet(renewed.audiences, original.audiences) else { throw .changed("aud") }
    guard sameBytes(renewed.authorizedParty, original.authorizedParty) else {
      throw .changed("azp")
    }
    // Some providers state it in a renewal's token only: then there is nothing to compare with.
    if let time = renewed.authenticatedAt, let former = original.authenticatedAt, time != former {
      throw .changed("auth_time")
    }
    if let nonce = renewed.nonce, !sameBytes(nonce, original.nonce) { throw .changed("nonce") }
  }

  private static func sameSet(_ one: [String], _ other: [String]) -> Bool {
    one.allSatisfy { containsBytes(other, $0) } && other.allSatisfy { containsBytes(one, $0) }
  }
}
