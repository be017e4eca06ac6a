/// Why what was asked of the host was not done: a closed list, part of the command line's contract.
package enum ControlFailureReason: String, Sendable, Hashable, CaseIterable {
  /// The person or the provider said no (`access_denied`, RFC 6749 4.1.2.1).
  case accessDenied = "access-denied"
  /// The sign-in was cancelled.
  case cancelled
  /// Nobody finished the sign-in in time, or the user code ran out.
  case expired
  /// Another sign-in for the namespace is under way.
  case loginInProgress = "login-in-progress"
  /// The host's configuration has no such namespace.
  case unknownNamespace = "unknown-namespace"
  /// The namespace has no session: it was never signed in, or is signed out.
  case notSignedIn = "not-signed-in"
  /// The session is over; a person has to sign in again.
  case reauthenticationRequired = "reauthentication-required"
  /// The provider cannot be reached.
  case offline
  /// The provider or the back-off asked for patience.
  case waiting
  /// The host could not store its state.
  case storage
  /// The configuration does not allow it or does not fit the provider.
  case configuration
  /// The provider answered with an error or with something unusable.
  case providerError = "provider-error"
  /// An ID token or the provider's metadata did not pass verification.
  case verificationFailed = "verification-failed"
  /// The browser's answer does not belong to this sign-in (state, issuer).
  case responseMismatch = "response-mismatch"
  /// The redirect address cannot be listened on.
  case redirectUnavailable = "redirect-unavailable"
  /// The provider has no endpoint for the flow that was asked for.
  case flowUnsupported = "flow-unsupported"
  /// Too many requests, or too many connections.
  case rateLimited = "rate-limited"
  /// The rejected token has just come: another one so soon would fare no better.
  case justRenewed = "just-renewed"
  /// The request was not understood.
  case badRequest = "bad-request"
  /// The host's key is locked away.
  case locked
  /// The host is ending.
  case stopping
  /// There is no host, or it went away before its answer; `tokenvault` says so, never the host.
  case hostUnreachable = "host-unreachable"
}
