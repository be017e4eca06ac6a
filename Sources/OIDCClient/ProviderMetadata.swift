package import HTTPExchange
package import JOSE
package import StrictJSON

/// What a provider says about itself (OpenID Connect Discovery 3, RFC 8414 2).
package struct ProviderMetadata: Sendable {
  /// The issuer identifier, byte for byte the configured one.
  package let issuer: String
  /// `authorization_endpoint`.
  package let authorization: WebAddress?
  /// `token_endpoint`.
  package let token: WebAddress?
  /// `device_authorization_endpoint` (RFC 8628 4).
  package let deviceAuthorization: WebAddress?
  /// `revocation_endpoint`.
  package let revocation: WebAddress?
  /// `introspection_endpoint` (RFC 8414 2).
  package let introspection: WebAddress?
  /// `registration_endpoint` (RFC 8414 2).
  package let registration: WebAddress?
  /// `userinfo_endpoint`.
  package let userInfo: WebAddress?
  /// `end_session_endpoint` (OpenID Connect RP-Initiated Logout 2.1).
  package let endSession: WebAddress?
  /// `pushed_authorization_request_endpoint` (RFC 9126 5).
  package let pushedAuthorization: WebAddress?
  /// `require_pushed_authorization_requests` (RFC 9126 5).
  package let requiresPushedAuthorization: Bool
  /// `jwks_uri`.
  package let keys: WebAddress?
  /// `id_token_signing_alg_values_supported`, those that can be verified; RS256 if absent.
  package let idTokenAlgorithms: Set<SignatureAlgorithm>
  /// `code_challenge_methods_supported`; nil if absent.
  package let codeChallengeMethods: [String]?
  /// `token_endpoint_auth_methods_supported`; nil if absent.
  package let tokenAuthenticationMethods: [String]?
  /// `authorization_response_iss_parameter_supported` (RFC 9207 3).
  package let sendsIssuerInResponse: Bool

  /// Reads a document and puts the configured endpoints over it.
  ///
  /// - Parameters:
  ///   - document: the metadata; nil where the configuration names every endpoint.
  ///   - issuer: the configured issuer, which the document must name byte for byte.
  ///   - overrides: endpoints of the configuration.
  /// - Throws: `MetadataError`.
  package init(
    document: JSONObject?, issuer: String, overrides: EndpointOverrides = EndpointOverrides()
  ) throws(MetadataError) {
    if let document {
      guard let stated = document["issuer"]?.string else { throw .missing("issuer") }
      guard sameBytes(stated, issuer) else { throw .issuerMismatch }
    }
    let reader = Reader(
      document: document,
      requiresTLS: document != nil && (try? WebAddress(issuer))?.isSecure != false)
    self.issuer = issuer
    authorization = try reader.endpoint("authorization_endpoint", overrides.authorization)
    token = try reader.endpoint("token_endpoint", overrides.token)
    deviceAuthorization = try reader.endpoint(
      "device_authorization_endpoint", overrides.deviceAuthorization)
    revocation = try reader.endpoint("revocation_endpoint", overrides.revocation)
    introspection = try reader.endpoint("introspection_endpoint", overrides.introspection)
    registration = try reader.endpoint("registration_endpoint", nil)
    userInfo = try reader.endpoint("userinfo_endpoint", overrides.userInfo)
    endSession = try reader.endpoint("end_session_endpoint", nil)
    pushedAuthorization = try reader.endpoint("pushed_authorization_request_endpoint", nil)
    requiresPushedAuthorization =
      document?["require_pushed_authorization_requests"]?.bool ?? false
    keys = try reader.endpoint("jwks_uri", overrides.keys)
    let algorithms = try reader.list("id_token_signing_alg_values_supported") ?? ["RS256"]
    idTokenAlgorithms = Set(algorithms.compactMap(SignatureAlgorithm.init(rawValue:)))
    codeChallengeMethods = try reader.list("code_challenge_methods_supported")
    tokenAuthenticationMethods = try reader.list("token_endpoint_auth_methods_supported")
    sendsIssuerInResponse =
      document?["authorization_response_iss_parameter_supported"]?.bool ?? false
  }

  /// Whether the provider is known not to do PKCE with S256 (RFC 7636).
  ///
  /// A document without the list says nothing; S256 is sent in any case.
  package var lacksProofKeySupport: Bool {
    guard let codeChallengeMethods else { return false }
    return !containsBytes(codeChallengeMethods, "S256")
  }
}

/// Reads the members of a document by their kinds.
private struct Reader {
  let document: JSONObject?
  let requiresTLS: Bool

  /// An endpoint by its name; an absent or null member is none.
  func endpoint(_ name: String, _ override: String?) throws(MetadataError) -> WebAddress? {
    let text: String
    if let override {
      text = override
    } else {
      guard let value = document?[name], !value.isNull else { return nil }
      guard let string = value.string else { throw .malformed(name) }
      text = string
    }
    guard let address = try? WebAddress(text), !address.hasFragment else {
      throw .forbiddenEndpoint(name)
    }
    guard address.isSecure || !requiresTLS else { throw .forbiddenEndpoint(name) }
    return address
  }

  /// A list of texts by its name; an absent or null member is none.
  func list(_ name: String) throws(MetadataError) -> [String]? {
    guard let value = document?[name], !value.isNull else { return nil }
    guard let array = value.array else { throw .malformed(name) }
    return array.compactMap(\.string)
  }
}

/// Why a metadata document is not used.
package enum MetadataError: Error, Sendable, Hashable {
  /// The document is another issuer's (OpenID Connect Discovery 4.3).
  case issuerMismatch
  /// A required member is missing.
  case missing(String)
  /// A member is of the wrong kind.
  case malformed(String)
  /// An endpoint that is not https, and not on a loopback literal of a loopback issuer.
  case forbiddenEndpoint(String)
}

extension MetadataError: CustomStringConvertible {
  /// One sentence with what to do next.
  package var description: String {
    switch self {
    case .issuerMismatch:
      "the provider's metadata names another issuer; set `issuer` to exactly the one it names"
    case .missing(let name): "the provider's metadata has no \(name)"
    case .malformed(let name): "\(name) in the provider's metadata is of the wrong kind"
    case .forbiddenEndpoint(let name):
      "\(name) is not an https URL; only an issuer on a loopback address may use http"
    }
  }
}
