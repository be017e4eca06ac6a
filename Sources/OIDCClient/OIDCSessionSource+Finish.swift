import GrantModel
import SessionModel
import StrictJSON

extension OIDCSessionSource {
  /// Makes a grant of the answer that ends a sign-in: durable first, then checked.
  ///
  /// After a failed check nothing more is sent, neither with the tokens nor about them.
  ///
  /// - Throws: `ExchangeFailure`.
  func finish(
    _ answer: TokenAnswer, metadata: ProviderMetadata, nonce: String?, maximumAge: Int64?,
    startedAt: UnixTime, journal: some GrantJournal
  ) async throws(ExchangeFailure) -> GrantOutcome {
    let receipt: StoredReceipt
    do throws(JournalError) {
      receipt = try await journal.record(answer.provisional)
    } catch {
      return .transient(.storage(error), retryAfter: nil)
    }
    let response = try answer.checked(isRenewable: receipt.refreshToken != nil)
    var verified: VerifiedIDToken?
    if configuration.expectsIDToken {
      guard let text = response.idToken else { throw .invalid("ID token: there is none") }
      let expectations = IDTokenExpectations(
        issuer: metadata.issuer, clientId: configuration.clientId, nonce: nonce,
        maximumAge: maximumAge, accessToken: response.accessToken)
      switch try await verify(text, expectations, metadata: metadata) {
      case .success(let token): verified = token
      case .failure(let error): throw .invalid("\(error)")
      }
    }
    let profile = try await profile(
      metadata, accessToken: response.accessToken, subject: verified?.subject)
    return .issued(
      IssuedGrant(receipt: receipt, previous: nil) { refreshToken in
        Grant(
          issuer: metadata.issuer,
          clientId: configuration.clientId,
          subject: verified?.subject ?? profile?["sub"]?.string,
          accountName: AccountName.find(in: [profile, verified?.claims]),
          accessToken: response.accessToken,
          tokenType: TokenResponse.tokenType,
          scope: response.scope ?? configuration.scopes.joined(separator: " "),
          issuedAt: startedAt,
          expiresAt: response.lifetime.map { startedAt + $0 },
          refreshToken: refreshToken,
          idToken: verified?.text,
          renewableUntil: response.renewableFor.map { startedAt + $0 })
      })
  }

  /// What UserInfo says of the account; nil where it says nothing.
  ///
  /// It is for show, so a provider that does not answer costs the name only; one that answers
  /// about somebody else ends the sign-in.
  ///
  /// - Throws: `ExchangeFailure.invalid` or `.otherAccount`.
  private func profile(
    _ metadata: ProviderMetadata, accessToken: String, subject: String?
  ) async throws(ExchangeFailure) -> JSONObject? {
    guard let endpoint = metadata.userInfo else { return nil }
    do throws(ExchangeFailure) {
      return try await UserInfo(requests: requests)
        .claims(at: endpoint, accessToken: accessToken, subject: subject)
    } catch {
      switch error {
      case .invalid, .otherAccount: throw error
      default: return nil
      }
    }
  }
}
