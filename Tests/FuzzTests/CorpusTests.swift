import FuzzTargets
import TestSupport
import Testing

/// What fuzzers have found worth keeping, each input once, without a fuzzer.
@Suite(.timeLimit(.minutes(1))) struct CorpusTests {
  private static let directory = PackageLayout.root + "/Tests/Fuzz/Corpora"

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
