package import CommandRuntime
package import SessionModel
package import VaultReader

/// An access token as `token` and `run` need it: from the snapshot, or newer from the host.
package struct TokenRequest: Sendable {
  /// How asking the host went.
  package enum HostAnswer: Sendable, Hashable {
    /// A new snapshot is published.
    case renewed
    /// The host says why not.
    case refused(CommandFailure)
    /// No host could be asked, or it took too long.
    case silent
  }

  private let vault: TokenVault
  private let namespace: Namespace
  private let validity: Duration?
  private let mayAsk: Bool

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - vault: where the snapshots are.
  ///   - namespace: the namespace.
  ///   - validity: how long the token has to be good; nil for the default margin.
  ///   - mayAsk: whether the host may be asked for a newer token.
  package init(vault: TokenVault, namespace: Namespace, validFor validity: Duration?, mayAsk: Bool)
  {
    self.vault = vault
    self.namespace = namespace
    self.validity = validity
    self.mayAsk = mayAsk
  }

  /// Gets the session with its token.
  ///
  /// - Parameter ask: asks the host to renew unless its token is good for the given time.
  /// - Returns: the session and its account.
  /// - Throws: `CommandFailure`.
  package func session(
    asking ask: (Namespace, Duration) -> HostAnswer
  ) throws(CommandFailure) -> UsableSession {
    let first: AccessTokenError
    do {
      return try vault.usableSession(namespace: namespace.name, validFor: validity)
    } catch {
      first = error
    }
    guard mayAsk, let needed = RenewalNeed.validity(after: first) else {
      throw CommandFailure(first)
    }
    let answer = ask(namespace, needed)
    do {
      return try vault.usableSession(namespace: namespace.name, validFor: validity)
    } catch {
      // The host's own reason is the better one, unless the session itself has ended meanwhile.
      if case .refused(let failure) = answer, RenewalNeed.validity(after: error) != nil,
        // That nobody is signed in is what the missing snapshot says as well.
        error.reason != .absent || failure.code != .signedOut
      {
        throw failure
      }
      if answer == .renewed, case .tooShort = error.reason {
        throw CommandFailure(
          "\(error.message), and the host has no better one: the provider's tokens do not live for"
            + " that long; ask for less", ExitCode(error))
      }
      throw CommandFailure(error)
    }
  }
}
