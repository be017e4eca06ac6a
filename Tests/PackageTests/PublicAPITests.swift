import TestSupport
import Testing

/// What the modules for widgets offer, as the compiler's own tool reads it from what was built.
@Suite(.timeLimit(.minutes(1))) struct PublicAPITests {
  private static let directory = "\(PackageLayout.root)/Tests/PublicAPI"

  @Test func wg04ThePublicDeclarationsAreTheListedOnes() async throws {
    let result = try await ToolRunner.run(
      ToolRequest(
        "python3", ["\(PackageLayout.root)/.ci/public-api", PackageLayout.products]))
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(result.output == "")
  }

  @Test func theDocumentationOfTheLibrariesHasNoLinkThatLeadsNowhere() async throws {
    let output = try TemporaryDirectory()
    let result = try await ToolRunner.run(
      ToolRequest(
        "\(PackageLayout.root)/.ci/docs", [PackageLayout.products, output.file("docs")]))
    #expect(result.status == 0, "\(result.output)\(result.error)")
    #expect(TestFile.exists(output.file("docs/data/documentation/vaultreader/firstwidget.json")))
  }

  @Test func wg04NothingThatAWidgetCanCallRefreshesOrRevokes() throws {
    let modules = TestFile.names(in: Self.directory).sorted()
    #expect(
      modules == [
        "SessionModel.txt", "SnapshotTesting.txt", "StatusBar.txt", "VaultReader.txt",
        "VaultWatching.txt",
      ])
    let symbols = try modules.flatMap { module in
      try TestFile.text("\(Self.directory)/\(module)").split(separator: "\n")
    }
    #expect(symbols.contains { $0.hasPrefix("TokenVault.accessToken(namespace:validFor:) | ") })
    let named = symbols.filter { symbol in
      let text = symbol.lowercased()
      return ["refresh", "revo", "endpoint", "idtoken", "id_token", "secret", "grant"]
        .contains { text.contains($0) }
    }
    // Words for why a person has to sign in again.
    #expect(
      named
        == ["invalidGrant", "noRefreshToken"].map {
          "ReauthenticationReason.\($0) | static let \($0): ReauthenticationReason"
        })
  }
}
