internal import StrictJSON

extension ProviderState {
  /// Registers a client (RFC 7591 3).
  ///
  /// - Parameters:
  ///   - body: The client's metadata as JSON.
  ///   - authorization: The value of the `Authorization` header, if any.
  ///   - now: The time since 1970.
  /// - Returns: The members of the answer.
  /// - Throws: The error of the RFC.
  mutating func register(
    _ body: [UInt8], authorization: String?, now: Duration
  ) throws(OAuthError) -> JSONObject {
    if case .withToken(let token) = configuration.registration {
      let given = authorization.map { $0.lowercased().hasPrefix("bearer ") ? $0.dropFirst(7) : "" }
      guard let given, RandomText.isSecret(String(given), equalTo: token) else {
        throw OAuthError("invalid_token", "registration needs another token", status: 401)
      }
    }
    guard let value = try? JSONValue(parsing: body), let asked = value.object else {
      throw OAuthError("invalid_client_metadata", "the body is not a JSON object")
    }
    registrations.append(asked)
    let redirects = asked["redirect_uris"]?.array?.compactMap(\.string) ?? []
    guard !redirects.isEmpty, redirects.allSatisfy(Self.isNativeRedirect) else {
      throw OAuthError("invalid_redirect_uri", "loopback redirects only")
    }
    let method = asked["token_endpoint_auth_method"]?.string ?? "client_secret_basic"
    guard ["none", "client_secret_basic", "client_secret_post"].contains(method) else {
      throw OAuthError("invalid_client_metadata", "the authentication method is not known")
    }
    let identifier = "client-\(configuration.clients.count)"
    let secret = method == "none" ? nil : makeToken()
    configuration.clients.append(
      ProviderClient(identifier: identifier, secret: secret, redirectURIs: redirects))
    var object = asked
    object["client_id"] = .string(identifier)
    object["client_id_issued_at"] = .integer(now.components.seconds)
    object["token_endpoint_auth_method"] = .string(method)
    if let secret {
      object["client_secret"] = .string(secret)
      object["client_secret_expires_at"] = .integer(0)
    }
    object["registration_access_token"] = .string(makeToken())
    object["registration_client_uri"] = .string(
      issuer + ProviderEndpoint.register.path + "/" + identifier)
    for override in overrides.registration { override.apply(to: &object) }
    return object
  }

  private static func isNativeRedirect(_ uri: String) -> Bool {
    ["http://127.0.0.1", "http://[::1]", "http://localhost"].contains { origin in
      uri.utf8.starts(with: origin.utf8)
        && [":", "/", nil].contains(uri.dropFirst(origin.count).first)
    }
  }
}
