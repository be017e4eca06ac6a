import TestSupport
import Testing

@Suite struct MakefileTests {
  @Test func theTargetsThatPeopleAreToldOfExist() throws {
    let targets = try Self.targets()
    for name in ["run", "test", "bench", "install", "lint"] { #expect(targets.contains(name)) }
  }

  @Test func everyMakeCommandOfTheREADMEExists() throws {
    let targets = try Self.targets()
    let commands = try Self.makeCommands(in: TestFile.text("\(PackageLayout.root)/README.md"))
    #expect(commands.contains("test") && commands.contains("run"))
    for command in commands { #expect(targets.contains(command), "make \(command)") }
  }

  // A backtrace of a test that means to crash takes seconds, or waits for an answer for ever.
  @Test func fz06TestsAndServicesPrintNoBacktraces() throws {
    let root = PackageLayout.root
    let scripts = TestFile.names(in: root + "/.ci").map { ".ci/" + $0 }
    var runners: [String] = []
    for path in ["Makefile"] + scripts {
      let text = try TestFile.text("\(root)/\(path)")
      guard text.contains("swift test --") || text.contains("run(\"test\"") else { continue }
      runners.append(path)
      #expect(text.contains("SWIFT_BACKTRACE"), "\(path)")
    }
    #expect(runners == ["Makefile", ".ci/mutants"])
    for line in try TestFile.text("\(root)/Makefile").split(separator: "\n")
    where line.contains("swift test --") {
      #expect(line.contains("SWIFT_BACKTRACE=enable=no "), "\(line)")
    }
    let units = "\(root)/Service/user"
    for name in TestFile.names(in: units) where name.hasSuffix(".service") {
      #expect(
        try TestFile.text("\(units)/\(name)").contains("\nEnvironment=SWIFT_BACKTRACE=enable=no\n"))
    }
  }

  @Test func fz06ATestThatCrashesEndsAtOnce() async {
    let began = ContinuousClock.now
    await #expect(processExitsWith: .failure) { fatalError("as it is meant to") }
    #expect(ContinuousClock.now - began < .seconds(5))
  }

  @Test func commandsAreFoundInCodeBlocksAlone() {
    let text = """
      You make nothing here.
      ```
      $ DEMO_SECONDS=20 make run
      sudo make install PREFIX=/usr   # make it
      ```
          make lint && make test
      """
    #expect(Self.makeCommands(in: text) == ["run", "install", "lint", "test"])
  }

  private static func targets() throws -> Set<String> {
    let text = try TestFile.text("\(PackageLayout.root)/Makefile")
    return Set(
      text.split(separator: "\n").compactMap { line in
        let name = line.prefix { $0.isLowercase || $0 == "-" }
        return !name.isEmpty && line.dropFirst(name.count).first == ":" ? String(name) : nil
      })
  }

  /// The word behind each `make` of the fenced and the indented code of a Markdown text.
  private static func makeCommands(in text: String) -> [String] {
    var isFenced = false
    var commands: [String] = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") {
        isFenced.toggle()
        continue
      }
      guard isFenced || line.hasPrefix("    ") else { continue }
      let words = line.prefix { $0 != "#" }.split(separator: " ")
      for (word, next) in zip(words, words.dropFirst())
      where word == "make" && next.allSatisfy({ $0.isLowercase || $0 == "-" }) {
        commands.append(String(next))
      }
    }
    return commands
  }
}
