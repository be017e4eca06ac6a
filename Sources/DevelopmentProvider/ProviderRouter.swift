internal import LoopbackHTTP
internal import StrictJSON

/// The thin layer between HTTP and the provider's rules.
struct ProviderRouter: Sendable {
  /// The path of the issuer.
  let issuerPath: String

  /// Returns the endpoint of a path, or nil where there is nothing.
  func endpoint(of path: String) -> ProviderEndpoint? {
    // RFC 8414 3.1 puts the well-known part before the issuer's path.
    if path.utf8.elementsEqual((ProviderEndpoint.serverMetadata.path + issuerPath).utf8) {
      return .serverMetadata
    }
    return ProviderEndpoint.allCases.first {
      $0 != .serverMetadata && path.utf8.elementsEqual((issuerPath + $0.path).utf8)
    }
  }

  /// Answers a request by the rules.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - endpoint: Its endpoint.
  ///   - state: What the provider knows.
  ///   - now: The time since 1970.
  /// - Returns: The answer.
  func answer(
    _ request: LoopbackRequest, at endpoint: ProviderEndpoint, state: inout ProviderState,
    now: Duration
  ) -> LoopbackResponse {
    guard endpoint.methods.contains(request.method) else {
      var refusal = LoopbackResponse.text(405, "Use \(endpoint.methods.joined(separator: " or ")).")
      refusal.headers.append(
        .init(name: "Allow", value: endpoint.methods.joined(separator: ", ")))
      return refusal
    }
    let credentials = request.headers(named: "authorization").first
    do {
      switch endpoint {
      case .discovery:
        return ProviderAnswer.json(state.metadata)
      case .serverMetadata:
        var metadata = state.metadata
        for override in state.overrides.serverMetadata { override.apply(to: &metadata) }
        return ProviderAnswer.json(metadata)
      case .keys:
        var answer = ProviderAnswer.json([:])
        answer.body = state.overrides.keySet ?? state.signer.keySet
        return answer
      case .authorize:
        return try authorize(request, state: &state, now: now)
      case .device:
        return try device(request, state: &state, now: now)
      case .token:
        let members = try state.token(try form(request), authorization: credentials, now: now)
        return state.overrides.formEncodesTokenResponse
          ? ProviderAnswer.form(members) : ProviderAnswer.json(members)
      case .deviceAuthorization:
        return ProviderAnswer.json(
          try state.authorizeDevice(try form(request), authorization: credentials, now: now))
      case .userinfo:
        return userinfo(credentials, state: state, now: now)
      case .revoke:
        try state.revoke(try form(request), authorization: credentials)
        return LoopbackResponse(status: 200)
      case .pushedAuthorization:
        return ProviderAnswer.json(
          try state.push(try form(request), authorization: credentials, now: now), status: 201)
      case .endSession:
        return endSession(
          request.method == "POST" ? try form(request) : request.query, state: &state)
      case .introspect:
        return ProviderAnswer.json(
          try state.introspect(try form(request), authorization: credentials, now: now))
      case .register:
        return ProviderAnswer.json(
          try state.register(request.body, authorization: credentials, now: now), status: 201)
      }
    } catch {
      return ProviderAnswer.error(error)
    }
  }

  private func authorize(
    _ request: LoopbackRequest, state: inout ProviderState, now: Duration
  ) throws(OAuthError) -> LoopbackResponse {
    let step: AuthorizationStep
    if request.method == "POST", let pending = try form(request).values(named: "request").first {
      step = state.approve(request: pending, now: now)
    } else {
      // OpenID Connect Core 3.1.2.1: both methods.
      let items = request.method == "POST" ? try form(request) : request.query
      step = state.authorize(items, now: now)
    }
    switch step {
    case .redirect(let uri, let items):
      return ProviderAnswer.redirect(to: uri, items)
    case .refuse(let text):
      return ProviderPage(heading: "This sign-in cannot go on", text: text).response(status: 400)
    case .ask(let identifier, let account):
      return ProviderPage(
        heading: "Sign in", text: "A program on this computer asks for access to your account.",
        button: .init(
          label: "Continue as \(account.name)", action: issuerPath + endpointPath(.authorize),
          fields: [FormItem(name: "request", value: identifier)])
      ).response()
    }
  }

  private func device(
    _ request: LoopbackRequest, state: inout ProviderState, now: Duration
  ) throws(OAuthError) -> LoopbackResponse {
    let items = request.method == "POST" ? try form(request) : request.query
    let userCode = items.values(named: "user_code").first ?? ""
    guard let account = state.deviceAccount(userCode: userCode, now: now) else {
      return ProviderPage(
        heading: "Connect a device",
        text: "Open this page by the address that the device shows: its code is unknown,"
          + " used or expired."
      ).response(status: userCode.isEmpty ? 200 : 400)
    }
    guard request.method == "POST" else {
      return ProviderPage(
        heading: "Connect a device", text: "Does the device show the code \(userCode)?",
        button: .init(
          label: "Continue as \(account.name)", action: issuerPath + endpointPath(.device),
          fields: [FormItem(name: "user_code", value: userCode)])
      ).response()
    }
    _ = state.decideDevice(userCode: userCode, approve: true, now: now)
    return ProviderPage(
      heading: "Device connected", text: "Return to the device. You can close this page."
    ).response()
  }

  private func endSession(
    _ items: [FormItem], state: inout ProviderState
  ) -> LoopbackResponse {
    guard let uri = state.endSession(items) else {
      return ProviderPage(heading: "Signed out", text: "You can close this page.").response()
    }
    var parameters = JSONObject()
    if let value = items.values(named: "state").first { parameters["state"] = .string(value) }
    for override in state.overrides.endSessionResponse { override.apply(to: &parameters) }
    return ProviderAnswer.redirect(
      to: uri,
      parameters.members.compactMap { member in
        member.value.string.map { FormItem(name: member.name, value: $0) }
      })
  }

  private func userinfo(
    _ credentials: String?, state: ProviderState, now: Duration
  ) -> LoopbackResponse {
    do {
      return ProviderAnswer.json(try state.userinfo(authorization: credentials, now: now))
    } catch {
      return ProviderAnswer.bearerError(error.error)
    }
  }

  private func endpointPath(_ endpoint: ProviderEndpoint) -> String { endpoint.path }

  private func form(_ request: LoopbackRequest) throws(OAuthError) -> [FormItem] {
    let type = request.headers(named: "content-type").first ?? ""
    let media = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    guard media == "application/x-www-form-urlencoded", let items = FormItem.decode(request.body)
    else { throw OAuthError("invalid_request", "the body is not a well-formed form") }
    return items
  }
}
