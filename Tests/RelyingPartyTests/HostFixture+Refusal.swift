import DevelopmentProvider
import GrantModel
import HostControl
import SessionHost
import SessionModel
import TestSupport
import Testing

extension HostFixture {
  /// Signs in and requires that the host refuses, with everything that this means.
  ///
  /// - Parameters:
  ///   - message: what the person is told.
  ///   - reason: the stable word beside it.
  ///   - requests: every request that the provider may see, in order.
  ///   - refreshes: how many of them are renewals of what the exchange brought.
  ///   - request: what is asked for.
  ///   - sourceLocation: where it is required.
  ///   - person: does what the host's first event says.
  /// - Throws: what the person threw, or `EventWaitError` when the host hung up.
  func expectRefusal(
    _ message: String, reason: ControlFailureReason = .verificationFailed,
    requests: [ProviderEndpoint], refreshes: Int = 0,
    request: HostControl.SignInRequest = .init(namespace: .primary, flow: .browser),
    sourceLocation: SourceLocation = #_sourceLocation,
    person: @Sendable (ControlEvent) async throws -> Void = HostFixture.browse
  ) async throws {
    let end = try await signIn(request, person: person)
    #expect(end == .failed(reason, message: message), sourceLocation: sourceLocation)
    // After another end there is no telling what to wait for.
    guard end == .failed(reason, message: message) else { return await service.stop() }
    try await expectNothing(
      of: requests, refreshes: refreshes, sourceLocation: sourceLocation)
  }

  /// Requires that a sign-in left nothing: no further request, nothing stored, no snapshot.
  ///
  /// A grant that the provider made and the host does not keep is revoked where that is possible;
  /// this one request is the end of it.
  func expectNothing(
    of requests: [ProviderEndpoint], refreshes: Int = 0, in namespace: Namespace = .primary,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let index = HostFixture.namespaces.firstIndex(of: namespace) ?? 0
    let provider = providers[index]
    let isRevocable = provider.overrides.discovery.allSatisfy {
      if case .remove("revocation_endpoint") = $0 { false } else { true }
    }
    var expected = requests
    // Where it is missing, it is looked for in the authorization server's metadata.
    if !isRevocable, requests.first == .discovery { expected.insert(.serverMetadata, at: 1) }
    if provider.counts.grants > 0, isRevocable {
      try await provider.waitForRequests(1, at: .revoke)
      expected.append(.revoke)
    }
    // Until the answer to that has been dealt with; each round is an exchange with the host.
    var rounds = 0
    while rounds < 2_000, try stored(namespace)?.pendingRevocations.isEmpty == false {
      _ = try await status(namespace)
      rounds += 1
    }
    for wait in [5, 60, 3_600] { try await pass(.seconds(wait)) }
    #expect(provider.requests.map(\.endpoint) == expected, sourceLocation: sourceLocation)
    #expect(provider.counts.refreshes == refreshes, sourceLocation: sourceLocation)
    #expect(
      provider.counts.revocations == expected.count { $0 == .revoke },
      sourceLocation: sourceLocation)
    #expect(!hasSnapshot(namespace), sourceLocation: sourceLocation)
    let stored = try stored(namespace)
    #expect(stored?.grant == nil, sourceLocation: sourceLocation)
    #expect(stored?.currentRefreshToken == nil, sourceLocation: sourceLocation)
    #expect(stored?.signInToken == nil, sourceLocation: sourceLocation)
    #expect(stored?.pendingRevocations.isEmpty != false, sourceLocation: sourceLocation)
    #expect(try await status(namespace)?.session == "absent", sourceLocation: sourceLocation)
    await service.stop()
  }
}
