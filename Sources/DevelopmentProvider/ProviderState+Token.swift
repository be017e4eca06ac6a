internal import LoopbackHTTP
internal import StrictJSON

extension ProviderState {
  /// Answers a token request (RFC 6749 4.1.3 and 6, RFC 8628 3.4).
  ///
  /// - Returns: The members of the response.
  /// - Throws: The error of the RFC.
  mutating func token(
    _ items: [FormItem], authorization: String?, now: Duration
  ) throws(OAuthError) -> JSONObject {
    let parameters = try RequestParameters(items)
    let client = try authenticate(parameters, authorization: authorization)
    forgetExpired(now: now)
    switch try parameters.required("grant_type") {
    case "authorization_code":
      return try redeemCode(parameters, client: client, now: now)
    case "refresh_token":
      return try refresh(parameters, client: client, now: now)
    case "urn:ietf:params:oauth:grant-type:device_code":
      return try redeemDeviceCode(parameters, client: client, now: now)
    default:
      throw OAuthError("unsupported_grant_type", "this grant type is not supported")
    }
  }

  private mutating func redeemCode(
    _ parameters: RequestParameters, client: ProviderClient, now: Duration
  ) throws(OAuthError) -> JSONObject {
    let code = try parameters.required("code")
    guard var record = codes[code],
      record.request.clientIdentifier.utf8.elementsEqual(client.identifier.utf8)
    else { throw OAuthError("invalid_grant", "the code is unknown") }
    if let family = record.family {
      // RFC 6749 4.1.2: a code used twice has leaked, and so have the tokens of the first use.
      revoke(family: family)
      throw OAuthError("invalid_grant", "the code was used before")
    }
    guard record.expiresAt > now else { throw OAuthError("invalid_grant", "the code has expired") }
    let redirectURI = try parameters.required("redirect_uri")
    guard redirectURI.utf8.elementsEqual(record.request.redirectURI.utf8) else {
      throw OAuthError("invalid_grant", "the redirect URI is not the one of the request")
    }
    let verifier = try parameters.required("code_verifier")
    guard Self.isVerifier(verifier),
      RandomText.challenge(of: verifier).utf8.elementsEqual(record.request.challenge.utf8)
    else { throw OAuthError("invalid_grant", "the code verifier does not fit the challenge") }
    let family = addFamily(
      GrantFamily(
        clientIdentifier: client.identifier, account: record.request.account,
        scope: record.request.scope, authenticatedAt: record.authenticatedAt,
        nonce: record.request.nonce))
    record.family = family
    codes[code] = record
    return try issue(
      family: family, scope: nil, refreshToken: addRefreshToken(family: family, now: now),
      withIDToken: true, withNonce: true, now: now)
  }

  private mutating func redeemDeviceCode(
    _ parameters: RequestParameters, client: ProviderClient, now: Duration
  ) throws(OAuthError) -> JSONObject {
    let code = try parameters.required("device_code")
    let account = try pollDevice(code, client: client, now: now)
    let family = addFamily(
      GrantFamily(
        clientIdentifier: client.identifier, account: account.0, scope: devices[code]?.scope ?? "",
        authenticatedAt: account.at, nonce: nil))
    return try issue(
      family: family, scope: nil, refreshToken: addRefreshToken(family: family, now: now),
      withIDToken: true, withNonce: false, now: now)
  }

  private mutating func refresh(
    _ parameters: RequestParameters, client: ProviderClient, now: Duration
  ) throws(OAuthError) -> JSONObject {
    let token = try parameters.required("refresh_token")
    guard let record = refreshTokens[token], let family = families[record.family],
      family.clientIdentifier.utf8.elementsEqual(client.identifier.utf8)
    else { throw OAuthError("invalid_grant", "the refresh token is unknown") }
    guard !family.isRevoked else { throw OAuthError("invalid_grant", "the grant was revoked") }
    if let replacedAt = record.replacedAt, now >= replacedAt + configuration.reuseGrace {
      counts.reuses += 1
      if configuration.detectsReuse { revoke(family: record.family) }
      throw OAuthError("invalid_grant", "the refresh token was used before")
    }
    if let expiresAt = record.expiresAt, expiresAt <= now {
      throw OAuthError("invalid_grant", "the refresh token has expired")
    }
    let scope = parameters["scope"]
    if let scope, !Scope(scope).isWithin(Scope(family.scope)) {
      throw OAuthError("invalid_scope", "the scope goes beyond the grant")
    }
    counts.refreshes += 1
    var next: String?
    if configuration.rotatesRefreshTokens {
      next = addRefreshToken(family: record.family, now: now)
      if record.replacedAt == nil { refreshTokens[token]?.replacedAt = now }
      counts.rotations += 1
    }
    return try issue(
      family: record.family, scope: scope, refreshToken: next,
      withIDToken: configuration.issuesIDTokenOnRefresh, withNonce: false, now: now)
  }

  private mutating func addRefreshToken(family: Int, now: Duration) -> String {
    let token = makeToken()
    refreshTokens[token] = RefreshRecord(
      family: family, expiresAt: configuration.refreshTokenLifetime.map { now + $0 })
    return token
  }

  /// Drops what can change no later answer, so that days of short lifetimes take no more memory.
  private mutating func forgetExpired(now: Duration) {
    accessTokens = accessTokens.filter { $0.value.expiresAt > now }
    codes = codes.filter { $0.value.expiresAt + .seconds(600) > now }
    devices = devices.filter { $0.value.expiresAt + .seconds(600) > now }
    // A replaced token of a grant that lives is remembered for as long: its use is a theft.
    refreshTokens = refreshTokens.filter { entry in
      guard families[entry.value.family]?.isRevoked != false else { return true }
      return entry.value.replacedAt.map { $0 + .seconds(3600) > now } ?? true
    }
    forgetPending(now: now)
  }

  // RFC 7636 4.1
  private static func isVerifier(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "-._~".utf8.contains(byte)
        }
      }
  }
}
