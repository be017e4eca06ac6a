import SessionModel
import Testing
import VaultReporting

@Suite struct TokenFormatTests {
  private static func session(_ token: String, type: String = "bearer") -> StoredSessionV1 {
    StoredSessionV1(
      issuer: "https://id.example", clientId: "c", accessToken: token, tokenType: type,
      scope: "openid mail", expiresAt: UnixTime(rawValue: 1_900_000_000))
  }

  @Test func rawIsTheTokenAlone() throws {
    #expect(
      try TokenFormat.raw.text(Self.session("abc"), namespace: .primary, account: nil) == "abc")
  }

  @Test(arguments: [("bearer", "Bearer"), ("BEARER", "Bearer"), ("DPoP", "DPoP")])
  func aHeaderHasTheSchemeInItsUsualSpelling(type: String, scheme: String) throws {
    let text = try TokenFormat.header.text(
      Self.session("abc", type: type), namespace: .primary, account: nil)
    #expect(text == "Authorization: \(scheme) abc")
  }

  @Test(arguments: ["a b", "a\r\nHost: evil.example", "é"])
  func whatWouldBreakAHeaderIsRefused(token: String) {
    for format in [TokenFormat.header, .xoauth2] {
      #expect(throws: TokenFormat.Failure.unfitToken) {
        try format.text(Self.session(token), namespace: .primary, account: "a@b")
      }
    }
  }

  @Test func jsonHasAllThatIsKnown() throws {
    let text = try TokenFormat.json.text(
      Self.session("abc"), namespace: .primary, account: "ada")
    #expect(
      text == #"{"namespace":"primary","accessToken":"abc","tokenType":"bearer","#
        + #""expiresAt":1900000000,"scope":"openid mail","issuer":"https://id.example","#
        + #""account":"ada"}"#)
  }

  @Test func xoauth2IsTheProvidersPublishedExample() throws {
    let token = "ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg"
    let text = try TokenFormat.xoauth2.text(
      Self.session(token), namespace: .primary, account: "someuser@example.com")
    #expect(
      text == "dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRmdDRxbVRjMk52YjNS"
        + "bGNrQmhkSFJoZG1semRHRXVZMjl0Q2cBAQ==")
  }

  @Test(arguments: [nil, "a\u{1}b", "a\nb"])
  func xoauth2NeedsAnAccount(account: String?) {
    #expect(throws: TokenFormat.Failure.noAccount(.primary)) {
      try TokenFormat.xoauth2.text(Self.session("abc"), namespace: .primary, account: account)
    }
    #expect(
      TokenFormat.Failure.noAccount(.primary).description
        == "the snapshot of primary names no account, which xoauth2 needs;"
        + " set account in the host's configuration")
  }
}
