import GrantModel
import SecretMemory
import SessionModel
import Testing

@Suite struct GrantTests {
  private static func grant(issuer: String = "https://id.example", subject: String?) -> Grant {
    Grant(
      issuer: issuer, clientId: "desktop", subject: subject, accountName: nil,
      accessToken: "sentinel-access", tokenType: "Bearer", scope: nil,
      issuedAt: UnixTime(rawValue: 0), expiresAt: nil, refreshToken: nil,
      idToken: "sentinel-id")
  }

  @Test func aPrintedGrantShowsNoToken() {
    let grant = Self.grant(subject: "alice")
    var dumped = ""
    dump(grant, to: &dumped)
    for text in ["\(grant)", String(reflecting: grant), dumped] {
      #expect(!text.contains("sentinel"))
    }
    #expect("\(grant)" == "grant to desktop at https://id.example")
  }

  @Test func rp38AccountsAreComparedByteByByte() {
    let composed = Self.grant(issuer: "https://caf\u{E9}.example", subject: "alice")
    let decomposed = Self.grant(issuer: "https://cafe\u{301}.example", subject: "alice")
    #expect(composed.issuer == decomposed.issuer, "Swift calls them equal")
    #expect(!composed.isSameAccount(as: decomposed))
    #expect(!Self.grant(subject: "alice").isSameAccount(as: Self.grant(subject: "alice1")))
    #expect(Self.grant(subject: "alice").isSameAccount(as: Self.grant(subject: "alice")))
    // What only one of them tells says nothing.
    #expect(Self.grant(subject: nil).isSameAccount(as: Self.grant(subject: "alice")))
    #expect(Self.grant(subject: "alice").isSameAccount(as: Self.grant(subject: nil)))
  }

  @Test func aRefreshTokenIsRecognisedByItsFingerprintAlone() throws {
    let key = try SecretBytes(copying: [UInt8](repeating: 1, count: 32))
    let other = try SecretBytes(copying: [UInt8](repeating: 2, count: 32))
    let token = try RefreshToken("sentinel-refresh")
    let mark = try token.fingerprint(key: key)
    #expect(mark.count == 16)
    #expect(try RefreshToken("sentinel-refresh").fingerprint(key: key) == mark)
    #expect(try RefreshToken("sentinel-refresi").fingerprint(key: key) != mark)
    #expect(try token.fingerprint(key: other) != mark)
    #expect(token.isSame(as: try RefreshToken("sentinel-refresh")))
    #expect(!token.isSame(as: try RefreshToken("sentinel-refres")))
  }

  @Test func aGrantIsRevokedByItsRefreshTokenOrElseByItsAccessToken() throws {
    let refresh = ProvisionalGrant(refreshToken: try RefreshToken("same"), accessToken: "access")
    let access = ProvisionalGrant(refreshToken: nil, accessToken: "same")
    #expect(refresh.revocableToken?.copiedText() == "same")
    #expect(access.revocableToken?.copiedText() == "same")
    let other = try #require(access.revocableToken)
    #expect(refresh.revocableToken?.isSame(as: other) == false, "another kind, another token")
    #expect(access.revocableToken?.isSame(as: .accessToken("same")) == true)
    #expect(ProvisionalGrant(refreshToken: nil, accessToken: nil).revocableToken == nil)
    #expect("\(other)" == "access token (not shown)")
    var dumped = ""
    dump(access.revocableToken, to: &dumped)
    #expect(!dumped.contains("same"))
  }

  private struct Journal: GrantJournal {
    let failure: JournalError?

    func write(_ grant: ProvisionalGrant) async throws(JournalError) {
      if let failure { throw failure }
    }
  }

  @Test func nothingIsIssuedWithoutAReceipt() async throws {
    let provisional = ProvisionalGrant(refreshToken: try RefreshToken("new"), accessToken: "access")
    await #expect(throws: JournalError("disk full")) {
      _ = try await Journal(failure: JournalError("disk full")).record(provisional)
    }
  }

  @Test func theOldTokenStaysInForceWhenTheAnswerHasNone() async throws {
    let receipt = try await Journal(failure: nil)
      .record(ProvisionalGrant(refreshToken: nil, accessToken: "access"))
    let old = try RefreshToken("old")
    let issued = IssuedGrant(receipt: receipt, previous: old) { token in
      Self.grant(subject: "alice").withRefreshToken(token)
    }
    #expect(issued.grant.refreshToken?.copiedText() == "old")
  }
}

extension Grant {
  fileprivate func withRefreshToken(_ token: RefreshToken?) -> Grant {
    Grant(
      issuer: issuer, clientId: clientId, subject: subject, accountName: accountName,
      accessToken: accessToken, tokenType: tokenType, scope: scope, issuedAt: issuedAt,
      expiresAt: expiresAt, refreshToken: token, idToken: idToken)
  }
}
