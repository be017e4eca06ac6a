import FileSupport
import SessionModel
import SnapshotFormat
import TestSupport
import Testing
import VaultReader

@Suite struct TokenVaultTests {
  @Test func aValidSessionIsReadWithEverythingThatIsKnown() throws {
    let fixture = try VaultFixture()
    let lock = try fixture.holdHostLock()
    try fixture.publishSession()
    let vault = fixture.vault()
    #expect(try vault.accessToken() == VaultFixture.token)
    #expect(try vault.accessToken(validFor: .seconds(3600)) == VaultFixture.token)
    let session = try #require(try vault.loadSession())
    #expect(session.issuer == "https://id.example")
    #expect(session.refreshToken == nil)
    #expect(session.idToken == nil)
    let state = vault.state()
    #expect(state.session == .valid)
    #expect(state.host == .reported(.ok))
    #expect(state.generation == 1)
    #expect(state.publishedAt == UnixTime(rawValue: 1_900_000_000))
    #expect(state.nextPublicationBy == UnixTime(rawValue: 1_900_004_000))
    #expect(state.expiresAt == UnixTime(rawValue: 1_900_003_600))
    #expect(state.expiresIn == .seconds(3600))
    #expect(state.issuer == "https://id.example")
    #expect(state.accountName == "ada@id.example")
    #expect(state.reason == nil)
    #expect(state.nextStep == nil)
    _ = lock
  }

  /// Whoever writes a name into a tombstone: who has left is shown to nobody.
  @Test func aSignedOutStateNamesNobodyAndOneToSignInAgainDoes() throws {
    let fixture = try VaultFixture()
    try fixture.publish(fixture.draft(.reauthenticationRequired(.invalidGrant)))
    let vault = fixture.vault()
    #expect(vault.state().accountName == "ada@id.example")
    try fixture.publish(fixture.draft(.signedOut))
    #expect(vault.state().session == .signedOut)
    #expect(vault.state().accountName == nil)
  }

  @Test(arguments: [
    (left: Duration.seconds(31), state: SessionState.valid),
    (left: .seconds(30), state: .valid),
    (left: .seconds(29), state: .expiring),
    (left: .milliseconds(1), state: .expiring),
    (left: .zero, state: .expired),
    (left: .seconds(-1), state: .expired),
  ])
  func wg01TheMarginDecides(left: Duration, state: SessionState) throws {
    let fixture = try VaultFixture()
    try fixture.publishSession(expiresIn: .seconds(3600))
    let vault = fixture.vault()
    fixture.clocks.advance(by: .seconds(3600) - left)
    #expect(vault.state().session == state)
    #expect(vault.state().expiresIn == left)
    switch state {
    case .valid: #expect(refusal(vault) == nil)
    case .expiring:
      #expect(refusal(vault)?.reason == .tooShort(remaining: left, required: .seconds(30)))
      #expect(refusal(vault, validFor: .zero) == nil)
    default:
      #expect(refusal(vault)?.reason == .expired)
      #expect(refusal(vault, validFor: .zero)?.reason == .expired)
    }
  }

  @Test func aShortLifetimeHasAMarginOfAnEighth() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession(expiresIn: .seconds(8))
    let vault = fixture.vault()
    fixture.clocks.advance(by: .seconds(7))
    #expect(vault.state().session == .valid)
    fixture.clocks.advance(by: .milliseconds(1))
    #expect(vault.state().session == .expiring)
  }

  @Test func aValidityIsAPromise() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession(expiresIn: .seconds(3600))
    let vault = fixture.vault()
    #expect(refusal(vault, validFor: .seconds(3600)) == nil)
    let error = try #require(refusal(vault, validFor: .seconds(3601)))
    #expect(error.reason == .tooShort(remaining: .seconds(3600), required: .seconds(3601)))
    #expect(
      error.description
        == "the access token of primary is good for 1h more, less than the 1h1s needed;"
        + " start the host: tokenvault-host")
  }

  @Test func withoutAnExpiryNothingIsPromised() throws {
    let fixture = try VaultFixture()
    let lock = try fixture.holdHostLock()
    try fixture.publishSession(expiresIn: nil)
    let vault = fixture.vault()
    #expect(vault.state().session == .expiryUnknown)
    #expect(refusal(vault) == nil)
    let error = try #require(refusal(vault, validFor: .seconds(1)))
    #expect(error.reason == .expiryUnknown)
    #expect(
      error.description
        == "the provider did not say when the access token of primary ends, so nothing can be"
        + " promised of it; ask for the token without a validity")
    _ = lock
  }

  @Test func tombstonesAreNoSession() throws {
    let fixture = try VaultFixture()
    try fixture.publishSession()
    let vault = fixture.vault()
    #expect(refusal(vault) == nil)
    try fixture.publish(fixture.draft(.signedOut))
    #expect(vault.state().session == .signedOut)
    #expect(try vault.loadSession() == nil)
    #expect(refusal(vault)?.reason == .signedOut)
    try fixture.publish(fixture.draft(.reauthenticationRequired(.invalidGrant)))
    #expect(vault.state().session == .reauthenticationRequired(.invalidGrant))
    #expect(try vault.loadSession() == nil)
    #expect(refusal(vault)?.reason == .reauthenticationRequired(.invalidGrant))
  }

  @Test func cr12AnUnknownRecordKindLeavesItsHeaderReadable() throws {
    let fixture = try VaultFixture()
    try fixture.publish(fixture.draft(.unknown(RecordKind(rawValue: 9))))
    let vault = fixture.vault()
    #expect(vault.state().session == .unsupportedRecord)
    #expect(vault.state().generation == 1)
    #expect(refusal(vault)?.reason == .unsupportedRecord)
    #expect(throws: AccessTokenError.self) { try vault.loadSession() }
  }

  @Test(arguments: [
    "../x", "", "a/b", ".", "..", "a\u{0}", "e\u{301}", "ä", "-a", ".a",
    String(repeating: "a", count: 65),
  ])
  func fs07ANameThatIsNoNamespaceIsRefusedWithTheRule(name: String) throws {
    let vault = try VaultFixture().vault()
    let error = try #require(refusal(vault, namespace: name))
    #expect(error.reason == .invalidNamespace)
    #expect(
      error.description.hasSuffix(
        " is no namespace: use 1 to 64 letters, digits, \".\", \"_\" and \"-\","
          + " the first of them a letter or a digit"))
    #expect(vault.state(namespace: name).session == .absent)
    #expect(throws: InvalidNameError.self) { try TokenVault(accessGroup: name) }
  }

  @Test func fs07ANameThatOnlyLooksLikeAKnownOneIsRefused() throws {
    let vault = try VaultFixture().vault()
    #expect(refusal(vault, namespace: "K")?.reason == .absent)
    // The Kelvin sign, which Unicode holds equal to the letter.
    #expect(refusal(vault, namespace: "\u{212A}")?.reason == .invalidNamespace)
  }

  @Test func wg02SevenConditionsAreSevenStates() throws {
    var states: [SessionState] = []
    var hosts: [HostCondition] = []
    func look(_ prepare: (VaultFixture) throws -> Void) throws {
      let fixture = try VaultFixture()
      let lock = try fixture.holdHostLock()
      try prepare(fixture)
      let vault = fixture.vault()
      let state = vault.state()
      states.append(state.session)
      hosts.append(state.host)
      #expect(!String(describing: state).contains("sentinel"))
      // A stale session alone still has its token.
      #expect((refusal(vault) == nil) == (state.session == .valid))
      _ = lock
    }
    try look { _ in }
    try look {
      try $0.publishSession(expiresIn: .seconds(5))
      $0.clocks.advance(by: .seconds(6))
    }
    try look {
      try $0.publishSession(nextPublicationIn: .seconds(60))
      $0.clocks.advance(by: .seconds(61))
    }
    try look {
      try $0.publishSession()
      try $0.write(Array("TVSNAP".utf8))
    }
    try look {
      try $0.publishSession()
      try $0.changeKey()
      try $0.write($0.encoded($0.draft(.signedOut)))
    }
    try look {
      try $0.publishSession()
      var bytes = try $0.encoded($0.draft(.signedOut))
      bytes[6] = 2
      try $0.write(bytes)
    }
    try look { try $0.publish($0.draft(.signedOut)) }
    #expect(
      states == [
        .absent, .expired, .valid, .corrupt, .keyUnavailable, .unsupportedVersion, .signedOut,
      ])
    #expect(hosts[2] == .stale)
    #expect(hosts[1] == .reported(.ok))
  }
}
