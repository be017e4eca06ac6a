internal import JOSE
internal import LoopbackHTTP
internal import StrictJSON

extension ProviderState {
  /// The metadata (OpenID Connect Discovery 3, RFC 8414 2).
  var metadata: JSONObject {
    func at(_ endpoint: ProviderEndpoint) -> JSONValue { .string(issuer + endpoint.path) }
    func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    var object: JSONObject = [
      "issuer": .string(issuer), "authorization_endpoint": at(.authorize),
      "token_endpoint": at(.token), "jwks_uri": at(.keys), "userinfo_endpoint": at(.userinfo),
      "device_authorization_endpoint": at(.deviceAuthorization),
      "end_session_endpoint": at(.endSession), "revocation_endpoint": at(.revoke),
      "introspection_endpoint": at(.introspect), "registration_endpoint": at(.register),
      "response_types_supported": list(["code"]), "response_modes_supported": list(["query"]),
      "grant_types_supported": list([
        "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code",
      ]),
      "subject_types_supported": list(["public"]),
      "id_token_signing_alg_values_supported": list([signer.algorithm.rawValue]),
      "scopes_supported": list(["openid", "profile", "email", "offline_access"]),
      "token_endpoint_auth_methods_supported": list([
        "none", "client_secret_basic", "client_secret_post",
      ]),
      "code_challenge_methods_supported": list(["S256"]),
      "authorization_response_iss_parameter_supported":
        .bool(configuration.statesIssuerInResponse),
    ]
    if configuration.requiresPushedRequests {
      object["pushed_authorization_request_endpoint"] = at(.pushedAuthorization)
      object["require_pushed_authorization_requests"] = .bool(true)
    }
    for override in overrides.discovery { override.apply(to: &object) }
    return object
  }

  /// Answers a userinfo request (OpenID Connect Core 5.3, RFC 6750 2.1).
  ///
  /// - Returns: The claims.
  /// - Throws: The error to put into the challenge, nil when no token was sent.
  func userinfo(authorization: String?, now: Duration) throws(BearerRefusal) -> JSONObject {
    guard let authorization, authorization.lowercased().hasPrefix("bearer ") else {
      throw BearerRefusal(error: nil)
    }
    guard let (family, record) = grant(of: String(authorization.dropFirst(7)), now: now) else {
      throw BearerRefusal(
        error: OAuthError("invalid_token", "unknown, expired or revoked", status: 401))
    }
    guard Scope(record.scope).contains("openid") else {
      throw BearerRefusal(
        error: OAuthError("insufficient_scope", "openid is missing", status: 403))
    }
    var claims = personalClaims(of: family.account, scope: Scope(record.scope))
    for override in overrides.userinfo { override.apply(to: &claims) }
    return claims
  }

  /// Takes a revocation request; an unknown token is no error (RFC 7009 2.2).
  ///
  /// - Throws: The error of a client that is not allowed to.
  mutating func revoke(
    _ items: [FormItem], authorization: String?
  ) throws(OAuthError) {
    let parameters = try RequestParameters(items)
    let client = try authenticate(parameters, authorization: authorization)
    let token = try parameters.required("token")
    let refresh = refreshTokens[token]
    guard let number = refresh?.family ?? accessTokens[token]?.family else { return }
    guard families[number]?.clientIdentifier.utf8.elementsEqual(client.identifier.utf8) == true
    else { throw OAuthError("invalid_grant", "the token belongs to another client") }
    if refresh != nil {
      // RFC 7009 2.1: with a refresh token go the access tokens of the same grant.
      if families[number]?.isRevoked == false { counts.revocations += 1 }
      revoke(family: number)
    } else {
      accessTokens[token] = nil
    }
  }

  /// Ends sessions in the browser (OpenID Connect RP-Initiated Logout 2).
  ///
  /// - Returns: where the browser is sent back to; nil when the request does not show who asks.
  mutating func endSession(_ items: [FormItem]) -> String? {
    guard let parameters = try? RequestParameters(items),
      let hint = parameters["id_token_hint"], idTokens.contains(hint),
      let client = parameters["client_id"].flatMap(client),
      let uri = parameters["post_logout_redirect_uri"], client.allows(redirectURI: uri)
    else { return nil }
    counts.endedSessions += 1
    return uri
  }

  /// Answers an introspection request (RFC 7662 2.2).
  ///
  /// - Returns: The members; only `active` for a token that is not valid now.
  /// - Throws: The error of a client that failed to authenticate.
  func introspect(
    _ items: [FormItem], authorization: String?, now: Duration
  ) throws(OAuthError) -> JSONObject {
    let parameters = try RequestParameters(items)
    _ = try authenticate(parameters, authorization: authorization)
    var object = standing(of: try parameters.required("token"), now: now)
    for override in overrides.introspection { override.apply(to: &object) }
    return object
  }

  private func standing(of token: String, now: Duration) -> JSONObject {
    var object: JSONObject = ["active": .bool(true)]
    let family: GrantFamily
    if let (grant, record) = grant(of: token, now: now) {
      family = grant
      object["token_type"] = .string("Bearer")
      object["scope"] = .string(record.scope)
      object["iat"] = .integer(record.issuedAt.components.seconds)
      object["exp"] = .integer(record.expiresAt.components.seconds)
    } else if let record = refreshTokens[token], record.replacedAt == nil,
      record.expiresAt.map({ $0 > now }) ?? true, let grant = families[record.family],
      !grant.isRevoked
    {
      family = grant
      object["scope"] = .string(grant.scope)
      object["exp"] = record.expiresAt.map { .integer($0.components.seconds) }
    } else {
      return ["active": .bool(false)]
    }
    object["client_id"] = .string(family.clientIdentifier)
    object["sub"] = .string(family.account.subject)
    object["username"] = .string(family.account.name)
    object["iss"] = .string(issuer)
    return object
  }
}

/// The refusal of a bearer token (RFC 6750 3).
struct BearerRefusal: Error, Sendable {
  /// What the challenge says, nil when no token was sent.
  let error: OAuthError?
}
