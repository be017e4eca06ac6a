package import HTTPExchange

/// Why a request to a provider brought nothing usable.
package enum ExchangeFailure: Error, Sendable, Equatable {
  /// There was no whole answer.
  case transport(HTTPError)
  /// The provider answered with an OAuth error.
  case oauth(OAuthError, status: Int, retryAfter: Duration?)
  /// The provider refused with a 4xx and no OAuth error.
  case refused(status: Int)
  /// The answer is not the provider's own: 5xx, 429, a redirect, a page for people.
  case unavailable(status: Int, retryAfter: Duration?)
  /// A successful answer could not be read; the text says where it went wrong.
  case unreadable(String)
  /// A successful answer failed a check; the text names the check.
  case invalid(String)
  /// A successful answer is about another account than the one that signed in; the text names the
  /// check.
  case otherAccount(String)
  /// Something on this machine failed before anything was sent; the text says what.
  case local(String)
  /// The provider's metadata or the configuration does not allow the step; the text says why.
  case configuration(String)
  /// The provider has no endpoint for the step; the text says which.
  case missingEndpoint(String)
}
