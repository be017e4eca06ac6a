import FileSupport
import Glibc
import HostControl
import SnapshotFormat

/// Hands out an access token that is good now, for a client that asks for one before each call.
///
/// It takes no argument and is as good as a closure that is `async`, so it fits the interceptors
/// of gRPC and of other clients.
/// - Throws: `AccessTokenError`.
public typealias TokenProvider = @Sendable () throws(AccessTokenError) -> String

extension TokenVault {
  /// Makes a closure that hands out the access token of a namespace, as `accessToken` does.
  ///
  /// What it hands out is to be used at once: the next call may hand out another one, and after a
  /// sign-in to another account it is that account's.
  ///
  /// ```swift
  /// let provider = vault.tokenProvider(namespace: "primary")
  /// metadata.add(name: "authorization", value: "Bearer \(try provider())")
  /// ```
  /// - Parameters:
  ///   - namespace: the namespace's name.
  ///   - validity: how long the token must be good from now; nil for the default margin.
  /// - Returns: the closure; any thread may call it.
  public func tokenProvider(
    namespace: String = "primary", validFor validity: Duration? = nil
  ) -> TokenProvider {
    { () throws(AccessTokenError) -> String in
      try self.accessToken(namespace: namespace, validFor: validity)
    }
  }

  /// Tells the host that a resource has rejected an access token, and waits for the next one.
  ///
  /// It blocks, 5 s at most. Nobody is told of a token that is not published any more.
  /// - Parameters:
  ///   - accessToken: the token that the resource has rejected.
  ///   - namespace: the namespace's name.
  /// - Returns: what came of it.
  /// - Throws: `AccessTokenError` when there is no token at all.
  package func reject(
    _ accessToken: String, namespace: String
  ) throws(AccessTokenError) -> RejectionAnswer {
    let token = try tokenSighting(namespace: namespace, validFor: nil).token
    guard token.accessToken.utf8.elementsEqual(accessToken.utf8) else { return .replaced }
    let notice = RejectionNotice(
      vault: self, namespace: namespace, limit: RejectionNotice.patience)
    return notice.send(generation: token.generation, of: token)
  }

  /// Looks at the access token that is published now, whether it may be used or not.
  ///
  /// - Parameters:
  ///   - namespace: the namespace's name.
  ///   - validity: how long the token must be good from now; nil for the default margin.
  /// - Returns: the token, and why it must not be used where that is so.
  /// - Throws: `AccessTokenError` when there is no token at all.
  func tokenSighting(
    namespace: String, validFor validity: Duration?
  ) throws(AccessTokenError) -> TokenSighting {
    let slot = try slot(named: namespace)
    let now = context.clock.now()
    let accepted = try accepted(slot, at: now)
    let reason = accepted.refusal(for: validity, at: now)
    guard let session = accepted.session else {
      throw refusal(reason ?? .unsupportedRecord, slot, at: now)
    }
    let header = accepted.snapshot.header
    return TokenSighting(
      token: PublishedToken(
        accessToken: session.accessToken, generation: header.generation,
        account: header.accountFingerprint),
      refusal: reason.map { refusal($0, slot, at: now) })
  }

  /// The runtime directory of the host that published a namespace's snapshot, which has its socket.
  ///
  /// - Parameter namespace: the namespace's name.
  /// - Returns: the user's own, or that of a system service that this user is.
  /// - Throws: `ControlError` for another user's, or where there is none.
  func hostDirectory(of namespace: String) throws(ControlError) -> Directory {
    let directories = context.search.directories
    // Where the snapshot is a system service's, a host of the user's own has nothing to do with it.
    if let own = (try? slot(named: namespace))?.ownRuntime { return own }
    let service: Directory?
    do {
      service = try directories.openSystemDirectory()
    } catch {
      throw .file(error)
    }
    guard let service else {
      let first = directories.runtimeCandidates.first ?? ""
      throw .unreachable(path: first + "/" + ControlClient.socketName)
    }
    guard service.policy.owner == geteuid() else {
      throw .otherUser(directory: service.path, user: service.policy.owner)
    }
    return service
  }
}
