import FileSupport
import Glibc
import Testing

@Suite struct EnvironmentEntriesTests {
  private let environment = FileSupport.Environment(["B": "2=3", "A": "1", "EMPTY": ""])

  private static func texts(_ environment: FileSupport.Environment) -> [String] {
    environment.entries.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func listsVariablesAsProgramsTakeThem() {
    #expect(Self.texts(environment) == ["A=1", "B=2=3", "EMPTY="])
  }

  @Test func changesACopy() {
    let changed = environment.setting("C", to: "new").setting("A", to: "x").removing(["B", "Z"])
    #expect(Self.texts(changed) == ["A=x", "C=new", "EMPTY="])
    #expect(environment["A"] == "1")
  }

  @Test func whatIsNoTextIsKeptByteForByte() async {
    await #expect(processExitsWith: .success) {
      var latin: [CChar] = [0x63, CChar(bitPattern: 0xE9), 0]
      // A combining accent behind the sign makes one character of the two.
      var accent: [CChar] = [CChar(bitPattern: 0xCC), CChar(bitPattern: 0x81), 0]
      unsafe setenv("LATIN", &latin, 1)
      unsafe setenv("ACCENT", &accent, 1)
      let entries = FileSupport.Environment.process.entries
      guard entries.contains(Array("LATIN=c".utf8) + [0xE9]) else { exit(1) }
      guard entries.contains(Array("ACCENT=".utf8) + [0xCC, 0x81]) else { exit(2) }
      let some = FileSupport.Environment.process(["LATIN"])
      guard some.entries == [Array("LATIN=c".utf8) + [0xE9]] else { exit(3) }
      guard some["LATIN"] == "c\u{FFFD}" else { exit(4) }
      exit(EXIT_SUCCESS)
    }
  }
}
