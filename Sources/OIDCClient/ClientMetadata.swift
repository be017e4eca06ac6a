package import StrictJSON

/// What a client asks to be registered as (RFC 7591 2): a native one (RFC 8252).
package struct ClientMetadata: Sendable, Hashable {
  /// How a client that registers itself proves itself at the token endpoint.
  package enum Authentication: String, Sendable, CaseIterable {
    /// Not at all (`none`).
    case publicClient = "none"
    /// `client_secret_basic`.
    case basic = "client_secret_basic"
    /// `client_secret_post`.
    case post = "client_secret_post"
  }

  /// `client_name`, which the provider's pages show to a person.
  package var name: String
  /// `redirect_uris`; without a port of its own, a loopback one stands for any (RFC 8252 7.3).
  package var redirectURIs: [String]
  /// The scope that the client will ask for.
  package var scopes: [String]
  /// `token_endpoint_auth_method`; nil leaves it to what the provider's metadata lists.
  package var authentication: Authentication?
  /// Whether the client will sign people in by device codes, too.
  package var usesDeviceCodes: Bool

  /// The redirect URIs of a client whose provider does as RFC 8252 says.
  package static let anyPort = ["http://127.0.0.1/callback", "http://[::1]/callback"]

  /// Makes metadata.
  package init(
    name: String, redirectURIs: [String] = ClientMetadata.anyPort, scopes: [String],
    authentication: Authentication? = nil, usesDeviceCodes: Bool = false
  ) {
    self.name = name
    self.redirectURIs = redirectURIs
    self.scopes = scopes
    self.authentication = authentication
    self.usesDeviceCodes = usesDeviceCodes
  }

  /// Whether it asks to be a client without a secret.
  var isPublic: Bool { (authentication ?? .publicClient) == .publicClient }

  /// The method for a client that leaves it to the provider's metadata: no secret, but for a
  /// provider that lists its methods and not this one.
  ///
  /// A secret of its own is no secret that a program was shipped with (RFC 8252 8.4).
  ///
  /// - Parameter methods: `token_endpoint_auth_methods_supported`; nil where it is absent.
  /// - Returns: the method.
  static func choice(of methods: [String]?) -> Authentication {
    guard let methods, !containsBytes(methods, Authentication.publicClient.rawValue) else {
      return .publicClient
    }
    return [.basic, .post].first { containsBytes(methods, $0.rawValue) } ?? .publicClient
  }

  /// `grant_types`.
  var grantTypes: [String] {
    ["authorization_code", "refresh_token"]
      + (usesDeviceCodes ? ["urn:ietf:params:oauth:grant-type:device_code"] : [])
  }

  /// The body of the request.
  package var object: JSONObject {
    func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    return [
      "client_name": .string(name), "application_type": .string("native"),
      "redirect_uris": list(redirectURIs), "grant_types": list(grantTypes),
      "response_types": list(["code"]),
      "token_endpoint_auth_method": .string((authentication ?? .publicClient).rawValue),
      "scope": .string(scopes.joined(separator: " ")),
    ]
  }
}
