package import GrantModel
import SessionModel

extension OIDCSessionSource {
  /// Renews a session: one refresh request, whatever comes of it.
  package func renew(_ grant: Grant, journal: some GrantJournal) async -> GrantOutcome {
    guard let token = grant.refreshToken else { return .terminal(.notRenewable) }
    do throws(ExchangeFailure) {
      let metadata = try await metadata()
      let startedAt = requests.time.now()
      let answer = try await TokenEndpoint(requests: requests, metadata: metadata).refresh(token)
      // From here on the old token may be worth nothing: the new one comes before everything.
      let receipt: StoredReceipt
      do throws(JournalError) {
        receipt = try await journal.record(answer.provisional)
      } catch {
        return .transient(.storage(error), retryAfter: nil)
      }
      let response = try answer.checked(isRenewable: true)
      let verified: VerifiedIDToken?
      switch try await agreeing(response, with: grant, metadata: metadata) {
      case .success(let token): verified = token
      case .failure(let error): return Self.outcome(of: error)
      }
      return .issued(
        IssuedGrant(receipt: receipt, previous: token) { refreshToken in
          Grant(
            issuer: grant.issuer,
            clientId: grant.clientId,
            subject: grant.subject ?? verified?.subject,
            accountName: grant.accountName,
            accessToken: response.accessToken,
            tokenType: TokenResponse.tokenType,
            scope: response.scope ?? grant.scope,
            issuedAt: startedAt,
            expiresAt: response.lifetime.map { startedAt + $0 },
            refreshToken: refreshToken,
            idToken: grant.idToken ?? verified?.text,
            // Of a token that was not replaced, what was said of it holds.
            renewableUntil: response.renewableFor.map { startedAt + $0 }
              ?? (refreshToken?.isSame(as: token) == true ? grant.renewableUntil : nil))
        })
    } catch {
      return error.renewalOutcome
    }
  }

  /// Verifies the ID token of a renewal, if there is one, and compares it with the sign-in's.
  ///
  /// - Throws: `ExchangeFailure` when the keys cannot be had.
  private func agreeing(
    _ response: TokenResponse, with grant: Grant, metadata: ProviderMetadata
  ) async throws(ExchangeFailure) -> Result<VerifiedIDToken?, IDTokenError> {
    guard configuration.expectsIDToken, let text = response.idToken else { return .success(nil) }
    let expectations = IDTokenExpectations(
      issuer: metadata.issuer, clientId: grant.clientId, accessToken: response.accessToken)
    let verdict = try await verify(text, expectations, metadata: metadata)
    do throws(IDTokenError) {
      let verified = try verdict.get()
      if let subject = grant.subject, !sameBytes(subject, verified.subject) {
        throw IDTokenError.changed("sub")
      }
      if let original = grant.idToken.flatMap(IDTokenClaims.init(stored:)) {
        try IDTokenExpectations.check(verified.checked, against: original)
      }
      return .success(verified)
    } catch {
      return .failure(error)
    }
  }

  /// Another issuer or subject is another account; any other check says nothing about this one.
  private static func outcome(of error: IDTokenError) -> GrantOutcome {
    switch error {
    case .issuerMismatch, .changed("iss"), .changed("sub"): .terminal(.accountChanged)
    default: .transient(.unverifiable("\(error)"), retryAfter: nil)
    }
  }
}
