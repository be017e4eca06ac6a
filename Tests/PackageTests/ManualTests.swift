import TestSupport
import Testing

/// The manual pages say what the programs do.
@Suite(.timeLimit(.minutes(1))) struct ManualTests {
  private static let pages = [
    "tokenvault.1", "tokenvault-host.1", "tokenvault-config.5", "tokenvault-snapshot.5",
  ]

  private static func path(_ page: String) -> String {
    "\(PackageLayout.root)/Agents/Manual/\(page)"
  }

  private func help(_ program: String, _ words: [String]) async throws -> String {
    try await ToolRunner.runSuccessfully(.product(program, words + ["--help"], environment: [:]))
      .output
  }

  /// The lines of a command's section, or those before the first command.
  private func items(_ text: String) -> [String: [String]] {
    var items: [String: [String]] = [:]
    var command = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix(".It Cm ") { command = String(line.split(separator: " ")[2]) }
      if line.hasPrefix(".It Fl ") { items[command, default: []].append(Self.options(in: line)) }
      if line.hasPrefix(".Sh ") || line.hasPrefix(".Ss ") { command = "" }
      items[command] = items[command] ?? []
    }
    return items
  }

  /// `.It Fl n , Fl -namespace Ar NS` as help spells it.
  private static func options(in line: some StringProtocol) -> String {
    let words = line.split(separator: " ").dropFirst()
    var text = ""
    for (word, next) in zip(words, words.dropFirst() + [""]) {
      switch word {
      case "Fl": text += "-\(next)"
      case "Ar": text += " \(next)"
      case "Cm": text += " " + words.drop { $0 != "Cm" }.dropFirst().joined()
      case ",": text += ", "
      default: break
      }
    }
    return text
  }

  /// The options as a help text lists them, but for the one that all have.
  private func options(ofHelp help: String) -> [String] {
    help.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("  -") || line.hasPrefix("      --") else { return nil }
      let text = line.drop { $0 == " " }
      let end = text.indices.first { text[$0...].hasPrefix("  ") } ?? text.endIndex
      return String(text[..<end])
    }.filter { $0 != "-h, --help" }
  }

  /// The commands as a help text lists them.
  private func commands(ofHelp help: String) -> [String] {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.drop { $0 != "Commands:" }.dropFirst().prefix { !$0.isEmpty }.compactMap { line in
      line.dropFirst(2).first == " " ? nil : line.split(separator: " ").first.map(String.init)
    }
  }

  @Test(arguments: pages) func aPageIsWellFormed(page: String) async throws {
    let result = try await ToolRunner.run(
      ToolRequest("mandoc", ["-T", "lint", "-W", "warning", Self.path(page)]))
    #expect(result.output == "")
    let text = try await ToolRunner.runSuccessfully(
      ToolRequest("man", ["--warnings", "-l", Self.path(page)], environment: ["PATH": "/usr/bin"]))
    #expect(text.error == "")
    #expect(text.output.count > 3_000)
  }

  @Test(arguments: ["tokenvault", "tokenvault-host"])
  func aPageHasTheCommandsAndOptionsOfItsProgram(program: String) async throws {
    let page = items(try TestFile.text(Self.path(program + ".1")))
    let overview = try await help(program, [])
    let commands = commands(ofHelp: overview)
    #expect(commands.count >= 5)
    #expect(Set(page.keys).subtracting([""]) == Set(commands))
    let own = options(ofHelp: overview).filter { $0 != "--version" || program != "tokenvault" }
    #expect(page[""] == own)
    for command in commands where command != "simulate" {
      #expect(
        page[command] == options(ofHelp: try await help(program, [command])), "\(command)")
    }
  }

  @Test func thePageOfTheConfigurationHasItsKeys() async throws {
    let example = try await ToolRunner.runSuccessfully(
      .product("tokenvault-host", ["example-config", "generic"], environment: [:])
    ).output
    let keys = example.split(separator: "\n").compactMap { line -> String? in
      let words = line.drop { $0 == "#" || $0 == " " }.split(separator: " ")
      guard words.count > 2, words[1] == "=", words[0].allSatisfy(\.isLetter) else { return nil }
      return String(words[0])
    }
    #expect(keys.count > 30)
    let named = try TestFile.text(Self.path("tokenvault-config.5")).split(separator: "\n")
      .filter { $0.contains("Va ") }
      .flatMap { $0.split(separator: " ") }.filter { $0.allSatisfy(\.isLetter) && $0 != "It" }
    #expect(Set(named.map(String.init)).subtracting(["Va"]) == Set(keys))
  }

  @Test func thePageOfTheProgramHasItsExitCodes() async throws {
    let help = try await help("tokenvault", [])
    let codes = help.split(separator: "\n").drop { $0 != "Exit codes:" }.dropFirst()
      .compactMap { $0.split(separator: " ").first }.filter { $0.allSatisfy(\.isNumber) }
    let page = try TestFile.text(Self.path("tokenvault.1"))
    let named = page.split(separator: "\n").drop { $0 != ".Sh EXIT STATUS" }
      .filter { $0.hasPrefix(".It ") }.map { $0.dropFirst(4) }.filter { $0.allSatisfy(\.isNumber) }
    #expect(codes.count > 12)
    #expect(named == codes)
  }
}
