import CommandRuntime
import Testing

@Suite struct ExitCodeTests {
  @Test func keepsTheNumbersThatScriptsRelyOn() {
    #expect(
      ExitCode.allCases.map(\.rawValue)
        == [0, 1, 64, 65, 66, 69, 73, 75, 77, 78, 80, 81, 82, 125, 126, 127])
  }

  @Test func givesEachNumberAMeaningOfItsOwn() {
    #expect(Set(ExitCode.allCases.map(\.meaning)).count == ExitCode.allCases.count)
  }
}
