package import SessionModel

/// What the configuration says of one namespace: its provider, its client and its rules.
package struct NamespaceConfiguration: Sendable, Equatable {
  /// How a person signs in.
  package enum Flow: String, Sendable, CaseIterable {
    /// In the browser of this machine (RFC 8252).
    case browser
    /// With a code on another device (RFC 8628).
    case device
  }

  /// How a client with a secret proves itself.
  package enum ClientAuthentication: String, Sendable, CaseIterable {
    /// `client_secret_basic`.
    case basic
    /// `client_secret_post`.
    case post
  }

  /// The namespace.
  package let namespace: Namespace
  /// The line of the file where it begins, for later messages.
  package var line: Int
  /// The issuer identifier, byte for byte; for plain OAuth 2.0 the name of the provider.
  package var issuer: String
  /// The client identifier.
  package var clientId: String
  /// The scopes to ask for.
  package var scopes: [String]
  /// Where the client secret comes from; nil for a public client.
  package var clientSecret: SecretSource?
  /// How the client proves itself; nil lets the provider's metadata decide.
  package var clientAuthentication: ClientAuthentication?
  /// The flow of a sign-in that names none.
  package var flow: Flow
  /// The redirect URIs to listen on, tried in order; empty for any free port.
  package var redirects: [String]
  /// A command that opens a private window, empty for any browser's; nil for a usual window.
  package var privateBrowser: [String]?
  /// More parameters of the authorization request, in the order of the file.
  package var authorizationParameters: [Parameter]
  /// Ways to sign in at the provider that a person may choose by name, in the order of the file.
  package var loginMethods: [LoginMethod]
  /// Endpoints in place of those that the provider's metadata names.
  package var endpoints: EndpointConfiguration
  /// The access groups that get the snapshot.
  package var accessGroups: [AccessGroup]
  /// What the account is called in front of people; nil for what the provider says.
  package var account: String?
  /// How long before its expiry a token is renewed at the earliest; nil for the default.
  package var renewBefore: Duration?
  /// How long a token is taken to live when the provider does not say; nil when unknown.
  package var assumedLifetime: Duration?
  /// Whether the host renews without being asked.
  package var automaticSilentRenew: Bool
  /// Whether readers get the refresh token too, as the record's origin has it.
  package var shareRefreshToken: Bool
  /// Whether a provider may list proof key methods without `S256`, which is sent in any case.
  package var allowMissingPKCE: Bool
  /// The proxy for this provider; nil for none, whatever the environment says.
  package var proxy: Redacted?
  /// A file with the certificate authorities to trust instead of the system's.
  package var caFile: String?
  /// A command that is told of errors.
  package var onError: [String]?

  /// One parameter of the authorization request.
  package struct Parameter: Sendable, Hashable {
    /// The name.
    package let name: String
    /// The value.
    package let value: String
  }

  /// What stands for one way to sign in at the provider.
  package struct LoginMethod: Sendable, Hashable {
    /// What the person calls it.
    package let name: String
    /// The parameters that are sent for it.
    package let parameters: [Parameter]
  }
}

/// Endpoints named by the configuration.
package struct EndpointConfiguration: Sendable, Equatable {
  /// The authorization endpoint.
  package var authorization: String?
  /// The token endpoint.
  package var token: String?
  /// The device authorization endpoint.
  package var deviceAuthorization: String?
  /// The revocation endpoint.
  package var revocation: String?
  /// The introspection endpoint.
  package var introspection: String?
  /// The UserInfo endpoint.
  package var userinfo: String?
  /// The location of the key set.
  package var jwks: String?

  /// Names endpoints; what is nil is taken from the provider's metadata.
  package init(
    authorization: String? = nil, token: String? = nil, deviceAuthorization: String? = nil,
    revocation: String? = nil, introspection: String? = nil, userinfo: String? = nil,
    jwks: String? = nil
  ) {
    self.authorization = authorization
    self.token = token
    self.deviceAuthorization = deviceAuthorization
    self.revocation = revocation
    self.introspection = introspection
    self.userinfo = userinfo
    self.jwks = jwks
  }

  /// Whether they suffice without the provider's metadata, as for plain OAuth 2.0.
  package var areComplete: Bool {
    token != nil && (authorization != nil || deviceAuthorization != nil)
  }
}

/// Where a secret comes from.
package enum SecretSource: Sendable, Equatable {
  /// From the configuration itself.
  case text(Redacted)
  /// From a file: its whole contents without the last line end.
  case file(String)
  /// From what a command prints, without the last line end.
  case command([String])
}

/// A text that no description, dump or interpolation shows.
package struct Redacted: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The text itself, for the one place that needs it.
  package let revealed: String

  /// Wraps a text.
  ///
  /// - Parameter text: The text.
  init(_ text: String) {
    revealed = text
  }

  /// Says that there is a secret, and nothing of it.
  package var description: String { "(not shown)" }
  /// The same as the description.
  package var debugDescription: String { description }
  /// Shows nothing to `dump(_:)` and to a debugger.
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
