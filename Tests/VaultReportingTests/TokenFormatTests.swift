import SessionModel
import Testing
import VaultReader
import VaultReporting

@Suite struct TokenFormatTests {
  private static func session(
    _ token: String, type: String = "bearer", account: String? = nil
  ) -> UsableSession {
    UsableSession(
      record: StoredSessionV1(
        issuer: "https://id.example", clientId: "c", accessToken: token, tokenType: type,
        scope: "openid mail", expiresAt: UnixTime(rawValue: 1_900_000_000)),
      accountName: account)
  }

  @Test func rawIsTheTokenAlone() throws {
    #expect(
      try TokenFormat.raw.text(Self.session("abc"), namespace: .primary) == "abc")
  }

  @Test(arguments: [("bearer", "Bearer"), ("BEARER", "Bearer"), ("DPoP", "DPoP")])
  func aHeaderHasTheSchemeInItsUsualSpelling(type: String, scheme: String) throws {
    let text = try TokenFormat.header.text(
      Self.session("abc", type: type), namespace: .primary)
    #expect(text == "Authorization: \(scheme) abc")
  }

  @Test(arguments: ["a b", "a\r\nHost: evil.example", "é"])
  func whatWouldBreakAHeaderIsRefused(token: String) {
    for format in [TokenFormat.header, .xoauth2] {
      #expect(throws: TokenFormat.Failure.unfitToken) {
        try format.text(Self.session(token, account: "a@b"), namespace: .primary)
      }
    }
  }

  @Test func jsonHasAllThatIsKnown() throws {
    let text = try TokenFormat.json.text(
      Self.session("abc", account: "ada"), namespace: .primary)
    #expect(
      text == #"{"namespace":"primary","accessToken":"abc","tokenType":"bearer","#
        + #""expiresAt":1900000000,"scope":"openid mail","issuer":"https://id.example","#
        + #""account":"ada"}"#)
  }

  @Test func xoauth2IsTheProvidersPublishedExample() throws {
    let token = "ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg"
    let text = try TokenFormat.xoauth2.text(
      Self.session(token, account: "someuser@example.com"), namespace: .primary)
    #expect(
      text == "dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRmdDRxbVRjMk52YjNS"
        + "bGNrQmhkSFJoZG1semRHRXVZMjl0Q2cBAQ==")
  }

  @Test func xoauth2NeedsAnAccount() {
    #expect(throws: TokenFormat.Failure.noAccount(.primary)) {
      try TokenFormat.xoauth2.text(Self.session("abc"), namespace: .primary)
    }
    #expect(
      TokenFormat.Failure.noAccount(.primary).description
        == "the snapshot of primary names no account, which xoauth2 needs;"
        + " set account in the host's configuration")
  }

  @Test(arguments: ["a\u{1}b", "a\nb", "a\u{7F}"])
  func xoauth2CannotCarryAControlCharacter(account: String) {
    #expect(throws: TokenFormat.Failure.unfitAccount(.primary)) {
      try TokenFormat.xoauth2.text(Self.session("abc", account: account), namespace: .primary)
    }
    #expect(
      TokenFormat.Failure.unfitAccount(.primary).description
        == "the name of the account of primary holds a control character, which xoauth2 cannot"
        + " carry; set account in the host's configuration")
  }
}
