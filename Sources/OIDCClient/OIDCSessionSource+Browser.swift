import BrowserFlow
package import GrantModel
import SessionModel

extension OIDCSessionSource {
  /// Signs in with an authorization code and a proof key, over a loopback redirect (RFC 8252).
  ///
  /// - Throws: `ExchangeFailure`.
  func signInByBrowser(
    _ parameters: [SignInRequest.Parameter], metadata: ProviderMetadata,
    journal: some GrantJournal, prompt: @Sendable (SignInPrompt) async -> Void
  ) async throws(ExchangeFailure) -> GrantOutcome {
    guard let endpoint = metadata.authorization else {
      throw configuration.missing("authorization_endpoint", setting: "authorization")
    }
    guard !metadata.lacksProofKeySupport || configuration.allowsMissingProofKeySupport else {
      throw .configuration(
        "the provider's metadata lists no S256, so an injected code could not be told apart")
    }
    var transaction = AuthorizationTransaction(
      issuer: metadata.issuer, clientId: configuration.clientId, scopes: configuration.scopes,
      maximumAge: parameters.first { sameBytes($0.name, "max_age") }.flatMap { Int64($0.value) })
    let plan = try redirectPlan()
    let listener: LoopbackRedirectListener
    do throws(RedirectListenerError) {
      listener = try Self.listener(
        plan, for: transaction, requiresIssuer: metadata.sendsIssuerInResponse)
    } catch {
      return .terminal(.redirectUnavailable("\(error)"))
    }
    transaction.redirectURI = listener.redirectURI
    var pairs = AuthorizationRequest.pairs(transaction: transaction, parameters: parameters)
    if metadata.requiresPushedAuthorization {
      pairs = try await PushedAuthorization(requests: requests, metadata: metadata).push(pairs)
    }
    // Whoever shows the address may wait for the browser, which waits to be told the outcome.
    let url = AuthorizationRequest.url(endpoint: endpoint, pairs: pairs)
    async let shown: Void = prompt(.authorize(url: url))
    let outcome: GrantOutcome
    switch await answer(at: listener) {
    case .success(let response):
      outcome = await self.outcome(
        of: response, for: transaction, metadata: metadata, journal: journal)
      await listener.conclude(await ending(outcome, metadata: metadata, journal: journal))
    case .failure(let error): outcome = .terminal(Self.failure(error))
    }
    await shown
    return outcome
  }

  /// Follows up the authorization response.
  private func outcome(
    of response: RedirectParameters, for transaction: AuthorizationTransaction,
    metadata: ProviderMetadata, journal: some GrantJournal
  ) async -> GrantOutcome {
    switch Self.judge(response, transaction, requiresIssuer: metadata.sendsIssuerInResponse) {
    case .code(let code):
      do throws(JournalError) {
        try await journal.announceExchange()
      } catch {
        return .transient(.storage(error), retryAfter: nil)
      }
      do throws(ExchangeFailure) {
        let startedAt = requests.time.now()
        let answer = try await TokenEndpoint(requests: requests, metadata: metadata)
          .exchange(code: code, transaction: transaction)
        return try await finish(
          answer, metadata: metadata, nonce: transaction.nonce,
          maximumAge: transaction.maximumAge, startedAt: startedAt, journal: journal)
      } catch {
        return error.signInOutcome
      }
    case .refused(let error):
      return ExchangeFailure.oauth(error, status: 302, retryAfter: nil).signInOutcome
    case .mismatch(let reason), .ignored(let reason):
      return .terminal(.responseMismatch(reason))
    }
  }

  /// Waits for the browser to come back, or for the address to be brought by hand.
  func answer(
    at listener: LoopbackRedirectListener
  ) async -> Result<RedirectParameters, RedirectError> {
    await waiting.during(listener) {
      do throws(RedirectError) {
        return .success(
          try await listener.response(
            within: configuration.signInTimeout, clock: requests.time.clock))
      } catch {
        return .failure(error)
      }
    }
  }

  /// Takes the address that a person copied from the browser.
  package func deliver(_ address: String) async -> DeliveryOutcome {
    do throws(RedirectDeliveryError) {
      return try waiting.deliver(address) ? .taken : .notAwaited
    } catch {
      return .refused("\(error)")
    }
  }

  /// The redirect URIs of the configuration.
  ///
  /// - Throws: `ExchangeFailure.configuration` that names the one that cannot be listened on.
  func redirectPlan() throws(ExchangeFailure) -> RedirectPlan {
    var plan = RedirectPlan()
    guard !configuration.redirects.isEmpty else {
      plan.loopback = RedirectTarget.anyFreePort
      return plan
    }
    do throws(RedirectTargetError) {
      for redirect in configuration.redirects where plan.privateUse == nil {
        // A scheme can always be waited for, so that nothing behind it is ever tried.
        switch try RedirectURI(redirect) {
        case .loopback(let target): plan.loopback.append(target)
        case .privateUse(let own): plan.privateUse = own
        }
      }
      return plan
    } catch {
      throw .configuration("\(error)")
    }
  }

  private static func listener(
    _ plan: RedirectPlan, for transaction: AuthorizationTransaction, requiresIssuer: Bool
  ) throws(RedirectListenerError) -> LoopbackRedirectListener {
    let verdict = { @Sendable (response: RedirectParameters) -> RedirectVerdict in
      switch judge(response, transaction, requiresIssuer: requiresIssuer) {
      case .code, .refused, .mismatch: .taken
      case .ignored: .ignored
      }
    }
    do throws(RedirectListenerError) {
      return try LoopbackRedirectListener(
        targets: plan.loopback, state: transaction.state, judge: verdict)
    } catch {
      guard let redirect = plan.privateUse else { throw error }
      return LoopbackRedirectListener(
        privateUse: redirect, state: transaction.state, judge: verdict)
    }
  }

  private static func judge(
    _ response: RedirectParameters, _ transaction: AuthorizationTransaction, requiresIssuer: Bool
  ) -> AuthorizationResponse.Verdict {
    AuthorizationResponse.judge(
      response.names.compactMap { name in response[name].map { (name, $0) } },
      transaction: transaction, requiresIssuer: requiresIssuer)
  }

  private static func failure(_ error: RedirectError) -> GrantFailure {
    switch error {
    case .timedOut: .expired
    case .cancelled: .cancelled
    case .foreignState: .responseMismatch("its state is missing or not the one that was sent")
    case .malformed:
      .responseMismatch("it repeats a parameter, or has neither a code nor an error, or both")
    }
  }
}
