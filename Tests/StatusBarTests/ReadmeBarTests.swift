import SnapshotTesting
import StatusBar
import StrictJSON
import TestSupport
import Testing
import VaultReader

/// What the README prints of bars, compiled and tried.
@Suite(.timeLimit(.minutes(1))) struct ReadmeBarTests {
  @Test func theLinesInSwiftMakeARecord() throws {
    let simulation = try SimulatedVault()
    try simulation.show(.valid(for: .seconds(3600)))
    let vault = simulation.reader()
    // The README's bar begins here.
    let bar = BarWriter(.waybar, style: BarStyle(template: try BarTemplate("{icon} {remaining}")))
    let record = bar.record(of: BarState(vault.state(namespace: "primary")))  // one line of JSON
    // It ends here.
    #expect(try ShownRecord.of(record, .waybar).text == "● 1h")
  }

  @Test func theyAreTheLinesOfTheREADME() throws {
    let test = try TestFile.text(
      "\(PackageLayout.root)/Tests/StatusBarTests/ReadmeBarTests.swift")
    let compiled = try #require(
      Self.texts(test, from: "    // The README's bar begins here.", to: "    // It ends here.")
        .first)
    let printed = try Self.readme("```swift").filter { $0.contains("import StatusBar") }
    let imports = ["import StatusBar", "import VaultReader", ""]
    #expect(printed == [imports + compiled.map { String($0.dropFirst(4)) }])
  }

  /// waybar's modules are members of one JSON object, and each command is one of the program's.
  @Test func theModulesOfWaybarAskForRecords() async throws {
    let run = try BarRun()
    let modules = try Self.readme("```jsonc")
    #expect(modules.count == 2)
    for lines in modules {
      let text = "{\(lines.joined().dropLast())}"
      let module = try #require(
        try JSONValue(parsing: Array(text.utf8), maximumDepth: 4, maximumLength: 4096)
          .object?["custom/tokenvault"]?.object)
      #expect(module["return-type"]?.string == "json")
      let words = try #require(module["exec"]?.string).split(separator: " ").map(String.init)
      let start = try #require(words.firstIndex(of: "/usr/local/bin/tokenvault"))
      #expect(words[start + 1] == "watch")
      // waybar asks again at the signal, and else never.
      let isOnce = module["interval"]?.string == "once"
      #expect(isOnce == (module["signal"]?.integer == 8))
      #expect(isOnce == words.contains("--once"))
      let tool = try RunningTool(run.request(Array(words[(start + 2)...])))
      let line = try await tool.output.wait(count: 1)[0]
      #expect(BarRun.text(line).contains("valid"))
      if !isOnce { tool.terminate() }
      #expect(await tool.result().status == 0)
    }
  }

  private static func readme(_ fence: String) throws -> [[String]] {
    texts(try TestFile.text("\(PackageLayout.root)/README.md"), from: fence, to: "```")
  }

  private static func texts(_ text: String, from start: String, to end: String) -> [[String]] {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return all.indices.filter { all[$0] == start }.map { index in
      Array(all[(index + 1)...].prefix { $0 != end })
    }
  }
}
