import GrantModel
package import HostControl
import SecureStore
import SessionModel

/// How a sign-out ended for whoever asked for it.
package enum SignOutReport: Sendable, Hashable {
  /// The session is hidden and erased; what became of the grant at the provider.
  case signedOut(HostControl.RevocationOutcome)
  /// Nothing changed.
  case failed(ControlFailureReason, String)
}

extension NamespaceSession {
  /// Signs out: hides the session at once, then tells the provider.
  ///
  /// The tombstone is published before any network call. A provider that can't be reached is told
  /// later; until it has been, the grant stays on the list of pending revocations. A sign-in that
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
    // A renewal that is under way may still bring a rotated token, which has to be revoked too.
    while let renewal { _ = await renewal.value }
    return .signedOut(HostControl.RevocationOutcome(await settleRevocations()))
  }
}
