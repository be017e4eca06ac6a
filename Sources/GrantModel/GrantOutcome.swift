/// How a sign-in or a renewal ended.
///
/// A closed list: every provider's answers are mapped to it.
package enum GrantOutcome: Sendable {
  /// A grant, durable and verified.
  case issued(IssuedGrant)
  /// The provider saw another renewal of the same grant; the store may have a newer token.
  case conflict
  /// It is over: trying again with the same token or the same transaction can't succeed.
  case terminal(GrantFailure)
  /// It may succeed later; the session, if there was one, stays as it is.
  case transient(TransientCause, retryAfter: Duration?)
}

/// How a revocation ended (RFC 7009 2.2).
package enum RevocationOutcome: Sendable, Hashable {
  /// The provider has forgotten the token, or never knew it.
  case done
  /// The provider offers no revocation, or not for this client or kind of token.
  case unsupported(String)
  /// It may succeed later.
  case transient(TransientCause, retryAfter: Duration?)
}

/// Why a sign-in or a renewal is over.
///
/// The words are stable and documented.
package enum GrantFailure: Error, Sendable, Hashable {
  /// The provider answered `invalid_grant` (RFC 6749 5.2).
  case invalidGrant
  /// A renewal answered for another issuer or subject; its grant is to be revoked.
  case accountChanged
  /// There is nothing to renew the session with.
  case notRenewable
  /// The person or the provider said no (`access_denied`).
  case accessDenied
  /// The sign-in took longer than it may: the device code or the wait for the browser ended.
  case expired
  /// The sign-in was called off by the one who asked for it.
  case cancelled
  /// The authorization response was not for this transaction or not from this issuer.
  case responseMismatch(String)
  /// A token or claim failed a check; the text names the check.
  case verification(String)
  /// The provider answered about another account than the one that signed in; the text names the
  /// check.
  case otherAccount(String)
  /// The provider answered with another OAuth error; the text is its code.
  case provider(code: String)
  /// The provider's metadata or the configuration does not allow it; the text says why.
  case configuration(String)
  /// The provider has nothing for the flow that was asked for; the text says what is missing.
  case flowUnsupported(String)
  /// No redirect URI of the configuration could be listened on.
  case redirectUnavailable(String)
}

/// Why something did not succeed this time.
package enum TransientCause: Sendable, Hashable {
  /// The provider could not be reached, or the connection broke before a request was sent.
  case network(String)
  /// The provider's certificate or TLS version was refused. Not retried soon.
  case tls(String)
  /// The provider answered 5xx or 429, or something that is no answer of its own.
  case unavailable(status: Int)
  /// The provider asked for patience with 429 or 503.
  case rateLimited
  /// A 4xx without an OAuth error; counted by the host.
  case refusedWithoutReason(status: Int)
  /// Another renewal of the same grant is under way, and nobody stored a newer token.
  case conflict
  /// An OAuth error that does not end the session, such as `invalid_client`. Not retried soon.
  case oauth(code: String)
  /// The request was sent and no whole answer came back: the provider may have acted on it.
  case lostAnswer(String)
  /// The answer failed a check that says nothing about the session. Not retried soon.
  case unverifiable(String)
  /// Something on this machine failed before anything was sent, such as the command that gives the
  /// client secret; the text says what.
  case local(String)
  /// The configuration or the provider's metadata does not allow it; the text says why. Not retried
  /// soon.
  case configuration(String)
  /// The host could not make the answer durable.
  case storage(JournalError)
}

extension GrantFailure: CustomStringConvertible {
  /// One sentence for a person, without a final full stop and without any secret.
  package var description: String {
    switch self {
    case .invalidGrant: "the provider has ended the session (invalid_grant)"
    case .accountChanged: "the provider answered for another account"
    case .notRenewable: "the provider gave nothing to renew the session with"
    case .accessDenied: "access was denied at the provider"
    case .expired: "the sign-in was not finished in time"
    case .cancelled: "the sign-in was cancelled"
    case .responseMismatch(let what): "the answer did not belong to this sign-in: \(what)"
    case .verification(let check): "the provider's answer failed a check: \(check)"
    case .otherAccount(let check): "the provider's answer is about another account: \(check)"
    case .provider(let code): "the provider answered with the error \(code)"
    case .configuration(let why), .flowUnsupported(let why): why
    case .redirectUnavailable(let why): "no redirect address could be listened on: \(why)"
    }
  }
}

extension TransientCause: CustomStringConvertible {
  /// One sentence for a person, without a final full stop and without any secret.
  package var description: String {
    switch self {
    case .network(let what): "the provider cannot be reached: \(what)"
    case .tls(let what): "the provider's certificate was refused: \(what)"
    case .unavailable(let status): "the provider answered with status \(status)"
    case .rateLimited: "the provider asked for patience"
    case .refusedWithoutReason(let status):
      "the provider refused with status \(status) and gave no reason"
    case .conflict: "another renewal of the same session is under way"
    case .oauth(let code): "the provider answered with the error \(code)"
    case .lostAnswer(let what): "the provider's answer was lost: \(what)"
    case .unverifiable(let check): "the provider's answer failed a check: \(check)"
    case .local(let what): what
    case .configuration(let why): why
    case .storage(let error): error.description
    }
  }
}
