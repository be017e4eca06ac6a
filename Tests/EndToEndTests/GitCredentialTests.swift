import DevelopmentProvider
import TestSupport
import Testing

/// git's credential helper beside a real host, by the lines that git writes to it.
@Suite(.timeLimit(.minutes(2))) struct GitCredentialTests {
  private let provider: LoopbackProvider
  private let machine: HostMachine

  init() async throws {
    provider = try LoopbackProvider.approving()
    machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let first = try await machine.startHost()
    try #require(try await machine.signIn().status == 0)
    // A host that has just begun renews at once if a token is rejected.
    #expect(await machine.end(first).status == 0)
  }

  private func git(
    _ operation: String, _ attributes: [String], options: [String] = ["--host", "git.example"]
  ) async throws -> ToolResult {
    var request = machine.request("tokenvault", ["git-credential"] + options + [operation])
    request.input = .text(attributes.map { $0 + "\n" }.joined())
    return try await ToolRunner.run(request)
  }

  private func token() async throws -> String {
    String(try await machine.vault("token").output.dropLast())
  }

  private static let url = ["protocol=https", "host=git.example"]

  @Test func xp06GitGetsTheTokenForTheNamedHostAlone() async throws {
    let host = try await machine.startHost()
    let token = try await token()
    let answer = try await git("get", Self.url)
    #expect(answer.output.hasPrefix("username=oauth2\npassword=\(token)\npassword_expiry_utc="))
    #expect(answer.status == 0 && answer.error == "")
    let others = [
      ["protocol=https", "host=evil.example"], ["protocol=http", "host=git.example"], [],
    ]
    for attributes in others {
      let answer = try await git("get", attributes)
      #expect(answer.output == "" && answer.error == "" && answer.status == 0)
    }
    for operation in ["store", "erase", "frobnicate"] {
      let answer = try await git(operation, Self.url + ["password=other"])
      #expect(answer.output == "" && answer.error == "" && answer.status == 0)
    }
    #expect(provider.counts.refreshes == 0)
    #expect(await machine.end(host).status == 0)
  }

  @Test func xp06ARefusedTokenIsReplacedOnce() async throws {
    let host = try await machine.startHost()
    let refused = try await token()
    let erased = try await git("erase", Self.url + ["username=oauth2", "password=\(refused)"])
    #expect(erased.output == "" && erased.error == "" && erased.status == 0)
    #expect(provider.counts.refreshes == 1)
    let next = try await token()
    #expect(next != refused)
    #expect(try await git("get", Self.url).output.contains("password=\(next)\n"))
    // It is replaced already, be it named by an old git or a new one.
    for name in ["password", "credential"] {
      #expect(try await git("erase", Self.url + ["\(name)=\(refused)"]).status == 0)
    }
    let foreign = ["protocol=https", "host=evil.example", "password=\(next)"]
    #expect(try await git("erase", foreign).status == 0)
    #expect(provider.counts.refreshes == 1)
    // And so young a one is not replaced again.
    let again = try await git("erase", Self.url + ["password=\(next)"])
    #expect(again.status == 75 && again.output == "")
    #expect(
      again.error.hasPrefix(
        "tokenvault: error: git's server has refused the access token of primary: the host: "),
      "\(again.error)")
    #expect(!again.error.contains(next))
    #expect(await machine.end(host).status == 0)
  }

  @Test func xp06AFailureLeavesGitToItsOtherHelpers() async throws {
    let host = try await machine.startHost()
    for (options, attributes) in [
      ([], Self.url), (["--host", "https://git.example"], Self.url),
      (["--host", "git.example", "--username", "a\nb"], Self.url),
      (["--host", "git.example"], ["protocol=https", "host=git.example", "host=evil.example"]),
    ] {
      let answer = try await git("get", attributes, options: options)
      #expect(answer.status == 64 && answer.output == "" && !answer.error.isEmpty)
    }
    #expect(try await machine.vault("sign-out").status == 0)
    let answer = try await git("get", Self.url)
    #expect(answer.status == 81 && answer.output == "" && !answer.error.isEmpty)
    #expect(await machine.end(host).status == 0)
  }
}
