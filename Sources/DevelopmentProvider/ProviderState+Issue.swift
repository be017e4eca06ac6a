internal import JOSE
internal import StrictJSON

extension ProviderState {
  /// Issues an access token and what goes with it.
  ///
  /// - Parameters:
  ///   - number: The grant.
  ///   - scope: A narrower scope, nil for that of the grant.
  ///   - refreshToken: The refresh token to hand out, nil for none.
  ///   - withIDToken: Whether an ID token goes along where the scope has `openid`.
  ///   - withNonce: Whether the ID token carries the nonce of the request.
  ///   - now: The time since 1970.
  /// - Returns: The members of the token response.
  /// - Throws: `server_error` when signing fails.
  mutating func issue(
    family number: Int, scope: String?, refreshToken: String?, withIDToken: Bool, withNonce: Bool,
    now: Duration
  ) throws(OAuthError) -> JSONObject {
    guard let family = families[number] else {
      throw OAuthError("server_error", "the grant is gone", status: 500)
    }
    let scope = scope ?? family.scope
    let expiresAt = now + configuration.accessTokenLifetime
    var response: JSONObject = [:]
    do {
      let token = try accessToken(of: family, scope: scope, now: now, expiresAt: expiresAt)
      accessTokens[token] = AccessRecord(
        family: number, scope: scope, issuedAt: now, expiresAt: expiresAt)
      response["access_token"] = .string(token)
      response["token_type"] = .string("Bearer")
      if configuration.statesLifetime {
        response["expires_in"] = .integer(configuration.accessTokenLifetime.components.seconds)
      }
      response["refresh_token"] = refreshToken.map { .string($0) }
      response["scope"] = .string(scope)
      if withIDToken, Scope(scope).contains("openid") {
        let claims = idTokenClaims(of: family, accessToken: token, withNonce: withNonce, now: now)
        let idToken = try signer.signIDToken(claims, mutations: overrides.idToken)
        response["id_token"] = .string(idToken)
        idTokens = idTokens.suffix(63) + [idToken]
      }
    } catch {
      throw OAuthError("server_error", "signing failed", status: 500)
    }
    for override in overrides.tokenResponse { override.apply(to: &response) }
    return response
  }

  /// Returns the claims about a person that a scope allows (OpenID Connect Core 5.4).
  func personalClaims(of account: ProviderAccount, scope: Scope) -> JSONObject {
    var claims: JSONObject = ["sub": .string(account.subject)]
    if scope.contains("profile") { claims["name"] = .string(account.name) }
    if scope.contains("email") {
      claims["email"] = .string(account.email)
      claims["email_verified"] = .bool(true)
    }
    return claims
  }

  private func accessToken(
    of family: GrantFamily, scope: String, now: Duration, expiresAt: Duration
  ) throws(JOSEError) -> String {
    let random = makeToken()
    guard configuration.accessTokenForm == .jwt else { return random }
    // RFC 9068 2.2
    return try signer.sign(
      [
        "iss": .string(issuer), "sub": .string(family.account.subject), "aud": .string(issuer),
        "client_id": .string(family.clientIdentifier), "iat": .integer(now.components.seconds),
        "exp": .integer(expiresAt.components.seconds), "jti": .string(random),
        "scope": .string(scope),
      ], type: "at+jwt")
  }

  // OpenID Connect Core 2 and 12.2: a refreshed ID token keeps iss, sub, aud and auth_time.
  private func idTokenClaims(
    of family: GrantFamily, accessToken: String, withNonce: Bool, now: Duration
  ) -> JSONObject {
    var claims: JSONObject = [
      "iss": .string(issuer), "sub": .string(family.account.subject),
      "aud": .string(family.clientIdentifier), "iat": .integer(now.components.seconds),
      "exp": .integer((now + .seconds(300)).components.seconds),
      "auth_time": .integer(family.authenticatedAt.components.seconds),
    ]
    if withNonce { claims["nonce"] = family.nonce.map { .string($0) } }
    if signer.algorithm.rawValue.hasSuffix("256") {
      claims["at_hash"] = .string(RandomText.accessTokenHash(of: accessToken))
    }
    for member in personalClaims(of: family.account, scope: Scope(family.scope)).members {
      claims[member.name] = member.value
    }
    return claims
  }
}
