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
    let outcome = Outcome.of(hex(file["snapshot"]), key: key, place: place)
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

/// What a reader makes of a file, line by line.
private struct Outcome {
  var lines: [String] = []

  static func of(_ bytes: [UInt8], key: GroupKey, place: SnapshotPlace) -> Outcome {
    var outcome = Outcome()
    do {
      let snapshot = try UnverifiedSnapshot(parsing: bytes).open(
        with: key, namespace: place.namespace, accessGroup: place.accessGroup)
      outcome.describe(snapshot)
    } catch {
      outcome.lines = ["outcome: " + word(error)]
    }
    return outcome
  }

  private static func word(_ error: SnapshotError) -> String {
    switch error {
    case .corrupt: "corrupt"
    case .unsupportedVersion(let version): "unsupported-version \(version)"
    case .unsupportedRecordVersion(let version): "unsupported-record-version \(version)"
    case .keyUnavailable: "key-unavailable"
    case .tooLarge: "too-large"
    }
  }

  private mutating func describe(_ snapshot: Snapshot) {
    let header = snapshot.header
    switch snapshot.content {
    case .session: lines = ["outcome: session"]
    case .signedOut: lines = ["outcome: signed-out"]
    case .reauthenticationRequired: lines = ["outcome: reauthentication-required"]
    case .unknown: lines = ["outcome: unsupported-record"]
    }
    lines += [
      "life: " + hexText(little(header.life.rawValue)),
      "generation: \(header.generation)",
      "kind: \(header.kind.rawValue)",
      "namespace: \(header.namespace)",
      "access-group: \(header.accessGroup)",
      "key-identifier: " + hexText(little(header.keyIdentifier.rawValue)),
      "published-wall: \(header.published.wall.rawValue)",
      "published-boot: \(header.published.boot.rawValue)",
      "published-boot-identifier: " + hexText(header.published.bootIdentifier.bytes),
      "next-publication-wall: \(header.nextPublication.wall.rawValue)",
      "next-publication-boot: \(header.nextPublication.boot.rawValue)",
      "access-token-expiry: " + (header.accessTokenExpiry.map { "\($0.rawValue)" } ?? "absent"),
      "issued-at: " + (header.issuedAt.map { "\($0.rawValue)" } ?? "absent"),
      "host-state: \(header.hostState.code)",
      "host-state-time: " + (header.hostState.codeTime.map { "\($0.rawValue)" } ?? "absent"),
      "account-name: " + (header.accountName.map { hexText(Array($0.utf8)) } ?? "absent"),
      "account-fingerprint: "
        + (header.accountFingerprint.map { hexText(little($0.rawValue)) } ?? "absent"),
      "reauthentication-reason: " + (header.reauthenticationReason?.rawValue ?? "absent"),
      "extension: " + (header.extensionBytes.isEmpty ? "empty" : hexText(header.extensionBytes)),
    ]
    if case .session(let record) = snapshot.content {
      lines.append("record: " + String(decoding: record.encoded, as: UTF8.self))
    }
  }
}

/// A vector's text: comments, what is given, a blank line, and what is expected.
private struct VectorFile {
  private var values: [String: String] = [:]
  private(set) var expectation: [String] = []

  init(_ text: String) {
    var isExpectation = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        isExpectation = true
      } else if isExpectation {
        expectation.append(String(line))
      } else if let colon = line.firstIndex(of: ":"), !line.hasPrefix("#") {
        values[String(line[..<colon])] = String(line[colon...].dropFirst(2))
      }
    }
  }

  subscript(_ name: String) -> String { values[name] ?? "" }
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
    return (given + Outcome.of(bytes, key: key, place: place).lines).joined(separator: "\n") + "\n"
  }
}

private func hexText(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
