import DevelopmentProvider
import TestSupport
import Testing

/// What a widget could find of the host's own tokens, if it looked everywhere it can look.
@Suite(.timeLimit(.minutes(2)))
struct LeakTests {
  @Test func cr05NoHostTokenIsInTheRuntimeDirectoryOrInAWidgetsMemory() async throws {
    var settings = ProviderConfiguration()
    settings.approval = .automatic
    settings.accessTokenLifetime = .seconds(4)
    let provider = try LoopbackProvider(settings)
    let vault = try VaultInstallation(
      configuration: VaultInstallation.configuration(
        issuer: provider.issuer, clientId: "desktop"))
    let host = try await vault.startHost()
    let widget = try vault.start("watch", "--format", "json")
    let signIn = try await vault.signIn { url in
      try await ToolRunner.runSuccessfully(
        ToolRequest("curl", ["--silent", "--location", "--output", "/dev/null", url]))
    }
    #expect(signIn.status == 0, "\(signIn.error)")
    for _ in 0..<3 {
      try await widget.output.next { VaultInstallation.member("session", of: $0) == "valid" }
    }
    let access = try await vault.tokenvault("token").output.dropLast()
    let secrets = provider.hostTokens
    #expect(secrets.count >= 4, "at least two refresh tokens and two ID tokens")

    let memory = try ProcessMemory.read(widget.identifier)
    #expect(memory.contains(Array(access.utf8)), "the search finds what the widget does have")
    let key = try TestFile.read(vault.directory.file("runtime/groups/default/key"))
    #expect(memory.contains(Array(key[8..<40])), "the widget has the group's key")
    #expect(!memory.contains(Array(key[..<40])), "what was read of its file is wiped")
    let runtime = try await Self.files(below: vault.directory.file("runtime"))
    for secret in secrets {
      for spelling in SecretSpelling.all(of: secret) {
        #expect(!memory.contains(spelling))
        #expect(!ByteSearch.finds(spelling, in: runtime))
      }
    }
    widget.terminate()
    _ = await widget.result()
    host.terminate()
    _ = await host.result()
  }

  private static func files(below path: String) async throws -> [UInt8] {
    let list = try await ToolRunner.runSuccessfully(
      ToolRequest("find", [path, "-type", "f", "-exec", "cat", "{}", "+"]))
    #expect(!list.outputBytes.isEmpty)
    return list.outputBytes
  }
}
