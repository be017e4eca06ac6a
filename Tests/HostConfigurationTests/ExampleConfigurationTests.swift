import HostConfiguration
import SessionModel
import Testing

@Suite struct ExampleConfigurationTests {
  @Test(arguments: ExampleConfiguration.allCases)
  func isReadWithoutAWordOfComplaint(example: ExampleConfiguration) throws {
    let file = try parse(example.text)
    #expect(file.warnings.isEmpty)
    #expect(file.namespaces.map(\.namespace) == [.primary])
    #expect(example.text.hasSuffix("\n"))
    for line in example.text.split(separator: "\n") { #expect(line.count <= 100) }
  }

  @Test func knowsThatGitHubIsPlainOAuth() throws {
    let read = try #require(try parse(ExampleConfiguration.github.text)[.primary])
    #expect(read.endpoints.areComplete)
    #expect(read.scopes == [])
    #expect(read.flow == .device)
  }

  @Test func showsEveryKeyInTheGenericOne() throws {
    // With every comment that is a setting turned into one, only the exclusive keys clash.
    let lines = ExampleConfiguration.generic.text.split(
      separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { line in
      let bare = line.dropFirst(2)
      let isSetting =
        line.hasPrefix("# ")
        && (bare.hasPrefix("[") || bare.split(separator: " ").dropFirst().first == "=")
      return isSetting ? String(bare) : String(line)
    }.joined(separator: "\n")
    // With what a system service alone may have.
    let all = problems(text)
    #expect(all.count == 2)
    #expect(all.first?.contains("\"unixGroup\" in [accessGroups.default] lets") == true, "\(all)")
    #expect(all.last?.contains("exclude each other") == true, "\(all)")
    let keys = problems(text + "\n[namespaces.other]\nzzzzzzzz = 1\n").first { $0.contains("zzz") }
    let list = try #require(keys?.split(separator: " are ").last)
    for key in list.split(separator: ", ") {
      #expect(text.contains("\(key) = ") || text.contains(".\(key)]"), "\(key)")
    }
  }
}
