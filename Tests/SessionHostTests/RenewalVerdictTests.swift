import GrantModel
import SessionHost
import SessionModel
import Testing

@Suite struct RenewalVerdictTests {
  private static func grant(
    _ access: String = "access", issuer: String = "https://id.example", subject: String? = "alice"
  ) throws -> Grant {
    Grant(
      issuer: issuer, clientId: "desktop", subject: subject, accountName: nil, accessToken: access,
      tokenType: "Bearer", scope: nil, issuedAt: UnixTime(rawValue: 0), expiresAt: nil,
      refreshToken: try RefreshToken("refresh"), idToken: nil)
  }

  private static func judge(
    _ outcome: GrantOutcome, isRetry: Bool = false, hasReloaded: Bool = false
  ) throws -> String {
    let intent = CanonicalRecord.RotationIntent(
      startedAt: UnixTime(rawValue: 0), isRetry: isRetry)
    let verdict = RenewalVerdict.judge(
      outcome, of: try grant(), intent: intent, hasReloaded: hasReloaded)
    return switch verdict {
    case .retryLostAnswer: "retry"
    case .reload(let otherwise): "reload, " + text(otherwise)
    case .conclude(let conclusion): text(conclusion)
    }
  }

  private static func text(_ conclusion: RenewalVerdict.Conclusion) -> String {
    switch conclusion {
    case .accept(let grant): "accept \(grant.accessToken)"
    case .end(let ending): "end \(ending.reason.rawValue)\(ending.revokes ? ", revoke" : "")"
    case .keep(let cause, let retryAfter, let counts):
      "keep (\(cause))\(retryAfter.map { " after \($0)" } ?? "")\(counts ? ", count" : "")"
    }
  }

  private struct Journal: GrantJournal {
    func write(_ grant: ProvisionalGrant) async throws(JournalError) {}
  }

  private static func issued(_ grant: Grant) async throws -> GrantOutcome {
    let receipt = try await Journal().record(ProvisionalGrant(refreshToken: nil, accessToken: nil))
    return .issued(IssuedGrant(receipt: receipt, previous: nil) { _ in grant })
  }

  @Test func aGrantOfTheSameAccountIsAccepted() async throws {
    #expect(try Self.judge(await Self.issued(Self.grant("new"))) == "accept new")
    // A provider that stops to tell the subject says nothing about it.
    #expect(try Self.judge(await Self.issued(Self.grant("new", subject: nil))) == "accept new")
  }

  @Test func rf02AndRf03AnotherIssuerOrSubjectEndsTheSession() async throws {
    for other in [
      try Self.grant(subject: "mallory"), try Self.grant(issuer: "https://id.example/"),
      try Self.grant(issuer: "https://ID.example"),
    ] {
      #expect(try Self.judge(await Self.issued(other)) == "end account-changed, revoke")
    }
    #expect(try Self.judge(.terminal(.accountChanged)) == "end account-changed, revoke")
  }

  @Test func rf09InvalidGrantEndsTheSessionAfterALookIntoTheStore() throws {
    #expect(try Self.judge(.terminal(.invalidGrant)) == "reload, end invalid-grant")
    #expect(try Self.judge(.terminal(.invalidGrant), hasReloaded: true) == "end invalid-grant")
    #expect(
      try Self.judge(.terminal(.invalidGrant), isRetry: true) == "reload, end lost-rotation")
  }

  @Test func aConflictKeepsTheSession() throws {
    let kept = "keep (another renewal of the same session is under way)"
    #expect(try Self.judge(.conflict) == "reload, " + kept)
    #expect(try Self.judge(.conflict, hasReloaded: true) == kept)
  }

  @Test(arguments: [
    GrantFailure.accessDenied, .expired, .cancelled, .responseMismatch("state"),
    .verification("nonce"), .provider(code: "temporarily_unavailable"), .configuration("no"),
    .redirectUnavailable("port"),
  ])
  func nothingElseThatIsFinalEndsASession(failure: GrantFailure) throws {
    #expect(
      try Self.judge(.terminal(failure))
        == "keep (the provider's answer failed a check: \(failure))")
  }

  @Test func aSessionWithNothingToRenewItWithEnds() throws {
    #expect(try Self.judge(.terminal(.notRenewable)) == "end no-refresh-token")
  }

  @Test func aLostAnswerIsAskedForOnce() throws {
    #expect(try Self.judge(.transient(.lostAnswer("timeout"), retryAfter: nil)) == "retry")
    #expect(
      try Self.judge(.transient(.lostAnswer("timeout"), retryAfter: nil), isRetry: true)
        == "keep (the provider's answer was lost: timeout)")
  }

  @Test(arguments: [false, true])
  func rf10WhatIsTemporaryKeepsTheSession(isRetry: Bool) throws {
    for cause in [
      TransientCause.network("down"), .tls("expired"), .unavailable(status: 502), .rateLimited,
      .oauth(code: "invalid_client"), .unverifiable("signature"),
      .storage(JournalError("disk full")),
    ] {
      #expect(
        try Self.judge(.transient(cause, retryAfter: .seconds(7)), isRetry: isRetry)
          == "keep (\(cause)) after 7.0 seconds")
    }
    #expect(
      try Self.judge(
        .transient(.refusedWithoutReason(status: 400), retryAfter: nil), isRetry: isRetry)
        == "keep (the provider refused with status 400 and gave no reason), count")
  }

  @Test(arguments: [
    (TransientCause.network("down"), false, HostState.offline), (.tls("expired"), false, .offline),
    (.lostAnswer("timeout"), false, .offline), (.unavailable(status: 500), false, .offline),
    (.unavailable(status: 503), true, .waiting(until: UnixTime(rawValue: 9))),
    (.rateLimited, true, .waiting(until: UnixTime(rawValue: 9))),
    (.oauth(code: "invalid_client"), false, .waiting(until: UnixTime(rawValue: 9))),
    (.refusedWithoutReason(status: 400), false, .waiting(until: UnixTime(rawValue: 9))),
    (.unverifiable("iss"), false, .waiting(until: UnixTime(rawValue: 9))),
    (.conflict, false, .waiting(until: UnixTime(rawValue: 9))),
    (.storage(JournalError("disk full")), false, .ok),
  ])
  func theHostSaysWhyASnapshotIsLate(cause: TransientCause, isObeying: Bool, state: HostState) {
    #expect(
      HostState(after: cause, retryAt: UnixTime(rawValue: 9), isObeying: isObeying) == state)
  }
}
