package import GrantModel
package import SessionModel

// What can happen to a record. Each change is committed by one write.
extension CanonicalRecord {
  /// Puts a token on the list of grants to be revoked.
  ///
  /// The token that is in force is never put there, and none twice.
  /// - Parameters:
  ///   - token: the token that stands for the grant.
  ///   - now: the time; the entry is dropped after 7 days.
  package mutating func queueRevocation(of token: RevocableToken, now: UnixTime) {
    guard revocableToken?.isSame(as: token) != true,
      !pendingRevocations.contains(where: { $0.token.isSame(as: token) })
    else { return }
    pendingRevocations.append(
      PendingRevocation(token: token, attempts: 0, expiresAt: now + .seconds(7 * 86_400)))
  }

  /// Notes the token that a sign-in brought; one that it brought before is to be revoked.
  package mutating func noteSignIn(_ token: RevocableToken, now: UnixTime) {
    let earlier = signInToken
    signInToken = token
    exchangeStartedAt = nil
    if let earlier, !earlier.isSame(as: token) { queueRevocation(of: earlier, now: now) }
  }

  /// Gives up a sign-in and what it brought.
  ///
  /// - Returns: whether there was anything to give up.
  package mutating func abandonSignIn(now: UnixTime) -> Bool {
    let wasAsking = exchangeStartedAt != nil
    exchangeStartedAt = nil
    guard let token = signInToken else { return wasAsking }
    signInToken = nil
    queueRevocation(of: token, now: now)
    return true
  }

  /// Begins the session of a sign-in; the grant that it replaces is to be revoked.
  package mutating func begin(_ grant: Grant, now: UnixTime) {
    let superseded = [revocableToken, signInToken].compactMap(\.self)
    phase = .active(grant)
    // Some providers hand over once more what they handed over before.
    pendingRevocations.removeAll { $0.token.isSame(as: grant.revocableToken) }
    accountName = grant.accountName
    var end = loginEnd ?? LoginEnd(issuer: grant.issuer)
    end.begin(grant, now: now)
    loginEnd = end
    signInToken = nil
    settleRenewal()
    for token in superseded { queueRevocation(of: token, now: now) }
  }

  /// Goes on with the grant of a renewal.
  package mutating func renew(as grant: Grant) {
    if let former = self.grant {
      var end = loginEnd ?? LoginEnd(issuer: grant.issuer)
      end.renew(former, as: grant)
      loginEnd = end
    }
    phase = .active(grant)
    accountName = grant.accountName ?? accountName
    settleRenewal()
  }

  /// Ends the session and erases its tokens.
  ///
  /// - Parameters:
  ///   - phase: what the namespace holds from now on.
  ///   - now: the time.
  ///   - revoking: whether the provider is to be told.
  package mutating func end(as phase: Phase, now: UnixTime, revoking: Bool) {
    let token = revocableToken
    if let grant, case .reauthenticationRequired(.invalidGrant) = phase {
      loginEnd?.end(grant, now: now)
    }
    accountName = shownAccountName
    self.phase = phase
    accountName = shownAccountName
    settleRenewal()
    if revoking, let token { queueRevocation(of: token, now: now) }
  }

  /// Decides what is to become of that which an earlier process left half done.
  ///
  /// - Returns: whether the record changed.
  package mutating func settleInterruption(now: UnixTime) -> Bool {
    let hasAbandoned = abandonSignIn(now: now)
    guard let intent = rotationIntent, !intent.isRetry else { return hasAbandoned }
    // The provider may have rotated the token before the crash: from now on every try is a retry.
    rotationIntent = RotationIntent(startedAt: intent.startedAt, isRetry: true)
    return true
  }

  private mutating func settleRenewal() {
    rotatedToken = nil
    rotationIntent = nil
    refusals = 0
    isRollbackSuspected = false
  }
}
