import FileSupport
import SessionModel
import SnapshotFormat
import SnapshotStore
import Synchronization
import TestSupport
import Testing

@Suite struct ConcurrentReadingTests {
  /// What one reader saw while it read in a loop.
  private struct Tally: Sendable {
    var reads = 0
    var failures: [String] = []
    var last: UInt64 = 0
  }

  @Test(.timeLimit(.minutes(Effort.count(5, whole: 60))))
  func st09ReadersSeeWholeSnapshotsWithRisingGenerations() async throws {
    let root = try TemporaryDirectory()
    let runtime = try Directory.create(path: root.file("run"), policy: .ownerOnly)
    let publisher = try SnapshotPublisher(runtime: runtime) { _ in }
    let encoder = try Sample.encoder()
    let publications: UInt64 = Effort.count(2_000, whole: 100_000)
    try publisher.publish(Sample.draft(generation: 1), with: encoder)
    let key = try GroupKey(file: root.read("run/groups/default/key"))
    let directory = try runtime.openDirectory("groups").openDirectory("default")
      .openDirectory("ns").openDirectory("primary")

    let tallies = try await withThrowingTaskGroup(of: Tally.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await TestThread.run {
            var tally = Tally()
            while tally.last < publications, tally.failures.isEmpty {
              do {
                guard let bytes = try directory.readFile("session", sizeLimit: 262_144) else {
                  tally.failures.append("no file")
                  continue
                }
                let generation = try Sample.open(bytes, key: key).header.generation
                if generation < tally.last { tally.failures.append("back to \(generation)") }
                tally.last = generation
                tally.reads += 1
              } catch {
                tally.failures.append("\(error)")
              }
            }
            return tally
          }
        }
      }
      try await TestThread.run {
        for generation in 2...publications {
          try publisher.publish(Sample.draft(generation: generation), with: encoder)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for tally in tallies {
      #expect(tally.failures == [])
      #expect(tally.last == publications)
      #expect(tally.reads > 0)
    }
    #expect(TestFile.names(in: directory.path) == ["session"])
  }
}
