import FileSupport
import SessionModel
import TestSupport
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
    for format in [TokenFormat.header, .xoauth2, .curl, .execCredential] {
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

  @Test(arguments: [
    ("abc-._~+/=", #"header = "Authorization: Bearer abc-._~+/=""#),
    (#"a"b\c\nd"#, #"header = "Authorization: Bearer a\"b\\c\\nd""#),
    (#""\"#, #"header = "Authorization: Bearer \"\\""#),
    ("#'$(x)`%", ##"header = "Authorization: Bearer #'$(x)`%""##),
  ])
  func xp01CurlsLineIsQuoted(token: String, line: String) throws {
    #expect(try TokenFormat.curl.text(Self.session(token), namespace: .primary) == line)
  }

  // --libcurl writes down, as a program in C, what curl has understood.
  @Test(arguments: [#"a"b\c\nd"#, #""\"#, #"\\""#, "#'$(x)`%{}", "abc-._~+/="])
  func xp01CurlReadsTheTokenAsItIs(token: String) async throws {
    let line = try TokenFormat.curl.text(Self.session(token), namespace: .primary)
    let result = try await ToolRunner.runSuccessfully(
      ToolRequest(
        "curl", ["--disable", "--config", "-", "--libcurl", "-", "file:///dev/null"],
        input: .text(line + "\n")))
    let literal = token.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
    #expect(result.output.contains("(slist1, \"Authorization: Bearer \(literal)\");"))
  }

  @Test(arguments: [
    (nil, "v1"), (#"{"apiVersion":"client.authentication.k8s.io/v1"}"#, "v1"),
    (
      #"{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","#
        + #""spec":{"interactive":false}}"#, "v1beta1"
    ),
  ])
  func xp02ExecCredentialHasTheVersionThatKubectlWants(info: String?, version: String) throws {
    let environment = Environment(info.map { ["KUBERNETES_EXEC_INFO": $0] } ?? [:])
    let text = try TokenFormat.execCredential.text(
      Self.session("abc"), namespace: .primary, environment: environment)
    #expect(
      text == #"{"apiVersion":"client.authentication.k8s.io/\#(version)","kind":"ExecCredential","#
        + #""status":{"token":"abc","expirationTimestamp":"2030-03-17T17:46:40Z"}}"#)
  }

  @Test func xp02ExecCredentialOfATokenWithoutAnEndHasNone() throws {
    let record = StoredSessionV1(
      issuer: "https://id.example", clientId: "c", accessToken: "abc", tokenType: "bearer")
    let text = try TokenFormat.execCredential.text(
      UsableSession(record: record, accountName: nil), namespace: .primary)
    #expect(text.hasSuffix(#""status":{"token":"abc"}}"#))
  }

  @Test(arguments: [
    (
      #"{"apiVersion":"client.authentication.k8s.io/v1alpha1"}"#,
      #"KUBERNETES_EXEC_INFO asks for "client.authentication.k8s.io/v1alpha1"; in the kubeconfig,"#
        + " set apiVersion to client.authentication.k8s.io/v1 or"
        + " client.authentication.k8s.io/v1beta1"
    ),
    ("{", "KUBERNETES_EXEC_INFO does not hold the ExecCredential object that kubectl puts there"),
    ("{}", "KUBERNETES_EXEC_INFO does not hold the ExecCredential object that kubectl puts there"),
  ])
  func xp02AnotherVersionIsRefused(info: String, message: String) {
    let failure = #expect(throws: TokenFormat.Failure.self) {
      try TokenFormat.execCredential.text(
        Self.session("abc"), namespace: .primary,
        environment: Environment(["KUBERNETES_EXEC_INFO": info]))
    }
    #expect(failure?.description == message)
  }
}
