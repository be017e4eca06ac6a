import FileSupport
import Testing

@Suite struct EnvironmentEntriesTests {
  private let environment = FileSupport.Environment(["B": "2=3", "A": "1", "EMPTY": ""])

  @Test func listsVariablesAsProgramsTakeThem() {
    #expect(environment.entries == ["A=1", "B=2=3", "EMPTY="])
  }

  @Test func changesACopy() {
    let changed = environment.setting("C", to: "new").setting("A", to: "x").removing(["B", "Z"])
    #expect(changed.entries == ["A=x", "C=new", "EMPTY="])
    #expect(environment["A"] == "1")
  }
}
