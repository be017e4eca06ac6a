import HostControl
import SessionModel
import Testing
import VaultReporting

@Suite struct IntrospectionReportTests {
  @Test func namesAndValuesAreAlignedAndFitForATerminal() {
    let answer = IntrospectionAnswer(
      namespace: .primary, isActive: true, scope: "openid profile", clientId: "desktop",
      username: "ada\u{1b}[2J", tokenType: "Bearer", expiresAt: UnixTime(rawValue: 1_250),
      issuedAt: UnixTime(rawValue: 995), subject: "1", audience: ["a", "b"],
      issuer: "https://id.example")
    #expect(
      IntrospectionReport.text(answer, now: UnixTime(rawValue: 1_000))
        == """
        active    yes
        account   ada\\u{1b}[2J
        subject   1
        scope     openid profile
        client    desktop
        type      Bearer
        issued    5s ago
        ends      in 4m10s
        audience  a, b
        issuer    https://id.example

        """)
  }

  @Test func ofATokenThatIsNotGoodThereIsNothingElse() {
    let answer = IntrospectionAnswer(namespace: .primary, isActive: false)
    #expect(IntrospectionReport.text(answer, now: UnixTime(rawValue: 0)) == "active  no\n")
  }
}
