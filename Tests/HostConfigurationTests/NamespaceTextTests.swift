import FileSupport
import HostConfiguration
import SessionModel
import Testing

@Suite struct NamespaceTextTests {
  private static func lines(_ adjust: (inout NamespaceText) -> Void = { _ in }) -> NamespaceText {
    var lines = NamespaceText(
      namespace: .primary, issuer: "https://id.example", clientId: "a\"b\\c",
      scopes: ["openid", "profile"])
    adjust(&lines)
    return lines
  }

  @Test func aPublicClientHasTheKeysThatEachHas() {
    #expect(
      Self.lines().text
        == #"""
        [namespaces.primary]
        issuer = "https://id.example"
        clientId = "a\"b\\c"
        scopes = ["openid", "profile"]

        """#)
  }

  @Test func whatIsWrittenIsReadBack() throws {
    let lines = Self.lines {
      $0.namespace = Namespace("my.work") ?? .primary
      $0.redirects = ["http://127.0.0.1:8400/callback", "http://localhost/callback"]
      $0.clientSecretFile = "my.work-client-secret"
      $0.clientAuthentication = .post
      $0.caFile = "/etc/ssl/private.pem"
      $0.proxy = "http://proxy.example:3128"
    }
    #expect(lines.problems() == [])
    let file = try ConfigurationFile.parse(
      Array(lines.text.utf8), path: "/home/ada/config.toml", environment: Environment([:]))
    let read = try #require(file[lines.namespace])
    #expect(read.issuer == lines.issuer)
    #expect(read.clientId == lines.clientId)
    #expect(read.scopes == lines.scopes)
    #expect(read.redirects == lines.redirects)
    #expect(read.clientSecret == .file("/home/ada/my.work-client-secret"))
    #expect(read.clientAuthentication == .post)
    #expect(read.caFile == lines.caFile)
    #expect(read.proxy?.revealed == lines.proxy)
  }

  @Test(arguments: ["http://id.example", "id.example", "https://id.example/?a", "a\u{7}\n\u{7f}"])
  func whatTheHostWouldRefuseIsSaid(issuer: String) throws {
    let problems = Self.lines { $0.issuer = issuer }.problems()
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("\"issuer\" in [namespaces.primary] ") == true)
  }
}
