import SecretMemory

/// One authorization request that waits for its response; never reused.
package struct AuthorizationTransaction: Sendable {
  /// The issuer that was asked (RFC 9700 4.4.2).
  package let issuer: String
  /// The client that asked.
  package let clientId: String
  /// The redirect URI, identical in both requests; known once its port is open.
  package var redirectURI: String
  /// The scope asked for.
  package let scopes: [String]
  /// The `state`, 256 random bits.
  package let state: String
  /// The `nonce`, 256 random bits; nil where no ID token is asked for.
  package let nonce: String?
  /// The proof key.
  package let proofKey: ProofKey
  /// The `max_age` asked for, in seconds.
  package let maximumAge: Int64?

  /// Makes a transaction with fresh random values.
  package init(
    issuer: String, clientId: String, scopes: [String], redirectURI: String = "",
    maximumAge: Int64? = nil
  ) {
    self.issuer = issuer
    self.clientId = clientId
    self.redirectURI = redirectURI
    self.scopes = scopes
    state = SecretMemory.Base64URL.encode(randomBytes(32))
    nonce =
      containsBytes(scopes, "openid") ? SecretMemory.Base64URL.encode(randomBytes(32)) : nil
    proofKey = ProofKey()
    self.maximumAge = maximumAge
  }
}
