package import JOSE
internal import LoopbackHTTP
package import StrictJSON
internal import Synchronization

/// A small OpenID provider on loopback for demonstrations and tests; never a service.
///
/// Whoever can reach the port can sign in: it exists so that everything around it can be tried.
package final class LoopbackProvider: Sendable {
  /// The issuer identifier.
  package let issuer: String

  /// The port the provider listens on.
  package var port: UInt16 { server.port }

  private let core: ProviderCore
  private let server: LoopbackServer

  /// Starts a provider.
  ///
  /// - Parameters:
  ///   - configuration: How it behaves.
  ///   - key: The key that signs, nil to make one.
  ///   - observer: Told of every request, on the thread that served it.
  /// - Throws: `LoopbackProviderError` when the port is taken or no key can be made.
  package init(
    _ configuration: ProviderConfiguration = ProviderConfiguration(), key: SigningKey? = nil,
    observer: (@Sendable (JournalEntry) -> Void)? = nil
  ) throws(LoopbackProviderError) {
    do {
      let key = try key ?? SigningKey.generate(algorithm: configuration.algorithm)
      core = ProviderCore(configuration: configuration, key: key, observer: observer)
    } catch {
      throw LoopbackProviderError(description: "no signing key: \(error)")
    }
    var options = LoopbackServer.Options()
    // A delayed answer must not hold up the others.
    options.threadPerConnection = true
    do {
      let core = core
      server = try LoopbackServer(port: configuration.port, options: options) { core.answer($0) }
    } catch {
      throw LoopbackProviderError(description: error.description)
    }
    issuer = server.origin + configuration.issuerPath
    core.state.withLock { $0.issuer = server.origin + configuration.issuerPath }
  }

  /// Closes the port at once and ends every request.
  package func stop() {
    server.stop()
    core.journal.withLock { $0.close() }.forEach { $0.resume(returning: false) }
  }

  deinit {
    stop()
  }

  /// What the provider says otherwise than it should.
  package var overrides: ProviderOverrides {
    get { core.state.withLock { $0.overrides } }
    set { core.state.withLock { $0.overrides = newValue } }
  }

  /// How the provider behaves; a change counts from the next request on, the port stays.
  package var configuration: ProviderConfiguration {
    get { core.state.withLock { $0.configuration } }
    set { core.state.withLock { $0.configuration = newValue } }
  }

  /// Whether every connection is dropped.
  package var isDown: Bool {
    get { core.faults.withLock { $0.isDown } }
    set { core.faults.withLock { $0.isDown = newValue } }
  }

  /// Puts faults into force; requests and time are counted from here.
  package func setFaults(_ rules: [FaultRule]) {
    core.faults.withLock { faults in
      faults.script = FaultScript(rules)
      faults.start = .now
    }
  }

  /// What has happened at the token and revocation endpoints.
  package var counts: ProviderCounts { core.state.withLock { $0.counts } }

  /// Every refresh token and the latest ID tokens: what no widget may ever hold.
  package var hostTokens: [String] {
    core.state.withLock { Array($0.refreshTokens.keys) + $0.idTokens }
  }

  /// What clients asked to be registered as (RFC 7591 2), oldest first.
  package var registrations: [JSONObject] { core.state.withLock { $0.registrations } }

  /// The latest requests, oldest first.
  package var requests: [JournalEntry] { core.journal.withLock { $0.entries } }

  /// Returns how many requests an endpoint has had.
  package func count(of endpoint: ProviderEndpoint) -> Int {
    core.journal.withLock { $0.count(of: endpoint) }
  }

  /// Suspends until an endpoint has had a number of requests since the start.
  ///
  /// - Throws: `CancellationError` when the task is cancelled or the provider stopped first.
  package func waitForRequests(
    _ count: Int, at endpoint: ProviderEndpoint
  ) async throws(CancellationError) {
    let core = core
    let identifier = core.journal.withLock { $0.makeIdentifier() }
    let arrived = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let over = core.journal.withLock { journal in
          journal.wait(for: count, at: endpoint, identifier: identifier, continuation)
        }
        if let over { continuation.resume(returning: over) }
        if Task.isCancelled { core.cancelWait(identifier) }
      }
    } onCancel: {
      core.cancelWait(identifier)
    }
    if !arrived { throw CancellationError() }
  }

  /// Revokes every grant, as an administrator would; the next refresh is `invalid_grant`.
  package func revokeAllGrants() {
    core.state.withLock { state in
      for number in state.families.keys { state.revoke(family: number) }
    }
  }

  /// Decides about a user code, as the person on the device page would.
  ///
  /// - Returns: Whether there was something to decide.
  @discardableResult
  package func decideDevice(userCode: String, approve: Bool) -> Bool {
    core.state.withLock { state in
      let now = state.configuration.wallTime()
      return state.decideDevice(userCode: userCode, approve: approve, now: now)
    }
  }

  /// Signs with another key from here on.
  ///
  /// - Parameters:
  ///   - key: The new key.
  ///   - keepsOld: Whether the earlier keys stay published.
  package func rotateKey(to key: SigningKey, keepsOld: Bool = true) {
    core.state.withLock { $0.signer.rotate(to: key, keepsOld: keepsOld) }
  }
}

/// Why the provider could not start.
package struct LoopbackProviderError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What happened.
  package let description: String
}
