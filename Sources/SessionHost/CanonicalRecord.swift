package import GrantModel
package import SessionModel
package import SnapshotFormat

/// Everything durable about one namespace, committed together by one rename.
package struct CanonicalRecord: Sendable {
  /// What the namespace holds.
  package enum Phase: Sendable {
    /// Nobody has ever signed in here.
    case empty
    /// Somebody is signed in.
    case active(Grant)
    /// The person signed out.
    case signedOut
    /// The session ended by itself and a person has to sign in again.
    case reauthenticationRequired(ReauthenticationReason)
  }

  /// The random name within which generations count; new where the last snapshot is not known.
  package var life: SnapshotLife
  /// The generation of the last snapshot; the next one has the next number.
  package var generation: UInt64
  /// What the namespace holds.
  package var phase: Phase
  /// The display name of the account, kept for whoever has to sign in again.
  package var accountName: String?
  /// The refresh token that an unfinished or unverified renewal left; it replaces the grant's own.
  package var rotatedToken: RefreshToken?
  /// The renewal that was begun and whose end is not recorded.
  package var rotationIntent: RotationIntent?
  /// When a sign-in began to ask for its grant, until the token has come or the sign-in is over.
  ///
  /// Of a grant that the provider made and the process did not live to store, nothing is left here
  /// that could revoke it. Its code is not sent once more, although RFC 6749 4.1.2 has providers
  /// revoke then what it brought: no token request is made without a person, and there are providers
  /// that hand out new tokens instead. So the next start can only say that there may be one.
  package var exchangeStartedAt: UnixTime?
  /// The token of a sign-in that has not been verified yet.
  package var signInToken: RevocableToken?
  /// When the grant's access token was obtained, on both clocks, so that the next process of this
  /// boot counts its rest by the one that cannot be set; nil where that is not known.
  package var obtainedAt: Instant?
  /// Whether the record seems to have been put back from an older copy; then its refresh token is
  /// not used, and kept until a sign-in replaces it.
  package var isRollbackSuspected: Bool
  /// How often in a row the provider refused a renewal without a reason.
  package var refusals: Int
  /// Grants that the provider still has to be told to forget.
  package var pendingRevocations: [PendingRevocation]
  /// The keyed fingerprint of a refresh token that must never be used again, until a provider hands
  /// it over anew.
  package var latchedFingerprint: [UInt8]?
  /// What is known of the end of logins; nil before the first one that this was kept for.
  package var loginEnd: LoginEnd?

  /// A renewal whose request may have reached the provider.
  package struct RotationIntent: Sendable, Hashable {
    /// When it was begun.
    package let startedAt: UnixTime
    /// Whether it is the one retry after a lost answer.
    package let isRetry: Bool

    /// Creates an intent.
    package init(startedAt: UnixTime, isRetry: Bool) {
      self.startedAt = startedAt
      self.isRetry = isRetry
    }
  }

  /// A grant that is to be revoked.
  package struct PendingRevocation: Sendable {
    /// The token that stands for it.
    package let token: RevocableToken
    /// How often it was tried.
    package var attempts: Int
    /// When the provider has forgotten it in any case.
    package let expiresAt: UnixTime

    /// Creates an entry.
    package init(token: RevocableToken, attempts: Int, expiresAt: UnixTime) {
      self.token = token
      self.attempts = attempts
      self.expiresAt = expiresAt
    }
  }

  /// Creates the record of a namespace that holds nothing yet.
  package init(life: SnapshotLife) {
    self.life = life
    generation = 0
    phase = .empty
    isRollbackSuspected = false
    refusals = 0
    pendingRevocations = []
  }

  /// The grant, while somebody is signed in.
  package var grant: Grant? {
    if case .active(let grant) = phase { grant } else { nil }
  }

  /// The name of who is signed in or has to sign in again; nil after a sign-out, whatever is kept.
  package var shownAccountName: String? {
    if case .signedOut = phase { return nil }
    return grant?.accountName ?? accountName
  }

  /// The refresh token that is in force: the one of an unfinished renewal, or the grant's.
  package var currentRefreshToken: RefreshToken? {
    rotatedToken ?? grant?.refreshToken
  }

  /// The token by which the provider can be told to forget the grant that is in force.
  package var revocableToken: RevocableToken? {
    grant.map { RevocableToken(refreshToken: currentRefreshToken, accessToken: $0.accessToken) }
  }

  /// The grant with the refresh token that is in force.
  package var renewableGrant: Grant? {
    guard let grant, let token = currentRefreshToken else { return nil }
    return grant.replacingRefreshToken(with: token)
  }

  /// Why only a person can help although nothing is erased: the record seems to be an old copy, or
  /// the provider has refused too often without a reason.
  ///
  /// After such refusals a renewal which somebody asks for can still succeed.
  package var refusal: ReauthenticationReason? {
    guard grant != nil else { return nil }
    if isRollbackSuspected { return .rollbackSuspected }
    guard refusals >= RenewalPolicy.refusalLimit else { return nil }
    return rotationIntent?.isRetry == true ? .lostRotation : .refusedWithoutReason
  }

  /// Every token in the record by which a grant can be revoked.
  package var revocableTokens: [RevocableToken] {
    [grant?.revocableToken, rotatedToken.map { .refreshToken($0) }, signInToken]
      .compactMap(\.self) + pendingRevocations.map(\.token)
  }
}

extension Grant {
  /// The same grant with another refresh token.
  package func replacingRefreshToken(with token: RefreshToken?) -> Grant {
    Grant(
      issuer: issuer, clientId: clientId, subject: subject, accountName: accountName,
      accessToken: accessToken, tokenType: tokenType, scope: scope, issuedAt: issuedAt,
      expiresAt: expiresAt, refreshToken: token, idToken: idToken,
      renewableUntil: renewableUntil)
  }
}
