import FuzzTargets
import TestSupport
import Testing

/// What fuzzers have found worth keeping, each input once, without a fuzzer.
@Suite(.timeLimit(.minutes(1))) struct CorpusTests {
  private static let directory = PackageLayout.root + "/Tests/Fuzz/Corpora"

  /// `make fuzz` runs what is listed there, and nothing else.
  @Test func everyTargetIsListedWithWhatItHasToReach() throws {
    let lines = try TestFile.text(PackageLayout.root + "/Tests/Fuzz/coverage.tsv")
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
    let listed = lines.map { $0.split(separator: "\t").map(String.init) }
    #expect(listed.map { $0[0] } == FuzzTarget.allCases.map(\.rawValue))
    #expect(listed.allSatisfy { $0.count == 2 && Int($0[1]) ?? 0 > 0 })
  }

  @Test(arguments: FuzzTarget.allCases)
  func fz01EveryInputThatWasKeptIsDigested(_ target: FuzzTarget) throws {
    let corpus = "\(Self.directory)/\(target.rawValue)"
    let names = TestFile.names(in: corpus)
    #expect(names.count >= 5)
    for name in names {
      #expect(throws: Never.self, "\(target): \(name)") {
        try target.digest(TestFile.read("\(corpus)/\(name)"))
      }
    }
  }
}
