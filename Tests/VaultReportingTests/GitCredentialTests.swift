import SessionModel
import Testing
import VaultReporting

@Suite struct GitCredentialTests {
  private static func request(_ lines: String...) throws -> GitCredentialRequest {
    try GitCredentialRequest(Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  private static func session(
    _ token: String = "abc", type: String = "bearer", expiresAt: Int64? = 1_900_000_000
  ) -> StoredSessionV1 {
    StoredSessionV1(
      issuer: "https://id.example", clientId: "c", accessToken: token, tokenType: type,
      expiresAt: expiresAt.map { UnixTime(rawValue: $0) })
  }

  private static let newGit = [
    "capability[]=authtype", "capability[]=state", "protocol=https", "host=git.example",
  ]

  private static func answer(_ lines: [String], username: String? = nil) throws -> String {
    try GitCredentialRequest(Array(lines.map { $0 + "\n" }.joined().utf8))
      .answer(session(), username: username)
  }

  @Test func xp03AttributesAreReadUpToAnEmptyLine() throws {
    let request = try Self.request(
      "protocol=https", "host=git.example:8443", "path=a=b.git", "username=ada", "password=x=y",
      "colour=blue", "", "host=other.example", "no attribute")
    #expect(request.scheme == "https" && request.host == "git.example:8443")
    #expect(request.username == "ada" && request.token == "x=y")
    #expect(!request.understandsAuthtype && !request.isBearerWanted)
    #expect(try GitCredentialRequest([]).host == nil)
    #expect(try Self.request("authtype=Bearer", "credential=abc").token == "abc")
  }

  @Test(arguments: [
    ("protocol=https\nhost=a\nhost=b\n", "standard input has the attribute host twice"),
    ("host=a\u{0}b\n", "the attribute host on standard input holds a control character"),
    ("username=a\rb\n", "the attribute username on standard input holds a control character"),
    ("host\n", "standard input has a line that is no NAME=VALUE as git writes them"),
    ("=x\n", "standard input has a line that is no NAME=VALUE as git writes them"),
  ])
  func xp03WhatCannotBeUsedIsRefused(text: String, message: String) {
    let failure = #expect(throws: GitCredentialRequest.Failure.self) {
      try GitCredentialRequest(Array(text.utf8))
    }
    #expect(failure?.description == message)
  }

  @Test(arguments: [
    ("git.example", "https", "git.example"), ("git.example", "https", "GIT.example"),
    ("git.example", "https", "git.example:443"), ("git.example:8443", "https", "git.example:8443"),
    ("GIT.example:443", "https", "git.example"), ("127.0.0.1:3000", "http", "127.0.0.1:3000"),
    ("127.0.0.1", "http", "127.0.0.1:80"), ("[::1]:3000", "http", "[::1]:3000"),
    ("[fd00::A]", "https", "[fd00::a]"),
  ])
  func xp04ANamedHostGetsTheToken(named: String, scheme: String, host: String) throws {
    let request = try Self.request("protocol=\(scheme)", "host=\(host)")
    #expect(try #require(GitCredentialHost(named)).isHost(of: request))
  }

  @Test(arguments: [
    ("git.example", "https", "evil.example"), ("git.example", "https", "git.example.evil"),
    ("git.example", "https", "a.git.example"), ("git.example", "https", "git.example:8443"),
    ("git.example:8443", "https", "git.example"), ("git.example", "http", "git.example"),
    ("localhost", "http", "localhost"), ("git.example", "ssh", "git.example"),
    ("git.example", "https", "git.example."), ("git.example", "https", "git.example:x"),
    ("git.example", "https", ""), ("git.example", "https", "evil@git.example"),
    ("127.0.0.1:3000", "http", "127.0.0.1:3001"), ("git.example", "HTTPS", "git.example"),
    ("git.example", "https", "git.example:443@evil.example"),
  ])
  func xp04NoOtherHostDoes(named: String, scheme: String, host: String) throws {
    let request = try Self.request("protocol=\(scheme)", "host=\(host)")
    #expect(try !#require(GitCredentialHost(named)).isHost(of: request))
  }

  @Test func xp04ARequestWithoutAHostGetsNothing() throws {
    let host = try #require(GitCredentialHost("git.example"))
    #expect(!host.isHost(of: try Self.request("protocol=https", "path=/")))
    #expect(!host.isHost(of: try Self.request("host=git.example")))
  }

  @Test(arguments: [
    "", "https://git.example", "git.example/", "git.example:", "git.example:0", "git.example:+1",
    "git.example:65536", "ada@git.example", "*", "[::1", "[::1]x", "gít.example", "a b", ":443",
  ])
  func xp04WhatIsNoHostIsRefused(text: String) { #expect(GitCredentialHost(text) == nil) }

  @Test func xp05TheTokenIsAPassword() throws {
    let lines = ["protocol=https", "host=git.example"]
    let end = "password=abc\npassword_expiry_utc=1900000000\n"
    #expect(try Self.answer(lines) == "username=oauth2\n" + end)
    #expect(try Self.answer(lines + ["username=ada"]) == "username=ada\n" + end)
    #expect(try Self.answer(lines, username: "bot") == "username=bot\n" + end)
    #expect(try Self.answer(Self.newGit + ["wwwauth[]=Basic realm=x"]).hasPrefix("username="))
    let bearer = ["wwwauth[]=Bearer realm=x"]
    #expect(try Self.answer(lines + bearer).hasPrefix("username="))
    #expect(try Self.answer(Self.newGit + bearer + ["wwwauth[]="]).hasPrefix("username="))
    let request = try Self.request("protocol=https")
    #expect(
      try request.answer(Self.session(expiresAt: nil), username: nil)
        == "username=oauth2\npassword=abc\n")
  }

  @Test func xp05ANewGitSendsABearerTokenWhereTheServerWantsOne() throws {
    let challenges = ["wwwauth[]=Basic realm=x", "wwwauth[]=bearer realm=x"]
    #expect(
      try Self.answer(Self.newGit + challenges)
        == "capability[]=authtype\nauthtype=Bearer\ncredential=abc\nephemeral=1\n"
        + "password_expiry_utc=1900000000\n")
    let request = try GitCredentialRequest(
      Array((Self.newGit + challenges).map { $0 + "\n" }.joined().utf8))
    #expect(
      try request.answer(Self.session(type: "DPoP"), username: nil).hasPrefix("username="))
  }

  @Test(arguments: ["a\nhost=evil.example", "a\u{0}b", "a\rb", "a b"])
  func xp05ATokenCannotAddAttributes(token: String) throws {
    let request = try Self.request("protocol=https")
    #expect(throws: TokenFormat.Failure.unfitToken) {
      try request.answer(Self.session(token), username: nil)
    }
  }

  @Test func xp05AnotherUsersURLIsLeftToOtherHelpers() throws {
    let request = try Self.request("username=ada")
    #expect(request.takes(username: nil) && request.takes(username: "ada"))
    #expect(!request.takes(username: "bot"))
    #expect(try Self.request("host=a").takes(username: "bot"))
  }
}
