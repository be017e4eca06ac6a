/// What a request to the provider is for.
package enum ProviderEndpoint: String, Sendable, CaseIterable {
  /// The metadata of OpenID Connect Discovery 4.
  case discovery

  /// The same metadata under the path of RFC 8414 3.1, before the issuer's own path.
  case serverMetadata = "server-metadata"

  /// The public keys (RFC 7517 5).
  case keys

  /// The pushed authorization request endpoint (RFC 9126 2).
  case pushedAuthorization = "pushed-authorization"

  /// The authorization endpoint (RFC 6749 3.1).
  case authorize

  /// The token endpoint (RFC 6749 3.2).
  case token

  /// The device authorization endpoint (RFC 8628 3.1).
  case deviceAuthorization = "device-authorization"

  /// The page on which a person types a user code (RFC 8628 3.3).
  case device

  /// The userinfo endpoint (OpenID Connect Core 5.3).
  case userinfo

  /// The revocation endpoint (RFC 7009).
  case revoke

  /// The end of a session in the browser (OpenID Connect RP-Initiated Logout 2).
  case endSession = "end-session"

  /// The introspection endpoint (RFC 7662).
  case introspect

  /// The client registration endpoint (RFC 7591 3).
  case register

  /// The path below the issuer.
  var path: String {
    switch self {
    case .discovery: "/.well-known/openid-configuration"
    case .serverMetadata: "/.well-known/oauth-authorization-server"
    case .keys: "/jwks"
    case .deviceAuthorization: "/device_authorization"
    case .endSession: "/end_session"
    case .pushedAuthorization: "/par"
    default: "/" + rawValue
    }
  }

  /// The methods that are answered.
  var methods: [String] {
    switch self {
    case .discovery, .serverMetadata, .keys: ["GET", "HEAD"]
    case .authorize, .device, .userinfo, .endSession: ["GET", "POST"]
    case .token, .pushedAuthorization, .deviceAuthorization, .revoke, .introspect,
      .register:
      ["POST"]
    }
  }
}
