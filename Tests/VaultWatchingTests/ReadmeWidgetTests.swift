import SessionModel
import SnapshotTesting
import TestSupport
import Testing
import VaultReader
import VaultWatching

/// The widget that the README prints, compiled.
private struct ReadmeWidget {
  struct Answer {
    let status: Int
    let text: String
  }

  func request(_ url: String, bearer: String) {}
  func get(_ url: String, bearer: String) async throws -> Answer { Answer(status: 401, text: "") }
  func show(_ text: String, until: UnixTime? = nil) {}

  func run() async {
    // The README's widget begins here.
    let vault = TokenVault()  // of the default access group
    do {
      let token = try vault.accessToken(namespace: "primary", validFor: .seconds(30))
      request("https://api.example/me", bearer: token)
    } catch {
      show("no token: \(error)")  // says why, and what to do next where that is known
    }

    for await update in vault.updates(namespace: "primary") {
      switch update.state.session {
      case .valid, .expiring, .expiryUnknown:
        show(update.state.accountName ?? "signed in", until: update.state.expiresAt)
      case .signedOut, .absent: show("signed out")
      case .reauthenticationRequired(let reason): show("sign in again: \(reason)")
      default: show(update.state.session.word)
      }
    }
    // It ends here.
  }

  func call(_ vault: TokenVault) async {
    // The README's request begins here.
    let api = AuthorizedRequest(vault)
    do {
      let profile = try await api.send { token in
        let answer = try await get("https://api.example/me", bearer: token)
        if answer.status == 401 { throw AccessTokenRejected() }
        return answer.text
      }
      show(profile)
    } catch {
      show("no profile: \(error)")
    }
    // It ends here.
  }
}

/// What the README's test is of.
private struct Widget {
  let vault: TokenVault

  var text: String {
    let state = vault.state()
    return switch state.session {
    case .valid, .expiring: "\(state.accountName ?? "somebody"), \(state.host.word)"
    case .reauthenticationRequired(let reason): "sign in again: \(reason)"
    default: state.session.word
    }
  }
}

@Suite struct ReadmeWidgetTests {
  private static let imports = [
    ["import SessionModel", "import VaultReader", "import VaultWatching", ""], [],
    ["import SnapshotTesting", "import VaultReader", ""],
  ]

  @Test func theTestThatTheREADMEPrintsPasses() throws {
    // The README's test begins here.
    let simulation = try SimulatedVault()
    let widget = Widget(vault: simulation.reader())
    try simulation.show(.offline)
    #expect(widget.text == "ada@simulated.example, offline")
    try simulation.advance(by: .seconds(3600))
    #expect(widget.text == "expired")
    try simulation.show(.reauthenticationRequired(.invalidGrant))
    #expect(widget.text == "sign in again: the provider has ended the session")
    // It ends here.
  }

  @Test func whatTheREADMEPrintsIsWhatIsCompiled() throws {
    let test = try TestFile.text(
      "\(PackageLayout.root)/Tests/VaultWatchingTests/ReadmeWidgetTests.swift")
    let readme = try TestFile.text("\(PackageLayout.root)/README.md")
    // The one for bars is compiled beside their tests.
    let printed = Self.texts(readme, from: "```swift", to: "```")
      .filter { !$0.contains("import StatusBar") }
    let compiled = ["widget", "request", "test"].flatMap { name in
      Self.texts(test, from: "    // The README's \(name) begins here.", to: "    // It ends here.")
    }
    #expect(compiled.count == 3)
    #expect(
      printed
        == zip(Self.imports, compiled).map { imports, lines in
          imports + lines.map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : $0 }
        })
  }

  @Test func theArticleForBeginnersPrintsTheSameWidget() throws {
    let readme = try TestFile.text("\(PackageLayout.root)/README.md")
    let article = try TestFile.text(
      "\(PackageLayout.root)/Sources/VaultReader/VaultReader.docc/FirstWidget.md")
    let widget = try #require(
      Self.texts(readme, from: "```swift", to: "```").first { $0.contains("import VaultWatching") })
    #expect(
      Self.texts(article, from: "```swift", to: "```") == [
        Array(widget.dropFirst(Self.imports[0].count))
      ])
  }

  /// The lines between each pair of lines.
  private static func texts(_ text: String, from start: String, to end: String) -> [[String]] {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return all.indices.filter { all[$0] == start }.map { index in
      Array(all[(index + 1)...].prefix { $0 != end })
    }
  }
}
