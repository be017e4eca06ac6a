package import JOSE

/// Why an ID token is refused; the text names the check and nothing of the token.
package enum IDTokenError: Error, Sendable, Equatable {
  /// The token or its signature was refused.
  case signature(JOSEError)
  /// The payload is not a JSON object with distinct names.
  case notJSON
  /// A required claim is missing.
  case missing(String)
  /// A claim is of the wrong kind.
  case malformed(String)
  /// `iss` is another issuer.
  case issuerMismatch
  /// `aud` does not hold the client, or holds others without naming the client in `azp`.
  case audienceMismatch
  /// `azp` is another client.
  case authorizedPartyMismatch
  /// `exp` is past.
  case expired
  /// `iat` or `nbf` is to come.
  case notYetValid
  /// `exp` is not after `iat`, or too long after it.
  case implausibleLifetime
  /// `nonce` is not the one that was sent.
  case nonceMismatch
  /// `at_hash` is not that of the access token.
  case accessTokenHashMismatch
  /// The person signed in longer ago than was asked for.
  case authenticationTooOld
  /// A renewal's token differs from the first one in a claim that must not change.
  case changed(String)
}

extension IDTokenError: CustomStringConvertible {
  /// The check that failed, in words.
  package var description: String {
    switch self {
    case .signature(let error): "ID token: \(error)"
    case .notJSON: "ID token: the claims are not a JSON object"
    case .missing(let name): "ID token: \(name) is missing"
    case .malformed(let name): "ID token: \(name) is of the wrong kind"
    case .issuerMismatch: "ID token: iss is another issuer"
    case .audienceMismatch: "ID token: aud is not this client alone"
    case .authorizedPartyMismatch: "ID token: azp is another client"
    case .expired: "ID token: exp is past; check this machine's clock"
    case .notYetValid: "ID token: iat or nbf is to come; check this machine's clock"
    case .implausibleLifetime: "ID token: exp does not follow iat plausibly"
    case .nonceMismatch: "ID token: nonce is not the one that was sent"
    case .accessTokenHashMismatch: "ID token: at_hash is not that of the access token"
    case .authenticationTooOld: "ID token: auth_time is longer ago than max_age allows"
    case .changed(let name): "ID token: \(name) differs from that of the sign-in"
    }
  }
}
