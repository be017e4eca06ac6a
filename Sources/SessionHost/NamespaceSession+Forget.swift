import GrantModel
package import HostControl
import SecureStore
import SessionModel

/// How a namespace was forgotten for whoever asked for it.
package enum ForgetReport: Sendable, Hashable {
  /// Nothing of it is left on this machine; whether the provider is known to have revoked it.
  case forgotten(isRevoked: Bool)
  /// It could not be erased, or there was nothing to erase.
  case failed(ControlFailureReason, String)
}

extension NamespaceSession {
  /// Signs out as far as that is possible, then erases what is stored, in whatever state it is.
  ///
  /// Neither the provider nor a failing disk keeps it from being erased: the provider is waited for
  /// no longer than by a sign-out, and nobody tells it later.
  package func forget() async -> ForgetReport {
    let isRevoked: Bool
    switch await signOut() {
    case .failed(.stopping, let message): return .failed(.stopping, message)
    case .signedOut(let outcome): isRevoked = outcome == .done
    case .failed: isRevoked = await revokeUnstored()
    }
    // What it would store after this would come back at the next start.
    settlement?.cancel()
    _ = await settlement?.value
    do {
      _ = try store.forget(setup.namespace)
    } catch {
      return .failed(.storage, error.description)
    }
    beginAnew()
    log(.info, "\(setup.namespace): forgotten")
    return .forgotten(isRevoked: isRevoked)
  }

  // An end that cannot be stored: the entry is going to be erased, so nothing is lost by a try.
  private func revokeUnstored() async -> Bool {
    signingIn?.cancel()
    let tokens = record.revocableTokens
    let source = setup.source
    let attempt = Task {
      var isRevoked = true
      for token in tokens {
        if case .done = await source.revoke(token) { continue }
        isRevoked = false
      }
      return isRevoked
    }
    return await attempt.value(within: Self.signOutLimit, by: time) ?? false
  }
}
