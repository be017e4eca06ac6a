import FileSupport
import HostConfiguration
import SessionModel
import Testing

@Suite struct NamespaceConfigurationTests {
  @Test func hasDefaultsForAllButTwoKeys() throws {
    let file = try parse(namespace(""))
    #expect(file.warnings.isEmpty)
    #expect(!file.isAbsent)
    let read = try #require(file[.primary])
    #expect(read.issuer == "https://id.example")
    #expect(read.clientId == "desktop")
    #expect(read.scopes == ["openid", "offline_access"])
    #expect(read.clientSecret == nil)
    #expect(read.clientAuthentication == nil)
    #expect(read.flow == .browser)
    #expect(read.redirects == [])
    #expect(read.privateBrowser == nil)
    #expect(read.authorizationParameters == [])
    #expect(read.loginMethods == [])
    #expect(read.endpoints == EndpointConfiguration())
    #expect(read.accessGroups == [.default])
    #expect(read.account == nil)
    #expect(read.renewBefore == nil)
    #expect(read.assumedLifetime == nil)
    #expect(read.automaticSilentRenew)
    #expect(!read.shareRefreshToken)
    #expect(!read.allowMissingPKCE)
    #expect(read.proxy == nil)
    #expect(read.caFile == nil)
    #expect(read.onError == nil)
    #expect(read.line == 1)
  }

  @Test func readsEveryKey() throws {
    let text = """
      [namespaces.work]
      issuer = "http://127.0.0.1:9000/realm"
      clientId = "desktop"
      scopes = ["openid", "profile", "openid"]
      clientSecretCommand = ["pass", "show", "x"]
      clientAuthentication = "post"
      flow = "device"
      redirect = ["http://127.0.0.1:8400/callback", "http://localhost:8401", "http://[::1]/x"]
      privateBrowser = ["firefox", "--private-window", "%s"]
      accessGroups = ["default", "group.com.example.app"]
      account = "Büro"
      renewBefore = "1m30s"
      assumedLifetime = "1h"
      automaticSilentRenew = false
      shareRefreshToken = true
      allowMissingPKCE = true
      proxy = "socks5h://me:hunter2@proxy.example:1080"
      caFile = "ca.pem"
      onError = ["notify-send", "TokenVault"]

      [namespaces.work.authorizationParameters]
      prompt = "consent"
      access_type = "offline"

      [namespaces.work.loginMethods]
      google = { kc_idp_hint = "google", prompt = "login" }
      passkey = { acr_values = "phr" }

      [namespaces.work.endpoints]
      authorization = "https://id.example/authorize?tenant=1"
      token = "https://id.example/token"
      deviceAuthorization = "https://id.example/device"
      revocation = "https://id.example/revoke"
      userinfo = "https://id.example/me"
      jwks = "https://id.example/keys"
      """
    let file = try parse(text)
    let read = try #require(Namespace("work").flatMap { file[$0] })
    #expect(read.issuer == "http://127.0.0.1:9000/realm")
    #expect(read.scopes == ["openid", "profile"])
    #expect(read.clientSecret == .command(["pass", "show", "x"]))
    #expect(read.clientAuthentication == .post)
    #expect(read.flow == .device)
    #expect(
      read.redirects
        == ["http://127.0.0.1:8400/callback", "http://localhost:8401", "http://[::1]/x"])
    #expect(read.privateBrowser == ["firefox", "--private-window", "%s"])
    #expect(
      read.authorizationParameters.map { "\($0.name)=\($0.value)" }
        == ["prompt=consent", "access_type=offline"])
    #expect(read.loginMethods.map(\.name) == ["google", "passkey"])
    #expect(
      read.loginMethods.map { $0.parameters.map { "\($0.name)=\($0.value)" } }
        == [["kc_idp_hint=google", "prompt=login"], ["acr_values=phr"]])
    #expect(read.accessGroups.map(\.name) == ["default", "group.com.example.app"])
    #expect(read.account == "Büro")
    #expect(read.renewBefore == .seconds(90))
    #expect(read.assumedLifetime == .seconds(3600))
    #expect(!read.automaticSilentRenew)
    #expect(read.shareRefreshToken)
    #expect(read.allowMissingPKCE)
    #expect(read.proxy?.revealed == "socks5h://me:hunter2@proxy.example:1080")
    #expect(read.caFile == "./ca.pem")
    #expect(read.onError == ["notify-send", "TokenVault"])
    #expect(
      read.endpoints
        == EndpointConfiguration(
          authorization: "https://id.example/authorize?tenant=1",
          token: "https://id.example/token", deviceAuthorization: "https://id.example/device",
          revocation: "https://id.example/revoke", userinfo: "https://id.example/me",
          jwks: "https://id.example/keys"))
    #expect(read.endpoints.areComplete)
    #expect(
      file.warnings.map(\.description) == [
        "c.toml:15: \"shareRefreshToken\" in [namespaces.work] lets every reader of the access"
          + " groups rotate the session; leave it out unless a program needs the refresh token"
          + " itself"
      ])
  }

  @Test(arguments: [("true", [String]?.some([])), ("false", nil), ("[\"fox\"]", ["fox"])])
  func takesAnyPrivateWindowOrThatOfACommand(value: String, command: [String]?) throws {
    let file = try parse(namespace("privateBrowser = \(value)\n"))
    #expect(file[.primary]?.privateBrowser == command)
  }

  @Test func asksForNoScopeOfOpenIDInPlainOAuth() throws {
    let endpoints = """
      endpoints = { token = "https://id.example/t", authorization = "https://id.example/a" }
      """
    #expect(try parse(namespace(endpoints))[.primary]?.scopes == [])
    let withKeys = endpoints.replacing(" }", with: ", jwks = \"https://id.example/k\" }")
    #expect(try parse(namespace(withKeys))[.primary]?.scopes == ["openid", "offline_access"])
  }

  @Test(arguments: [
    ("clientSecret = \"hunter2\"", SecretSource.Kind.text("hunter2")),
    ("clientSecretFile = \"~/secret\"", .file("/home/p/secret")),
    ("clientSecretFile = \"/etc/secret\"", .file("/etc/secret")),
    ("clientSecretFile = \"secret\"", .file("./secret")),
    ("clientSecretCommand = [\"pass\", \"x\"]", .command(["pass", "x"])),
  ])
  func takesTheSecretFromThreePlaces(line: String, kind: SecretSource.Kind) throws {
    let source = try #require(try parse(namespace(line))[.primary]?.clientSecret)
    #expect(SecretSource.Kind(source) == kind)
  }

  @Test func showsNoSecret() throws {
    let text = namespace("clientSecret = \"hunter2\"\nproxy = \"http://me:hunter2@p:1\"")
    let read = try #require(try parse(text)[.primary])
    var dumped = ""
    dump(read, to: &dumped)
    #expect(!dumped.contains("hunter2"))
    #expect(!"\(read)".contains("hunter2"))
    #expect(!String(reflecting: read).contains("hunter2"))
  }

  @Test func keepsTheOrderOfTheFile() throws {
    let text = ["zebra", "apple", "middle"].map {
      "[namespaces.\($0)]\nissuer = \"https://id.example\"\nclientId = \"x\"\n"
    }.joined()
    #expect(try parse(text).namespaces.map(\.namespace.name) == ["zebra", "apple", "middle"])
    #expect(try parse(text).namespaces.map(\.line) == [1, 4, 7])
  }

  @Test(arguments: ["", "# only a comment\n", "[namespaces]\n"])
  func acceptsAFileWithoutNamespaces(text: String) throws {
    #expect(try parse(text).namespaces.isEmpty)
  }
}

extension SecretSource {
  /// A secret source that a test can show.
  enum Kind: Sendable, Equatable {
    case text(String)
    case file(String)
    case command([String])

    init(_ source: SecretSource) {
      switch source {
      case .text(let text): self = .text(text.revealed)
      case .file(let path): self = .file(path)
      case .command(let words): self = .command(words)
      }
    }
  }
}
