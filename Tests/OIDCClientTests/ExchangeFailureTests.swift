import GrantModel
import HTTPExchange
import OIDCClient
import Testing

struct ExchangeFailureTests {
  private static func lost(_ code: HTTPError.Code, sent: Bool) -> ExchangeFailure {
    .transport(HTTPError(code, requestWasSent: sent, endpoint: "https://id.example:443/token"))
  }

  @Test func onlyInvalidGrantEndsASession() {
    let others: [ExchangeFailure] = [
      .oauth(.invalidClient, status: 401, retryAfter: nil),
      .oauth(.unauthorizedClient, status: 400, retryAfter: nil),
      .oauth(.invalidRequest, status: 400, retryAfter: nil),
      .oauth(.accessDenied, status: 400, retryAfter: nil),
      .oauth(.expiredToken, status: 400, retryAfter: nil),
      .oauth(.other("x"), status: 400, retryAfter: nil), .refused(status: 400),
      .unavailable(status: 500, retryAfter: nil), .unreadable("x"), .invalid("x"),
      .configuration("x"), Self.lost(.timeout, sent: true), Self.lost(.tls, sent: false),
    ]
    for failure in others {
      guard case .transient = failure.renewalOutcome else {
        Issue.record("\(failure) ended the session")
        continue
      }
    }
    guard
      case .terminal(.invalidGrant) = ExchangeFailure.oauth(
        .invalidGrant, status: 400, retryAfter: nil
      ).renewalOutcome
    else {
      Issue.record("invalid_grant did not end the session")
      return
    }
  }

  @Test(
    arguments: [
      (
        ExchangeFailure.oauth(.invalidClient, status: 401, retryAfter: nil),
        TransientCause.oauth(code: "invalid_client"), nil
      ),
      (
        .oauth(.temporarilyUnavailable, status: 400, retryAfter: .seconds(9)),
        .unavailable(status: 400), .seconds(9)
      ),
      (.refused(status: 400), .refusedWithoutReason(status: 400), nil),
      (.unavailable(status: 429, retryAfter: nil), .rateLimited, nil),
      (.unavailable(status: 503, retryAfter: .seconds(5)), .rateLimited, .seconds(5)),
      (.unavailable(status: 503, retryAfter: nil), .unavailable(status: 503), nil),
      (.unavailable(status: 302, retryAfter: nil), .unavailable(status: 302), nil),
      (
        lost(.connect, sent: false),
        .network("no connection to https://id.example:443/token"), nil
      ),
      (
        lost(.tls, sent: false),
        .tls("no trusted TLS connection to https://id.example:443/token"), nil
      ),
      (
        lost(.timeout, sent: true),
        .lostAnswer("https://id.example:443/token did not answer in time"), nil
      ),
      (
        lost(.timeout, sent: false),
        .network("https://id.example:443/token did not answer in time"), nil
      ),
      (
        lost(.setup, sent: false),
        .local("the request to https://id.example:443/token could not be prepared"), nil
      ),
      (.unreadable("x"), .lostAnswer("x"), nil), (.invalid("x"), .unverifiable("x"), nil),
      (.local("x"), .local("x"), nil), (.configuration("x"), .configuration("x"), nil),
    ] as [(ExchangeFailure, TransientCause, Duration?)])
  func rf10AndRf12EachFailureHasItsCause(
    failure: ExchangeFailure, cause: TransientCause, wait: Duration?
  ) {
    #expect(failure.transientCause == (cause, wait))
  }

  @Test(arguments: [
    (
      ExchangeFailure.oauth(.accessDenied, status: 302, retryAfter: nil),
      GrantFailure.accessDenied
    ),
    (.oauth(.expiredToken, status: 400, retryAfter: nil), .expired),
    (.oauth(.invalidGrant, status: 400, retryAfter: nil), .provider(code: "invalid_grant")),
    (
      .oauth(.other("invalid_code"), status: 403, retryAfter: nil),
      .provider(code: "invalid_code")
    ),
    (.invalid("nonce"), .verification("nonce")), (.unreadable("x"), .verification("x")),
    (.configuration("x"), .configuration("x")), (.missingEndpoint("x"), .flowUnsupported("x")),
    (lost(.cancelled, sent: false), .cancelled),
  ])
  func aSignInEndsWithItsReason(failure: ExchangeFailure, reason: GrantFailure) {
    guard case .terminal(let stated) = failure.signInOutcome else {
      Issue.record("\(failure) did not end the sign-in")
      return
    }
    #expect(stated == reason)
  }

  @Test(arguments: [
    lost(.connect, sent: false), .local("clientSecretCommand: pass: ended with status 2"),
    .refused(status: 400), .unavailable(status: 500, retryAfter: nil),
    .oauth(.serverError, status: 400, retryAfter: nil),
    // Called off when the request had gone: the provider may have made a grant.
    lost(.cancelled, sent: true),
  ])
  func aSignInMaySucceedAnotherTime(failure: ExchangeFailure) {
    guard case .transient = failure.signInOutcome else {
      Issue.record("\(failure) is final")
      return
    }
  }
}
