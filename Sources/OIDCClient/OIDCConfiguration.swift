package import GrantModel
package import JOSE

/// A way to sign in at the provider, such as one of its upstream providers.
///
/// No parameter is standard for it (`acr_values`, `kc_idp_hint`, `connection`, ...), so the
/// configuration says which to send. It is presentation only: nothing is concluded from it.
package struct LoginMethod: Sendable, Equatable {
  /// What the person calls it.
  package let name: String
  /// The parameters of the authorization request that stand for it.
  package let parameters: [SignInRequest.Parameter]

  /// Makes a method.
  package init(name: String, parameters: [SignInRequest.Parameter]) {
    self.name = name
    self.parameters = parameters
  }
}

/// What the configuration says about one provider and one client.
package struct OIDCConfiguration: Sendable {
  /// The issuer identifier, or for plain OAuth 2.0 the name to keep its sessions under.
  package var issuer: String
  /// The client identifier.
  package var clientId: String
  /// How the client proves itself at the token endpoint.
  package var authentication: ClientAuthentication
  /// The scope to ask for.
  package var scopes: [String]
  /// The flow for a sign-in that names none.
  package var flow: SignInRequest.Flow
  /// Redirect URIs to listen on, tried in order; empty means any port of a loopback literal.
  package var redirects: [String]
  /// Further parameters of every authorization request.
  package var authorizationParameters: [SignInRequest.Parameter]
  /// Ways to sign in at the provider that a person may choose by name.
  package var loginMethods: [LoginMethod]
  /// Endpoints that replace those of the metadata.
  package var endpoints: EndpointOverrides
  /// The algorithms registered for the client's ID tokens; nil takes those of the metadata.
  package var idTokenAlgorithms: Set<SignatureAlgorithm>?
  /// Whether to go on with a provider whose metadata lists methods without `S256`.
  ///
  /// `S256` is sent in any case.
  package var allowsMissingProofKeySupport: Bool
  /// How long a person may take in the browser.
  package var signInTimeout: Duration

  /// Makes a configuration.
  package init(
    issuer: String,
    clientId: String,
    authentication: ClientAuthentication = .none,
    scopes: [String],
    flow: SignInRequest.Flow = .browser,
    redirects: [String] = [],
    authorizationParameters: [SignInRequest.Parameter] = [],
    loginMethods: [LoginMethod] = [],
    endpoints: EndpointOverrides = EndpointOverrides(),
    idTokenAlgorithms: Set<SignatureAlgorithm>? = nil,
    allowsMissingProofKeySupport: Bool = false,
    signInTimeout: Duration = .seconds(300)
  ) {
    self.issuer = issuer
    self.clientId = clientId
    self.authentication = authentication
    self.scopes = scopes
    self.flow = flow
    self.redirects = redirects
    self.authorizationParameters = authorizationParameters
    self.loginMethods = loginMethods
    self.endpoints = endpoints
    self.idTokenAlgorithms = idTokenAlgorithms
    self.allowsMissingProofKeySupport = allowsMissingProofKeySupport
    self.signInTimeout = signInTimeout
  }

  /// Whether ID tokens are to be expected: the scope holds `openid`.
  package var expectsIDToken: Bool { containsBytes(scopes, "openid") }

  /// Whether the endpoints given make a metadata document unnecessary.
  package var isComplete: Bool {
    endpoints.token != nil
      && (endpoints.authorization != nil || endpoints.deviceAuthorization != nil)
      && (!expectsIDToken || endpoints.keys != nil)
  }
}

extension OIDCConfiguration {
  /// Says which endpoint is missing, and where it is looked for.
  ///
  /// - Parameters:
  ///   - member: the name in the metadata (RFC 8414 2).
  ///   - setting: the name in the configuration's `endpoints`.
  /// - Returns: the failure.
  func missing(_ member: String, setting: String) -> ExchangeFailure {
    // Where the configuration names all that is needed, no metadata is read.
    isComplete
      ? .missingEndpoint("the configuration names no endpoints.\(setting)")
      : .missingEndpoint("\(MetadataError.missing(member))")
  }
}
