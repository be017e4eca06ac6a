internal import JOSE
package import StrictJSON

/// What is done to an ID token before it is handed out, so that a client can be tested.
package enum TokenMutation: Sendable {
  /// Sets a claim.
  case setClaim(String, JSONValue)

  /// Leaves a claim out.
  case removeClaim(String)

  /// Sets a header parameter; the signature stays right.
  case setHeader(String, JSONValue)

  /// Leaves a header parameter out; the signature stays right.
  case removeHeader(String)

  /// Adds a claim as JSON text, also beside one of the same name; the signature stays right.
  case addRawClaim(String, String)

  /// Adds a header parameter as JSON text, also beside one of the same name.
  case addRawHeader(String, String)

  /// Writes the finished token otherwise.
  case rewrite(@Sendable (String) -> String)

  /// Changes the last byte of the signature.
  case breakSignature

  /// Signs with a key that is not published, under the published key's identifier.
  case foreignKey

  /// Signs with HS256 and this secret, which any reader of the public keys may know.
  case macSigned(secret: [UInt8])

  /// Says this `alg` and leaves the signature empty.
  case unsigned(algorithm: String)
}

/// A change of one member of a JSON answer, or of one parameter of an authorization response.
package enum MemberOverride: Sendable {
  /// Sets the member.
  case set(String, JSONValue)

  /// Leaves the member out.
  case remove(String)

  /// Applies the change.
  func apply(to object: inout JSONObject) {
    switch self {
    case .set(let name, let value): object[name] = value
    case .remove(let name): object[name] = nil
    }
  }
}

/// What the provider says otherwise than it should, until it is told to stop.
package struct ProviderOverrides: Sendable {
  /// Changes of every ID token, in order.
  package var idToken: [TokenMutation] = []

  /// Changes of every successful answer of the token endpoint.
  package var tokenResponse: [MemberOverride] = []

  /// Whether successful answers of the token endpoint are forms instead of JSON.
  package var formEncodesTokenResponse = false

  /// Changes of every successful answer of the userinfo endpoint.
  package var userinfo: [MemberOverride] = []

  /// Changes of every successful answer of the introspection endpoint.
  package var introspection: [MemberOverride] = []

  /// Changes of every successful answer of the registration endpoint.
  package var registration: [MemberOverride] = []

  /// Changes of the metadata, under both of its paths.
  package var discovery: [MemberOverride] = []

  /// Further changes of the metadata under the path of RFC 8414.
  package var serverMetadata: [MemberOverride] = []

  /// Changes of the parameters of every authorization response; values are strings.
  package var authorizationResponse: [MemberOverride] = []

  /// Changes of the parameters with which a browser is sent back from the end of a session.
  package var endSessionResponse: [MemberOverride] = []

  /// The whole answer of the keys endpoint, nil for the real one.
  package var keySet: [UInt8]?

  /// Makes overrides that change nothing.
  package init() {}
}
