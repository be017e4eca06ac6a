import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

/// The committed snapshots in `Vectors`, which every later version must read to the same outcome.
///
/// `TOKENVAULT_WRITE_VECTORS=1 swift test --filter SnapshotVectorTests` writes them anew, which is
/// right only for a vector that is added: a changed one is a changed format.
@Suite struct SnapshotVectorTests {
  private static let directory = PackageLayout.root + "/Tests/SnapshotStoreTests/Vectors"
  private static let isWriting = Environment.value("TOKENVAULT_WRITE_VECTORS") != nil

  @Test(arguments: VectorCase.all)
  func cr16TheCommittedSnapshotHasTheCommittedOutcome(_ vector: VectorCase) throws {
    let path = "\(Self.directory)/\(vector.name).vector"
    if Self.isWriting { try TestFile.write(Array(vector.text().utf8), to: path, mode: 0o644) }
    let file = VectorFile(try TestFile.text(path))
    let key = try GroupKey(file: hex(file["key-file"]))
    let place = SnapshotPlace(
      accessGroup: try #require(AccessGroup(file["found-in-group"])),
      namespace: try #require(Namespace(file["found-in-namespace"])))
    let outcome = ReadOutcome.of(hex(file["snapshot"]), key: key, place: place)
    #expect(outcome.lines == file.expectation)
  }

  @Test(arguments: VectorCase.all)
  func cr16TheEncoderStillWritesTheSameBytes(_ vector: VectorCase) throws {
    let file = VectorFile(try TestFile.text("\(Self.directory)/\(vector.name).vector"))
    #expect(try vector.build() == hex(file["snapshot"]))
  }

  @Test func everyVectorHasACaseAndEveryCaseAVector() {
    let names = TestFile.names(in: Self.directory).filter { $0.hasSuffix(".vector") }
    #expect(names == VectorCase.all.map { $0.name + ".vector" }.sorted())
  }
}

extension VectorCase {
  /// The vector's file.
  fileprivate func text() throws -> String {
    let bytes = try build()
    let key = try Sample.groupKey(keyByte)
    let place = SnapshotPlace(namespace: Namespace(foundInNamespace) ?? .primary)
    let given = [
      "# \(description)", "# Bytes are in hexadecimal; FORMAT.md says what they mean.",
      "key-file: " + hexText(key.fileBytes),
      "host-box-key: " + hexText(VectorCase.hostBoxKey),
      "found-in-group: default", "found-in-namespace: \(foundInNamespace)",
      "snapshot: " + hexText(bytes), "",
    ]
    return (given + ReadOutcome.of(bytes, key: key, place: place).lines).joined(separator: "\n")
      + "\n"
  }
}
