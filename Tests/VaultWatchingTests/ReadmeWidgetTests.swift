import SessionModel
import TestSupport
import Testing
import VaultReader
import VaultWatching

/// The widget that the README prints, compiled.
private struct ReadmeWidget {
  func request(_ url: String, bearer: String) {}
  func show(_ text: String, until: UnixTime? = nil) {}

  func run() async throws {
    // The README begins here.
    let vault = TokenVault()  // of the default access group
    let token = try vault.accessToken(namespace: "primary", validFor: .seconds(30))
    request("https://api.example/me", bearer: token)

    for await update in vault.updates(namespace: "primary") {
      switch update.state.session {
      case .valid, .expiring, .expiryUnknown:
        show(update.state.accountName ?? "signed in", until: update.state.expiresAt)
      case .signedOut, .absent: show("signed out")
      case .reauthenticationRequired(let reason): show("sign in again: \(reason)")
      default: show(update.state.session.word)
      }
    }
    // The README ends here.
  }
}

@Suite struct ReadmeWidgetTests {
  @Test func theWidgetOfTheREADMEIsTheOneThatIsCompiled() throws {
    let compiled = Self.lines(
      try TestFile.text("\(PackageLayout.root)/Tests/VaultWatchingTests/ReadmeWidgetTests.swift"),
      after: "    // The README begins here.", before: "    // The README ends here.")
    let printed = Self.lines(
      try TestFile.text("\(PackageLayout.root)/README.md"), after: "```swift", before: "```")
    #expect(!compiled.isEmpty)
    #expect(
      printed.prefix { !$0.isEmpty } == [
        "import SessionModel", "import VaultReader", "import VaultWatching",
      ])
    #expect(
      Array(printed.drop { !$0.isEmpty }.dropFirst())
        == compiled.map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : $0 })
  }

  private static func lines(_ text: String, after start: String, before end: String) -> [String] {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return Array(all.drop { $0 != start }.dropFirst().prefix { $0 != end })
  }
}
