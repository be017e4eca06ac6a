import FileSupport
import FileWatching
import Glibc
import SessionModel
import TestSupport
import Testing
import VaultReader
import VaultWatching

// The whole number, 10000, takes some minutes.
private let sequences = TestSupport.Environment.value("TOKENVAULT_WATCH_SEQUENCES")
  .flatMap { Int($0) }

@Suite(.timeLimit(.minutes(sequences == nil ? 2 : 60)))
struct RandomLifeTests {
  private static let sequencesOfALife = 20

  // In a process of its own, because the thread of all watches is stopped now and then.
  @Test func wt15WhateverIsDoneWhoeverWatchesEndsAtTheLastGeneration() async {
    await #expect(processExitsWith: .success) {
      alarm(sequences == nil ? 110 : 3500)
      let count = sequences ?? 300
      let lives = UInt64(max(1, count / RandomLifeTests.sequencesOfALife))
      // Many at once: one of them waits a second for what a reader looks at once a second.
      try await withThrowingTaskGroup(of: Duration.self) { group in
        var longest = Duration.zero
        for seed in 0..<lives {
          if seed >= 16, let one = try await group.next() { longest = max(longest, one) }
          group.addTask { try await RandomLifeTests.live(seed: seed) }
        }
        for try await one in group { longest = max(longest, one) }
        print("\(lives) lives; whoever watched caught up within \(longest)")
      }
    }
  }

  // No thread watches but now and then, when one is stopped.
  @Test func wt15WhoeverServesHimselfEndsAtTheLastGenerationToo() async {
    await #expect(processExitsWith: .success) {
      alarm(sequences == nil ? 110 : 3500)
      let lives = UInt64(max(8, (sequences ?? 0) / RandomLifeTests.sequencesOfALife))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for seed in 0..<lives {
          if seed >= 8 { try await group.next() }
          group.addTask {
            try await TestThread.run { try RandomLifeTests.watchAlone(seed: seed) }
          }
        }
        try await group.waitForAll()
      }
    }
  }

  private static func watchAlone(seed: UInt64) throws {
    let published = try PublishedVault(in: "/dev/shm")
    let monitor = try VaultMonitor(published.vault())
    var life = RandomLife(published, seed: seed)
    var seen: RandomLife.Content?
    for number in 0..<sequencesOfALife {
      try life.live()
      let start = ContinuousClock.now
      while true {
        let update = monitor.next(timeout: .zero)
        if let update {
          seen = RandomLife.Content(update.state)
        } else if seen == life.content {
          break
        }
        guard update == nil else { continue }
        // A look that needs no event comes after half a minute.
        let isReady = try waitForInput([monitor.descriptor], timeout: .seconds(15)) != [[]]
        try #require(
          isReady && ContinuousClock.now - start < .seconds(15),
          "life \(seed), sequence \(number): \(life.steps)")
      }
    }
  }

  /// Lets somebody live, and whoever watches catch up again and again.
  ///
  /// - Returns: how long that took at most.
  fileprivate static func live(seed: UInt64) async throws -> Duration {
    let published = try PublishedVault(in: "/dev/shm")
    let widgets = try await WatchingWidgets(published)
    var life = RandomLife(published, seed: seed)
    var longest = Duration.zero
    for number in 0..<sequencesOfALife {
      try life.live()
      let start = ContinuousClock.now
      try await widgets.catchUp(with: life, "life \(seed), sequence \(number)")
      longest = max(longest, ContinuousClock.now - start)
    }
    try widgets.judge("life \(seed)")
    return longest
  }
}

/// Two who watch one snapshot: one reads it as a widget does, the other notes its bytes whenever it
/// is told of it, and looks by itself only for a while after the path has changed.
private final class WatchingWidgets {
  private enum Sight: Sendable, Hashable {
    case file([UInt8]?)
    case tooLate
  }

  private let updates = EventRecorder<VaultUpdate>()
  private let sights = EventRecorder<Sight>()
  private let snapshot: String
  private let task: Task<Void, Never>
  private let token: WatchToken

  init(_ published: PublishedVault) async throws {
    let (updates, sights) = (updates, sights)
    let vault = published.vault()
    task = Task { for await update in vault.updates() { updates.record(update) } }
    let path = published.namespacePath + "/session"
    snapshot = path
    token = try FileWatcher.watch(
      WatchRequest(
        file: "session", in: published.namespacePath, root: published.path,
        intervals: .init(degraded: .seconds(1), healthy: .seconds(3600)))
    ) { notice in
      sights.record(notice.event == .alarm ? .tooLate : .file(try? TestFile.read(path)))
    }
    try await updates.wait(count: 1)
    try await sights.wait(count: 1)
  }

  deinit {
    task.cancel()
    token.cancel()
  }

  /// Waits until both know what there is.
  func catchUp(with life: RandomLife, _ place: String) async throws {
    let start = ContinuousClock.now
    token.setAlarm(at: bootClockNanoseconds() + 15_000_000_000)
    let there = Sight.file(try? TestFile.read(snapshot))
    let seen = try await sights.wait { $0.last == there || $0.last == .tooLate }
    try #require(seen.last == there, "\(place): \(life.steps)")
    let content = life.content
    try await updates.wait { $0.last.map { RandomLife.Content($0.state) } == content }
    // A look that needs no event comes after half a minute.
    try #require(ContinuousClock.now - start < .seconds(15), "\(place): \(life.steps)")
  }

  /// Requires that no update said nothing new, and none was older than the one before.
  func judge(_ place: String) throws {
    let all = updates.events
    for (earlier, later) in zip(all, all.dropFirst()) {
      try #require(
        !later.state.saysTheSame(as: earlier.state) || later.change == .watchMode, "\(place)")
    }
    let generations = all.compactMap(\.state.generation)
    try #require(generations == generations.sorted(), "\(place)")
  }
}

extension RandomLife.Content {
  /// What a state says there is; nil for an error.
  fileprivate init?(_ state: VaultState) {
    switch (state.session, state.generation) {
    case (.absent, _): self = .nothing
    case (.valid, let generation?): self = .session(generation)
    case (.signedOut, let generation?): self = .signedOut(generation)
    default: return nil
    }
  }
}
