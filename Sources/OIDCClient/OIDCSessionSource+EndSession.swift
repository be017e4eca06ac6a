import BrowserFlow
package import GrantModel
import HTTPExchange
import SecretMemory
import SessionModel

extension OIDCSessionSource {
  /// Ends the person's session in the browser (OpenID Connect RP-Initiated Logout 1.0).
  ///
  /// The ID token goes to the provider as a hint. The browser is handed an address of this machine
  /// that leads there, so that the token is neither printed nor an argument of the browser.
  package func endSession(
    of grant: Grant, prompt: @escaping @Sendable (SignInPrompt) async -> Void
  ) async -> EndOfSessionOutcome {
    let state = SecretMemory.Base64URL.encode(randomBytes(32))
    let endpoint: WebAddress
    let redirects: [RedirectTarget]
    do throws(ExchangeFailure) {
      guard let known = try await metadata().endSession else {
        return .unsupported("the provider names no end_session_endpoint")
      }
      endpoint = known
      let plan = try redirectPlan()
      redirects = plan.loopback.isEmpty ? RedirectTarget.anyFreePort : plan.loopback
    } catch {
      return .unconfirmed("\(error.transientCause.0)")
    }
    let listener: LoopbackRedirectListener
    do throws(RedirectListenerError) {
      listener = try LoopbackRedirectListener(
        targets: redirects, state: state, purpose: .endOfSession)
    } catch {
      return .unconfirmed("no redirect address could be listened on: \(error)")
    }
    defer { listener.close() }
    var pairs: [(String, String)] = []
    if let idToken = grant.idToken { pairs.append(("id_token_hint", idToken)) }
    pairs += [
      ("client_id", grant.clientId), ("post_logout_redirect_uri", listener.redirectURI),
      ("state", state),
    ]
    let url = AuthorizationRequest.url(endpoint: endpoint, pairs: pairs)
    await prompt(.endSession(url: listener.departure(to: url)))
    switch await answer(at: listener) {
    case .success(let parameters):
      guard let returned = parameters["state"] else {
        return .unconfirmed("the browser came back without the state that was sent")
      }
      return constantTimeEqual(returned, state)
        ? .done : .unconfirmed("the browser came back with another state than was sent")
    case .failure(.timedOut): return .unconfirmed("the browser did not come back in time")
    case .failure: return .unconfirmed("the wait for the browser was called off")
    }
  }
}
