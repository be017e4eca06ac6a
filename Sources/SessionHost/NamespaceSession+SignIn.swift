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
    guard !isStopping else { return .failed(.stopping, "the host is stopping") }
    guard signingIn == nil else {
      return .failed(
        .loginInProgress,
        "a sign-in to \(setup.namespace) is under way already; finish it, or end it with Ctrl-C"
          + " where it was begun")
    }
    let epoch = epoch
    let source = setup.source
    let journal = SignInJournal(session: self, epoch: epoch)
    let task = Task { await source.signIn(request, journal: journal, prompt: prompt) }
    signingIn = task
    let outcome = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    if let adoption = adoption.take() {
      signingIn = nil
      return adoption
    }
    // What the provider handed over is stored, and revoked at the next start.
    guard !isStopping else {
      signingIn = nil
      return .failed(.stopping, "the host is stopping")
    }
    // What was begun before a sign-out must not undo it.
    if case .issued(let issued) = outcome, epoch == self.epoch {
      let report = await adopt(issued.grant, epoch: epoch)
      signingIn = nil
      return report
    }
    signingIn = nil
    // A lost answer of what came before the exchange, such as a pushed request, holds no grant.
    if record.exchangeStartedAt != nil, case .transient(let cause, _) = outcome,
      cause.mayHaveBeenCarriedOut
    {
      tellOfLostGrant()
    }
    abandonSignIn()
    let report = epoch == self.epoch ? SignInReport(outcome) : signedOutMeanwhile
    if case .failed(_, let message) = report {
      log(.info, "\(setup.namespace): sign-in failed: \(message)")
    }
    return report
  }

  /// Adopts a grant whose sign-in goes on until the person in front of the browser has been told.
  fileprivate func adoptDuringSignIn(_ grant: Grant, epoch: UInt64) async -> GrantAdoption {
    let former = record.grant
    let report = await adopt(grant, epoch: epoch)
    adoption = report
    switch report {
    case .signedIn:
      let replaced = former.flatMap { $0.isSameAccount(as: grant) ? nil : $0.displayName }
      return .adopted(account: grant.displayName ?? setup.accountName, replaced: replaced)
    case .failed(.storage, _): return .unsaved
    case .failed: return .unwanted
    }
  }

  // A sign-in is one act: a token that is over when it comes is nothing to show to readers, but its
  // grant may have another.
  private func renewed(_ grant: Grant, epoch: UInt64) async -> GrantOutcome {
    guard grant.refreshToken != nil, !Task.isCancelled else { return .bornExpired }
    log(.debug, "\(setup.namespace): the first access token has expired already; renewing it")
    let outcome = await setup.source.renew(
      grant, journal: SignInJournal(session: self, epoch: epoch, isRotation: true))
    if case .issued(let issued) = outcome, isOver(issued.grant) { return .bornExpired }
    return outcome
  }

  private func isOver(_ grant: Grant) -> Bool {
    grant.expiresAt.map { time.now().since($0) >= .zero } ?? false
  }

  private func isStoredSignIn(_ grant: Grant) -> Bool {
    stored.signInToken?.isSame(as: grant.revocableToken) == true
  }

  private func adopt(_ first: Grant, epoch: UInt64) async -> SignInReport {
    var grant = first
    if isOver(first) {
      let outcome = await renewed(first, epoch: epoch)
      guard case .issued(let issued) = outcome else {
        abandonSignIn()
        return SignInReport(outcome)
      }
      grant = issued.grant
    }
    guard isStoredSignIn(grant) else {
      abandonSignIn()
      return SignInReport(.notStored)
    }
    // A renewal of the old session is waited for, so that its rotated token is known and revoked.
    while let renewal { _ = await renewal.value }
    guard !isStopping else { return .failed(.stopping, "the host is stopping") }
    guard epoch == self.epoch else {
      abandonSignIn()
      return signedOutMeanwhile
    }
    var adopted = record
    let now = time.now()
    unlatch(&adopted, for: grant.refreshToken)
    adopted.begin(grant, now: now.wall)
    adopted.obtainedAt = now
    do {
      try commit(adopted)
    } catch {
      abandonSignIn()
      return .failed(.storage, error.description)
    }
    renewals.noteObtained(at: now, jitter: time.random())
    publishSnapshot()
    scheduleTimer()
    log(.info, "\(setup.namespace): signed in at \(grant.issuer)")
    beginSettlement()
    return .signedIn
  }

  private var signedOutMeanwhile: SignInReport {
    .failed(.cancelled, "\(setup.namespace) was signed out during the sign-in")
  }

  /// Says that the provider may have made a grant by which nobody can tell it to forget it.
  func tellOfLostGrant() {
    let text =
      "a sign-in was cut off before the provider's answer came: if it was approved, the provider may"
      + " hold a grant that nobody has; look there for the applications that have access"
    log(.warning, "\(setup.namespace): \(text)")
    setup.onError?(text)
  }

  // What the provider handed over and the host does not keep is revoked, now or later.
  func abandonSignIn() {
    var abandoned = record
    guard abandoned.abandonSignIn(now: time.now().wall) else { return }
    commitOrKeep(abandoned)
    beginSettlement()
  }

  fileprivate func noteExchange(epoch: UInt64) throws(JournalError) {
    // A cancelled task may get here all the same: nothing is sent of what is over, and nothing is
    // stored of what was forgotten.
    guard epoch == self.epoch, !isStopping else { throw JournalError("the sign-in is over") }
    var asking = record
    asking.exchangeStartedAt = time.now().wall
    do {
      try commit(asking)
    } catch {
      throw JournalError(error.description)
    }
  }

  fileprivate func storeSignIn(
    _ token: RevocableToken, isRotation: Bool
  ) throws(JournalError) {
    var pending = record
    // A token that was rotated away stands for nothing any more.
    if isRotation { pending.signInToken = nil }
    pending.noteSignIn(token, now: time.now().wall)
    // In memory in any case, so that what a failed sign-in brought is revoked.
    guard commitOrKeep(pending) else {
      throw JournalError(storage.failure ?? "the new token could not be stored")
    }
  }
}

extension GrantOutcome {
  fileprivate static let bornExpired = GrantOutcome.terminal(
    .verification("the access token had expired when it came"))
}

extension SignInReport {
  /// What the caller is told of a sign-in that brought nothing.
  fileprivate init(_ outcome: GrantOutcome) {
    switch outcome {
    case .issued: self = .signedIn
    case .conflict:
      self = .failed(.providerError, "the provider saw another sign-in at the same time")
    case .terminal(let failure): self = .failed(failure.reason, failure.description)
    case .transient(let cause, _): self = .failed(cause.reason, cause.description)
    }
  }
}

/// The journal of one sign-in: the new token is durable before anything in the answer is believed.
private struct SignInJournal: GrantJournal {
  let session: NamespaceSession
  let epoch: UInt64
  // Whether the grant is renewed already, before it is adopted.
  var isRotation = false

  func announceExchange() async throws(JournalError) {
    try await session.noteExchange(epoch: epoch)
  }

  func write(_ grant: ProvisionalGrant) async throws(JournalError) {
    // A renewal without a refresh token leaves the one that is stored in force.
    if isRotation, grant.refreshToken == nil { return }
    guard let token = grant.revocableToken else { return }
    try await session.storeSignIn(token, isRotation: isRotation)
  }

  func adopt(_ issued: IssuedGrant) async -> GrantAdoption {
    await session.adoptDuringSignIn(issued.grant, epoch: epoch)
  }
}

extension Grant {
  /// What the provider calls the account, for display.
  fileprivate var displayName: String? { accountName ?? subject.map { PrintableText.oneLine($0) } }
}

extension GrantFailure {
  /// The stable word for whoever asked.
  var reason: ControlFailureReason {
    switch self {
    case .invalidGrant, .notRenewable: .reauthenticationRequired
    case .accountChanged, .otherAccount, .verification: .verificationFailed
    case .accessDenied: .accessDenied
    case .expired: .expired
    case .cancelled: .cancelled
    case .responseMismatch: .responseMismatch
    case .provider: .providerError
    case .configuration: .configuration
    case .flowUnsupported: .flowUnsupported
    case .redirectUnavailable: .redirectUnavailable
    }
  }
}

extension TransientCause {
  /// The stable word for whoever asked.
  var reason: ControlFailureReason {
    switch self {
    case .network, .tls, .unavailable, .lostAnswer: .offline
    case .rateLimited, .conflict: .waiting
    case .refusedWithoutReason, .oauth: .providerError
    case .unverifiable: .verificationFailed
    case .local, .configuration: .configuration
    case .storage: .storage
    }
  }
}
