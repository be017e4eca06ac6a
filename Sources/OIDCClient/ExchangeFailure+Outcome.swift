package import GrantModel
import HTTPExchange

extension ExchangeFailure {
  /// The failure as something that may be different next time, and how long to wait until then.
  package var transientCause: (TransientCause, Duration?) {
    switch self {
    case .transport(let error): (Self.cause(error), nil)
    case .oauth(.serverError, let status, let retryAfter),
      .oauth(.temporarilyUnavailable, let status, let retryAfter):
      (.unavailable(status: status), retryAfter)
    case .oauth(.slowDown, _, let retryAfter): (.rateLimited, retryAfter)
    case .oauth(let error, _, let retryAfter): (.oauth(code: error.code), retryAfter)
    case .refused(let status): (.refusedWithoutReason(status: status), nil)
    case .unavailable(status: 429, let retryAfter): (.rateLimited, retryAfter)
    case .unavailable(status: 503, let retryAfter?): (.rateLimited, retryAfter)
    case .unavailable(let status, let retryAfter): (.unavailable(status: status), retryAfter)
    case .unreadable(let what): (.lostAnswer(what), nil)
    case .invalid(let check), .otherAccount(let check): (.unverifiable(check), nil)
    case .local(let what): (.local(what), nil)
    case .configuration(let why), .missingEndpoint(let why): (.configuration(why), nil)
    }
  }

  /// How a renewal ends with this failure: the provider's `invalid_grant` is all that ends a
  /// session.
  package var renewalOutcome: GrantOutcome {
    if case .oauth(.invalidGrant, _, _) = self { return .terminal(.invalidGrant) }
    let (cause, retryAfter) = transientCause
    return .transient(cause, retryAfter: retryAfter)
  }

  /// How a sign-in ends with this failure: its code or device code is used up, so most is final.
  package var signInOutcome: GrantOutcome {
    switch self {
    case .oauth(.serverError, _, _), .oauth(.temporarilyUnavailable, _, _),
      .oauth(.slowDown, _, _), .transport, .refused, .unavailable, .local:
      let (cause, retryAfter) = transientCause
      // One that was called off when its request had gone may have left a grant all the same.
      if case .transport(let error) = self, error.code == .cancelled, !error.requestWasSent {
        return .terminal(.cancelled)
      }
      return .transient(cause, retryAfter: retryAfter)
    case .oauth(.accessDenied, _, _): return .terminal(.accessDenied)
    case .oauth(.expiredToken, _, _): return .terminal(.expired)
    case .oauth(let error, _, _): return .terminal(.provider(code: error.code))
    case .unreadable(let what): return .terminal(.verification(what))
    case .invalid(let check): return .terminal(.verification(check))
    case .otherAccount(let check): return .terminal(.otherAccount(check))
    case .configuration(let why): return .terminal(.configuration(why))
    case .missingEndpoint(let why): return .terminal(.flowUnsupported(why))
    }
  }

  /// Where a transport failure leaves the session: a request that may have arrived may have
  /// rotated the token.
  private static func cause(_ error: HTTPError) -> TransientCause {
    if error.requestWasSent { return .lostAnswer("\(error)") }
    if error.code == .setup { return .local("\(error)") }
    return error.code == .tls ? .tls("\(error)") : .network("\(error)")
  }
}
