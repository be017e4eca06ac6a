internal import LoopbackHTTP
internal import StrictJSON

/// What an authorization request leads to.
enum AuthorizationStep: Sendable {
  /// A person is asked; the text names the pending request.
  case ask(request: String, account: ProviderAccount)

  /// The browser goes back to the client.
  case redirect(uri: String, items: [FormItem])

  /// The request is not to be answered to the client (RFC 6749 4.1.2.1).
  case refuse(String)
}

extension ProviderState {
  /// Takes an authorization request (RFC 6749 4.1.1, RFC 7636 4.3).
  mutating func authorize(_ items: [FormItem], now: Duration) -> AuthorizationStep {
    var items = items
    if let reference = items.values(named: "request_uri").first {
      guard let request = pushed.removeValue(forKey: reference), request.expiresAt > now,
        request.items.values(named: "client_id") == items.values(named: "client_id")
      else { return .refuse("The pushed request is unknown, used before or expired.") }
      items = request.items
    } else if configuration.requiresPushedRequests {
      return .refuse("The request has to be pushed first.")
    }
    guard let parameters = try? RequestParameters(items) else {
      return .refuse("A parameter of the request is repeated.")
    }
    guard let client = parameters["client_id"].flatMap(client) else {
      return .refuse("The client is not registered here.")
    }
    guard let redirectURI = parameters["redirect_uri"], client.allows(redirectURI: redirectURI)
    else { return .refuse("The redirect URI is not registered for this client.") }
    let state = parameters["state"]
    let request: PendingAuthorization
    do {
      request = try check(parameters, client: client, redirectURI: redirectURI, now: now)
    } catch {
      return respond(
        to: redirectURI, state: state,
        [("error", error.code), ("error_description", error.text)])
    }
    switch configuration.approval {
    case .page:
      let identifier = makeToken()
      forgetPending(now: now)
      pending[identifier] = request
      return .ask(request: identifier, account: request.account)
    case .automatic:
      return approve(request, now: now)
    case .denied:
      return respond(to: redirectURI, state: state, [("error", "access_denied")])
    }
  }

  /// Takes the button's answer to a pending request.
  mutating func approve(request identifier: String, now: Duration) -> AuthorizationStep {
    guard let request = pending.removeValue(forKey: identifier), request.expiresAt > now else {
      return .refuse("This request was answered before, has expired, or is unknown.")
    }
    return approve(request, now: now)
  }

  /// Drops the requests whose page nobody answered in time.
  mutating func forgetPending(now: Duration) {
    pending = pending.filter { $0.value.expiresAt > now }
  }

  private func check(
    _ parameters: RequestParameters, client: ProviderClient, redirectURI: String, now: Duration
  ) throws(OAuthError) -> PendingAuthorization {
    guard try parameters.required("response_type") == "code" else {
      throw OAuthError("unsupported_response_type", "only code is supported")
    }
    guard parameters["code_challenge_method"] == "S256" else {
      throw OAuthError("invalid_request", "PKCE with S256 is required")
    }
    let challenge = try parameters.required("code_challenge")
    guard challenge.utf8.count == 43 else {
      throw OAuthError("invalid_request", "the code challenge is malformed")
    }
    if parameters["prompt"] == "none", configuration.approval == .page {
      throw OAuthError("login_required", "nobody is signed in")
    }
    guard let account = account(hint: parameters["login_hint"]) else {
      throw OAuthError("access_denied", "the provider has no account")
    }
    return PendingAuthorization(
      clientIdentifier: client.identifier, redirectURI: redirectURI, state: parameters["state"],
      scope: parameters["scope"] ?? "", nonce: parameters["nonce"], challenge: challenge,
      account: account, expiresAt: now + .seconds(600))
  }

  private mutating func approve(_ request: PendingAuthorization, now: Duration)
    -> AuthorizationStep
  {
    let code = makeToken()
    codes[code] = CodeRecord(
      request: request, expiresAt: now + configuration.codeLifetime, authenticatedAt: now)
    return respond(to: request.redirectURI, state: request.state, [("code", code)])
  }

  private func respond(
    to uri: String, state: String?, _ items: [(String, String)]
  ) -> AuthorizationStep {
    var parameters = JSONObject(items.map { ($0.0, .string($0.1)) })
    parameters["state"] = state.map { .string($0) }
    if configuration.statesIssuerInResponse { parameters["iss"] = .string(issuer) }
    for override in overrides.authorizationResponse { override.apply(to: &parameters) }
    return .redirect(
      uri: uri,
      items: parameters.members.compactMap { member in
        member.value.string.map { FormItem(name: member.name, value: $0) }
      })
  }
}
