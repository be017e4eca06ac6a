import TestSupport
import Testing

@Suite struct TemporaryDirectoryTests {
  @Test func itIsRemovedWithWhatIsInIt() async throws {
    let path = try await withTemporaryDirectory { directory in
      _ = try directory.makeDirectory("locked", mode: 0o000)
      let inner = try directory.makeDirectory("inner")
      try TestFile.write([1, 2, 3], to: "\(inner)/file")
      #expect(try directory.read("inner/file") == [1, 2, 3])
      #expect(TestFile.names(in: directory.path) == ["inner", "locked"])
      return directory.path
    }
    #expect(!TestFile.exists(path))
  }

  @Test func theSameSeedGivesTheSameNumbers() {
    // The first outputs of the reference implementation of SplitMix64 for seed 1234567.
    var generator = SeededGenerator(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
  }

  @Test func thePackageIsFound() {
    #expect(TestFile.exists("\(PackageLayout.root)/Package.swift"))
    #expect(TestFile.names(in: PackageLayout.products).contains { $0.hasSuffix(".xctest") })
  }
}
