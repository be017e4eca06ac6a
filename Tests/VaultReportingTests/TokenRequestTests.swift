import CommandRuntime
import SessionModel
import Testing
import VaultReader
import VaultReporting

@Suite struct TokenRequestTests {
  private static func request(
    _ vault: TokenVault, validFor: Duration? = nil, mayAsk: Bool = true
  ) -> TokenRequest {
    TokenRequest(vault: vault, namespace: .primary, validFor: validFor, mayAsk: mayAsk)
  }

  private static func failure(
    _ request: TokenRequest, asking: (Namespace, Duration) -> TokenRequest.HostAnswer
  ) -> CommandFailure? {
    do {
      _ = try request.session(asking: asking)
      return nil
    } catch {
      return error
    }
  }

  @Test func aGoodTokenIsTakenWithoutTheHost() throws {
    let published = try PublishedVault(expiresIn: .seconds(900))
    let session = try Self.request(published.vault, validFor: .seconds(600)).session { _, _ in
      Issue.record("the host was asked")
      return .silent
    }
    #expect(session.record.accessToken == "token-1")
  }

  @Test func anUnmetPromiseIsAskedOfTheHostAndTheNewTokenTaken() throws {
    let published = try PublishedVault(expiresIn: .seconds(60))
    let session = try Self.request(published.vault, validFor: .seconds(600)).session {
      namespace, validity in
      #expect(namespace == .primary)
      #expect(validity == .seconds(600))
      #expect(throws: Never.self) {
        try published.publish(token: "token-2", generation: 2, expiresIn: .seconds(3600))
      }
      return .renewed
    }
    #expect(session.record.accessToken == "token-2")
  }

  @Test func theAccountIsThatOfTheTokenWhateverComesAfterwards() throws {
    let published = try PublishedVault(expiresIn: .seconds(60))
    try published.publish(token: "a", generation: 2, expiresIn: .seconds(900), account: "ada")
    let session = try Self.request(published.vault).session { _, _ in .silent }
    try published.publish(token: "g", generation: 3, expiresIn: .seconds(900), account: "grace")
    let text = try TokenFormat.json.text(session, namespace: .primary)
    #expect(text.contains(#""accessToken":"a""#) && text.contains(#""account":"ada""#), "\(text)")
  }

  @Test func anExpiredTokenIsAskedOfTheHost() throws {
    let published = try PublishedVault(expiresIn: .seconds(-5))
    let session = try Self.request(published.vault).session { _, validity in
      #expect(validity == .seconds(1))
      #expect(throws: Never.self) {
        try published.publish(token: "token-2", generation: 2, expiresIn: .seconds(3600))
      }
      return .silent
    }
    #expect(session.record.accessToken == "token-2")
  }

  @Test func withoutPermissionToAskItFailsAtOnce() throws {
    let published = try PublishedVault(expiresIn: .seconds(-5))
    let failure = Self.failure(Self.request(published.vault, mayAsk: false)) { _, _ in
      Issue.record("the host was asked")
      return .silent
    }
    #expect(failure?.code == .expired)
  }

  @Test(arguments: [
    (HostState.ok, ExitCode.expired), (.offline, .temporary), (.renewing, .temporary),
    (.waiting(until: UnixTime(rawValue: 1)), .temporary), (.storageFailed, .storage),
    (.locked, .permission),
  ])
  func aSilentHostLeavesWhatItsLastSnapshotSays(hostState: HostState, code: ExitCode) throws {
    let published = try PublishedVault(expiresIn: .seconds(-5), hostState: hostState)
    let failure = Self.failure(Self.request(published.vault)) { _, _ in .silent }
    #expect(failure?.code == code)
  }

  @Test func theHostsOwnReasonIsReported() throws {
    let published = try PublishedVault(expiresIn: .seconds(-5))
    let refusal = CommandFailure("the host: the provider asks for patience", .temporary)
    let failure = Self.failure(Self.request(published.vault)) { _, _ in .refused(refusal) }
    #expect(failure == refusal)
  }

  @Test func aSessionThatEndsMeanwhileIsReportedAsEnded() throws {
    let published = try PublishedVault(expiresIn: .seconds(-5))
    let failure = Self.failure(Self.request(published.vault)) { _, _ in
      #expect(throws: Never.self) { try published.publishSignedOut(generation: 2) }
      return .refused(CommandFailure("the host: no session", .signedOut))
    }
    #expect(
      failure
        == CommandFailure(
          "primary is signed out; run: tokenvault sign-in primary", .signedOut))
  }

  @Test func aTokenThatNeverLivesForLongEnoughIsExplained() throws {
    let published = try PublishedVault(expiresIn: .seconds(60))
    let failure = Self.failure(Self.request(published.vault, validFor: .seconds(7200))) { _, _ in
      #expect(throws: Never.self) {
        try published.publish(token: "token-2", generation: 2, expiresIn: .seconds(300))
      }
      return .renewed
    }
    #expect(failure?.code == .expired)
    #expect(
      failure?.description.hasSuffix(
        ", less than the 2h needed, and the host has no better one: the provider's tokens do not"
          + " live for that long; ask for less") == true, "\(failure?.description ?? "")")
  }

  @Test func aSnapshotThatWasRemovedIsAskedOfTheHost() throws {
    let published = try PublishedVault(expiresIn: .seconds(60))
    try published.removeSnapshot()
    let session = try Self.request(published.vault).session { _, validity in
      #expect(validity == .seconds(1))
      #expect(throws: Never.self) {
        try published.publish(token: "token-2", generation: 2, expiresIn: .seconds(300))
      }
      return .renewed
    }
    #expect(session.record.accessToken == "token-2")
  }

  @Test(arguments: [
    (CommandFailure("the host: nobody is signed in", .signedOut), ExitCode.absent),
    (CommandFailure("the host: no such namespace", .configuration), .configuration),
  ])
  func whereThereWasNeverASnapshotTheHostMayKnowWhy(refusal: CommandFailure, code: ExitCode) throws
  {
    let published = try PublishedVault(expiresIn: .seconds(60))
    try published.removeSnapshot()
    #expect(Self.failure(Self.request(published.vault)) { _, _ in .refused(refusal) }?.code == code)
    #expect(Self.failure(Self.request(published.vault)) { _, _ in .silent }?.code == .absent)
  }

  @Test func theHostIsNotAskedWhereItCannotHelp() throws {
    let published = try PublishedVault(expiresIn: .seconds(60))
    try published.publishSignedOut(generation: 2)
    let failure = Self.failure(Self.request(published.vault)) { _, _ in
      Issue.record("the host was asked")
      return .silent
    }
    #expect(failure?.code == .signedOut)
  }
}
