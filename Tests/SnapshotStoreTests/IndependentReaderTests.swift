import FileSupport
import SessionModel
import SnapshotFormat
import SnapshotStore
import StrictJSON
import TestSupport
import Testing

/// A reader in another language, which shares FORMAT.md and nothing else, must make the same of files.
@Suite struct IndependentReaderTests {
  private static let directory = PackageLayout.root + "/Tests/SnapshotStoreTests"
  private let root: TemporaryDirectory

  init() throws { root = try TemporaryDirectory() }

  @Test func cr16TheGoldenVectorsAreReadByAnotherProgramToo() async throws {
    let vectors = Self.directory + "/Vectors"
    let outcomes = try await outcomes(ofVectorsIn: vectors)
    let names = TestFile.names(in: vectors).filter { $0.hasSuffix(".vector") }
    #expect(outcomes.count == names.count)
    for name in names {
      let expected = VectorFile(try TestFile.text("\(vectors)/\(name)")).expectation
      #expect(outcomes[String(name.dropLast(".vector".count))] == expected, "\(name)")
    }
  }

  @Test(arguments: 1...UInt64(Effort.count(4, whole: 100)))
  func fz02BothReadersMakeTheSameOfAChangedFileUnderAGenuineSeal(_ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let genuine = VectorCase.all.filter { $0.keyByte == 0x41 }.compactMap { vector in
      try? ResealedSnapshot(opening: try vector.build())
    }
    let key = try Sample.groupKey()
    var expected: [String: [String]] = [:]
    for number in 0..<1_000 {
      var changed = try #require(genuine.randomElement(using: &random))
      repeat { changed.mutate(using: &random) } while Int.random(in: 0..<3, using: &random) == 0
      let bytes = try changed.bytes()
      let given = [
        "key-file: " + hexText(key.fileBytes), "found-in-group: default",
        "found-in-namespace: primary", "snapshot: " + hexText(bytes), "",
      ]
      try root.write(Array(given.joined(separator: "\n").utf8), to: "\(number).vector")
      expected["\(number)"] = ReadOutcome.of(bytes, key: key, place: Sample.place).lines
    }
    let outcomes = try await outcomes(ofVectorsIn: root.path)
    #expect(outcomes.count == expected.count)
    for (name, lines) in expected {
      let given = try TestFile.text("\(root.path)/\(name).vector")
      #expect(try plain(outcomes[name]) == plain(lines), "\(given.suffix(5_000))")
    }
    // Enough of them are let through to say something about what is let through.
    #expect(expected.values.count { $0.count > 1 } > 50)
  }

  @Test func whatIsPublishedIsFoundAndJudged() async throws {
    let runtime = try Directory.create(path: root.file("run"), policy: .ownerOnly)
    var lock: FileLock? = try FileLock(SnapshotLayout.hostLock, in: runtime)
    let publisher = try SnapshotPublisher(runtime: runtime) { _ in }
    let boot = try #require(BootIdentifier(text: try bootIdentifierText()))
    let now = BootTime(rawValue: bootClockNanoseconds())
    let wall = UnixTime(rawValue: wallClockReading().components.seconds)
    var draft = Sample.draft(
      .session(
        StoredSessionV1(
          issuer: "https://issuer.example", clientId: "c", accessToken: "t", tokenType: "Bearer",
          expiresAt: UnixTime(rawValue: wall.rawValue + 1_000))))
    draft.published = Instant(wall: wall, boot: now, bootIdentifier: boot)
    draft.issuedAt = wall
    draft.nextPublication = PublicationDeadline(
      wall: UnixTime(rawValue: wall.rawValue + 500),
      boot: BootTime(rawValue: now.rawValue + 500_000_000_000))
    #expect(try await readPublished() == .failure("refused: absent\n"))
    try publisher.publish(draft, with: try Sample.encoder())
    let fresh = try await readPublished().get()
    #expect(fresh["stale"] == "no")
    #expect(fresh["token"] == "t")
    let remaining = try #require(fresh["remaining"].flatMap(Double.init))
    #expect(remaining <= 1_000 && remaining > 900)
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(try await readPublished().get()["stale"] == "yes")
    let path = "run/groups/default/ns/primary/session"
    try TestFile.setMode(0o644, of: root.file(path))
    #expect(try await readPublished() == .failure("refused: permission\n"))
  }

  private enum Reading: Equatable {
    case success([String: String])
    case failure(String)

    func get() throws -> [String: String] {
      guard case .success(let lines) = self else {
        throw SystemCallError("read-published", "\(self)")
      }
      return lines
    }
  }

  private func readPublished() async throws -> Reading {
    var request = request("read-published", ["default", "primary"])
    request.environment["TOKENVAULT_RUNTIME_DIR"] = root.file("run")
    let result = try await ToolRunner.run(request)
    guard result.exit == .status(0) else { return .failure(result.error) }
    let pairs = result.output.split(separator: "\n").map { line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }
    return .success(Dictionary(pairs) { $1 })
  }

  private func request(_ name: String, _ arguments: [String]) -> ToolRequest {
    var request = ToolRequest("\(Self.directory)/IndependentReader/\(name)", arguments)
    request.environment["PYTHONDONTWRITEBYTECODE"] = "1"
    request.environment["LC_ALL"] = "C.UTF-8"
    return request
  }

  private func outcomes(ofVectorsIn directory: String) async throws -> [String: [String]] {
    let result = try await ToolRunner.runSuccessfully(request("read-vectors", [directory]))
    var outcomes: [String: [String]] = [:]
    var name = ""
    for line in result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if line.hasPrefix("== ") {
        name = String(line.dropFirst(3))
        outcomes[name] = []
      } else {
        outcomes[name]?.append(String(line))
      }
    }
    return outcomes
  }

  /// The lines with the record as a value: escapes may be written in several ways.
  private func plain(_ lines: [String]?) throws -> [String] {
    try (lines ?? []).map { line in
      guard line.hasPrefix("record: ") else { return line }
      return "\(try JSONValue(parsing: Array(line.dropFirst("record: ".count).utf8)))"
    }
  }
}
