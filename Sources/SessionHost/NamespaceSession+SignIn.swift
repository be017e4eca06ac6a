package import GrantModel
package import HostControl
import SecureStore
import SessionModel

/// How a sign-in ended for whoever asked for it.
package enum SignInReport: Sendable, Hashable {
  /// Somebody is signed in.
  case signedIn
  /// Nobody was signed in by this; a session that was there before is still there.
  case failed(ControlFailureReason, String)
}

extension NamespaceSession {
  /// Signs a person in; cancelling the task calls it off.
  ///
  /// A failed sign-in leaves the existing session as it is. One that succeeds replaces it, and the
  /// provider is told to forget the old grant.
  /// - Parameters:
  ///   - request: what the person asked for.
  ///   - prompt: shows the person where to go.
  /// - Returns: how it ended.
  package func signIn(
    _ request: GrantModel.SignInRequest,
    prompt: @escaping @Sendable (SignInPrompt) async -> Void
  ) async -> SignInReport {
    guard !isSigningIn else {
      return .failed(.loginInProgress, "a sign-in to \(setup.namespace) is under way already")
    }
    isSigningIn = true
    defer { isSigningIn = false }
    let journal = SignInJournal(session: self)
    let outcome = await setup.source.signIn(request, journal: journal, prompt: prompt)
    switch outcome {
    case .issued(let issued): return await adopt(issued.grant)
    case .conflict:
      abandonSignIn()
      return .failed(.providerError, "the provider saw another sign-in at the same time")
    case .terminal(let failure):
      abandonSignIn()
      log(.info, "\(setup.namespace): sign-in failed: \(failure)")
      return .failed(failure.reason, failure.description)
    case .transient(let cause, _):
      abandonSignIn()
      log(.info, "\(setup.namespace): sign-in failed: \(cause)")
      return .failed(cause.reason, cause.description)
    }
  }

  private func adopt(_ grant: Grant) async -> SignInReport {
    // A renewal of the old session is waited for, so that its rotated token is known and revoked.
    _ = await renewal?.value
    epoch += 1
    var adopted = record
    if let old = record.currentRefreshToken, let new = grant.refreshToken, !old.isSame(as: new) {
      adopted.queueRevocation(of: old, now: time.now().wall)
    }
    adopted.phase = .active(grant)
    adopted.accountName = grant.accountName
    adopted.signInToken = nil
    adopted.rotatedToken = nil
    adopted.rotationIntent = nil
    adopted.refusals = 0
    adopted.latchedFingerprint = nil
    do {
      try commit(adopted)
    } catch {
      abandonSignIn()
      return .failed(.storage, error.description)
    }
    noteObtained()
    publishSnapshot()
    scheduleTimer()
    log(.info, "\(setup.namespace): signed in at \(grant.issuer)")
    if !record.pendingRevocations.isEmpty { Task { await self.settleRevocations() } }
    return .signedIn
  }

  // What the provider handed over and the host does not keep is revoked, now or later.
  private func abandonSignIn() {
    guard let token = record.signInToken else { return }
    var abandoned = record
    abandoned.queueRevocation(of: token, now: time.now().wall)
    abandoned.signInToken = nil
    commitOrKeep(abandoned)
    Task { await self.settleRevocations() }
  }

  fileprivate func storeSignIn(_ token: RefreshToken) throws(JournalError) {
    var pending = record
    pending.signInToken = token
    do {
      try commit(pending)
    } catch {
      // In memory all the same, so that the failed sign-in is revoked.
      record = pending
      throw JournalError(error.description)
    }
  }
}

/// The journal of one sign-in: the new token is durable before anything in the answer is believed.
private struct SignInJournal: GrantJournal {
  let session: NamespaceSession

  func write(_ grant: ProvisionalGrant) async throws(JournalError) {
    guard let token = grant.refreshToken else { return }
    try await session.storeSignIn(token)
  }
}

extension GrantFailure {
  /// The stable word for whoever asked.
  var reason: ControlFailureReason {
    switch self {
    case .invalidGrant, .notRenewable: .reauthenticationRequired
    case .accountChanged, .verification: .verificationFailed
    case .accessDenied: .accessDenied
    case .expired: .expired
    case .cancelled: .cancelled
    case .responseMismatch: .responseMismatch
    case .provider: .providerError
    case .configuration: .configuration
    case .redirectUnavailable: .redirectUnavailable
    }
  }
}

extension TransientCause {
  /// The stable word for whoever asked.
  var reason: ControlFailureReason {
    switch self {
    case .network, .tls, .unavailable, .lostAnswer: .offline
    case .rateLimited: .waiting
    case .refusedWithoutReason, .oauth: .providerError
    case .unverifiable: .verificationFailed
    case .storage: .storage
    }
  }
}
