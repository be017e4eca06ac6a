package import GrantModel
package import HostControl
import SecureStore
import SessionModel

/// How a sign-out ended for whoever asked for it.
package enum SignOutReport: Sendable, Hashable {
  /// The session is hidden and erased; what has become of the grant at the provider by now.
  case signedOut(HostControl.RevocationOutcome)
  /// Nothing changed.
  case failed(ControlFailureReason, String)
}

extension NamespaceSession {
  /// How long a sign-out waits for the provider before it says that it will be told later.
  package static let signOutLimit: Duration = .seconds(5)

  /// Signs out: hides the session at once, then tells the provider.
  ///
  /// The tombstone is published before any network call. A provider that can't be reached is told
  /// later, and one that is slow is waited for in the background; until it has been told, the grant
  /// stays on the list of pending revocations. A sign-in that
  /// is under way is called off. When the end cannot be stored, the session stays as it was.
  package func signOut() async -> SignOutReport {
    guard !isStopping else { return .failed(.stopping, "the host is stopping") }
    var ended = record
    ended.end(as: .signedOut, now: time.now().wall, revoking: true)
    do {
      try commit(ended)
    } catch {
      return .failed(.storage, error.description)
    }
    epoch += 1
    signingIn?.cancel()
    renewals.noteEnd()
    publishSnapshot()
    log(.info, "\(setup.namespace): signed out")
    let settlement = Task { await self.settleSignOut() }
    let outcome = await settlement.value(within: Self.signOutLimit, by: time) ?? .pending
    return .signedOut(HostControl.RevocationOutcome(outcome))
  }

  private func settleSignOut() async -> SettlementOutcome {
    let outcome = await settleRevocations()
    // A renewal that is under way may still bring a rotated token, which has to be revoked too.
    while let renewal { _ = await renewal.value }
    return outcome == .pending ? outcome : max(outcome, await settleRevocations())
  }

  /// Signs out, then ends the person's session in the browser at the provider.
  ///
  /// The session here is over whatever becomes of the other: that is worth a warning and no more.
  /// - Parameter prompt: shows the person where to go.
  /// - Returns: how the sign-out ended, and why the session at the provider may go on.
  package func signOutInBrowser(
    prompt: @escaping @Sendable (SignInPrompt) async -> Void
  ) async -> (report: SignOutReport, unconfirmed: String?) {
    let grant = record.grant
    let report = await signOut()
    guard case .signedOut = report, let grant else { return (report, nil) }
    switch await setup.source.endSession(of: grant, prompt: prompt) {
    case .done:
      log(.info, "\(setup.namespace): the session at the provider has ended")
      return (report, nil)
    case .unconfirmed(let why), .unsupported(let why):
      log(.warning, "\(setup.namespace): signed out here, perhaps not at the provider: \(why)")
      return (report, why)
    }
  }

  /// Brings the address that a browser was sent back to, to the sign-in that waits for it.
  package func deliver(_ address: String) async -> DeliveryOutcome {
    await setup.source.deliver(address)
  }
}
