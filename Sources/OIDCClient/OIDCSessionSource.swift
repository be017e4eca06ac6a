package import GrantModel
package import HTTPExchange

/// Sessions of one client at one OpenID provider, or at a plain OAuth 2.0 server.
package struct OIDCSessionSource: SessionSource {
  let requests: ProviderRequests
  private let discovery: Discovery
  private let keys: KeySetCache
  let waiting = WaitingRedirects()

  /// Makes a source; nothing is sent before it is asked for something.
  package init(configuration: OIDCConfiguration, http: HTTPClient, time: ClientTime) {
    requests = ProviderRequests(http: http, configuration: configuration, time: time)
    discovery = Discovery(requests: requests)
    keys = KeySetCache(requests: requests)
  }

  /// What the configuration says about the provider and the client.
  var configuration: OIDCConfiguration { requests.configuration }

  /// The provider's metadata, fetched if it is not known.
  ///
  /// - Throws: `ExchangeFailure`.
  package func metadata() async throws(ExchangeFailure) -> ProviderMetadata {
    try await discovery.metadata()
  }

  /// Signs a person in by browser or by another device.
  package func signIn(
    _ request: SignInRequest, journal: some GrantJournal,
    prompt: @escaping @Sendable (SignInPrompt) async -> Void
  ) async -> GrantOutcome {
    do throws(ExchangeFailure) {
      let parameters = try AuthorizationRequest.parameters(
        configured: configuration.authorizationParameters, methods: configuration.loginMethods,
        request: request)
      let metadata = try await discovery.metadata()
      guard !Task.isCancelled else { return .terminal(.cancelled) }
      let remote: SignInRequest.Flow? =
        request.isRemote && metadata.deviceAuthorization != nil ? .device : nil
      return switch request.flow ?? remote ?? configuration.flow {
      case .browser:
        try await signInByBrowser(
          parameters, metadata: metadata, journal: journal, prompt: prompt)
      case .device:
        try await signInByDevice(
          parameters, metadata: metadata, journal: journal, prompt: prompt)
      }
    } catch {
      return error.signInOutcome
    }
  }

  /// Tells the provider to forget a grant (RFC 7009).
  package func revoke(_ token: RevocableToken) async -> RevocationOutcome {
    do throws(ExchangeFailure) {
      return await Revocation(requests: requests, metadata: try await discovery.metadata())
        .revoke(token)
    } catch {
      let (cause, retryAfter) = error.transientCause
      return .transient(cause, retryAfter: retryAfter)
    }
  }

  /// Verifies an ID token with the provider's keys.
  ///
  /// - Returns: the token, or the check that it failed.
  /// - Throws: `ExchangeFailure` when the keys cannot be had.
  func verify(
    _ idToken: String, _ expectations: IDTokenExpectations, metadata: ProviderMetadata
  ) async throws(ExchangeFailure) -> Result<VerifiedIDToken, IDTokenError> {
    try await keys.verify(idToken, expectations: expectations, metadata: metadata)
  }
}
