/// What a Glewlwyd is started with.
package struct GlewlwydSettings: Sendable {
  /// How a provider signs.
  package enum Algorithm: String, Sendable {
    /// RSA with SHA-256.
    case rs256 = "RS256"
    /// The curve P-256 with SHA-256.
    case es256 = "ES256"
  }

  /// Who may register a client (RFC 7591 1.2).
  package enum Registration: Sendable {
    /// Nobody.
    case closed
    /// Whoever asks.
    case open
    /// Whoever has an access token with a scope.
    case withScope(String)
  }

  /// The identifier of the client that has no secret.
  package static let publicClient = "desktop"
  /// The identifier of the client that has one, the only one that Glewlwyd lets revoke.
  package static let confidentialClient = "confidential"
  /// The secret of the confidential client.
  package static let clientSecret = "client-secret"

  /// How long an access token lives, in whole seconds.
  package var accessTokenLifetime: Duration = .seconds(5)
  /// How long a refresh token lives, in whole seconds.
  package var refreshTokenLifetime: Duration = .seconds(3_600)
  /// How long a code lives, in whole seconds; less than none makes every code a late one.
  package var codeLifetime: Duration = .seconds(60)
  /// The least time between two polls with a device code, in whole seconds.
  package var deviceInterval: Duration = .seconds(1)
  /// How long a device code lives, in whole seconds.
  package var deviceLifetime: Duration = .seconds(60)
  /// How it signs.
  package var algorithm = Algorithm.rs256
  /// Whether a refresh token is good for one use and replaced with each.
  package var isRotating = true
  /// Whether it speaks https, under an authority of its own.
  package var isEncrypted = false
  /// Whether every authorization request has to be pushed (RFC 9126).
  package var requiresPushedRequests = false
  /// Who may register a client.
  package var registration = Registration.closed
  /// The redirect URIs of both clients, compared exactly.
  package var redirects = ["http://127.0.0.1:8400/callback"]

  /// Creates the usual settings: rotating tokens, access for five seconds.
  package init() {}

  var environment: [String: String] {
    var environment = [
      "ACCESS_TOKEN_LIFETIME": "\(accessTokenLifetime.components.seconds)",
      "REFRESH_TOKEN_LIFETIME": "\(refreshTokenLifetime.components.seconds)",
      "CODE_LIFETIME": "\(codeLifetime.components.seconds)",
      "DEVICE_INTERVAL": "\(deviceInterval.components.seconds)",
      "DEVICE_LIFETIME": "\(deviceLifetime.components.seconds)",
      "ALGORITHM": algorithm.rawValue,
      "ONE_USE": isRotating ? "always" : "never",
      "REDIRECTS": redirects.joined(separator: " "),
    ]
    if isEncrypted { environment["TLS"] = "yes" }
    if requiresPushedRequests { environment["PUSHED"] = "yes" }
    switch registration {
    case .closed: break
    case .open: environment["REGISTRATION"] = "open"
    case .withScope(let scope): environment["REGISTRATION"] = scope
    }
    return environment
  }
}
