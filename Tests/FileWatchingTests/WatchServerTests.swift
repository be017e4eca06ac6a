import FileSupport
@testable import FileWatching
import Glibc
import Synchronization
import TestSupport
import Testing

// Each in a process of its own, in which no other test's watch brings a thread.
@Suite(.timeLimit(.minutes(1))) struct WatchServerTests {
  @Test func whoeverWaitsServesAndNoThreadIsStarted() async {
    await #expect(processExitsWith: .success) {
      let (fixture, told, ready, token) = try watchForWaiter()
      try #require(told.events == [])
      FileWatcher.serve()
      try #require(told.events == [.began])
      try #require(!isReadable(ready, within: .zero))
      for number in 1...3 {
        try fixture.publish("\(number)")
        try #require(isReadable(ready, within: nil))
        FileWatcher.serve()
        try #require(told.takeEvents().last == .replaced)
        try #require(!isReadable(ready, within: .zero))
      }
      try #require(!hasWatcherThread())
      token.cancel()
    }
  }

  @Test func anAlarmMakesItReadable() async {
    await #expect(processExitsWith: .success) {
      let (fixture, told, ready, token) = try watchForWaiter()
      FileWatcher.serve()
      token.setAlarm(at: bootClockNanoseconds() + 5_000_000)
      FileWatcher.serve()
      try #require(isReadable(ready, within: nil))
      FileWatcher.serve()
      try #require(told.takeEvents() == [.began, .alarm])
      try #require(!isReadable(ready, within: .zero))
      token.cancel()
      withExtendedLifetime(fixture) {}
    }
  }

  @Test func whatItHoldsIsGivenBackWithTheLastWatch() async {
    await #expect(processExitsWith: .success) {
      alarm(50)
      let fixture = try WatchFixture()
      _ = try FileWatcher.readiness()
      let before = openDescriptors()
      let gate = Gate()
      do {
        let leash = Leash(gate)
        let token = try FileWatcher.watch(
          WatchRequest(file: "session", in: fixture.path), servedBy: .waiter
        ) { _ in leash.hold() }
        FileWatcher.serve()
        try #require(openDescriptors() != before)
        token.cancel()
      }
      try #require(gate.isOpen)
      // The library keeps its instance for the next time.
      let kept = openDescriptors().subtracting(before)
      try #require(kept.count <= 1)
      for descriptor in kept { try #require(watchDescriptors(of: descriptor).isEmpty) }
    }
  }

  @Test func aThreadTakesOverAndGivesBack() async {
    await #expect(processExitsWith: .success) {
      let (fixture, told, ready, token) = try watchForWaiter()
      FileWatcher.serve()
      for _ in 1...3 {
        let other = try await fixture.begin(intervals: .never)
        try #require(hasWatcherThread())
        try fixture.publish("by the thread")
        try await fixture.notices.next { $0.event == .replaced }
        try await told.wait(for: .replaced)
        try #require(!isReadable(ready, within: .zero))
        // Served by the thread, which does not end while there is a watch.
        other.cancel()
        try fixture.publish("by the thread, and longer")
        try await told.wait(for: .replaced)
      }
      token.cancel()
      while hasWatcherThread() { sched_yield() }
      let again = try fixture.watchForWaiter(told)
      FileWatcher.serve()
      _ = told.takeEvents()
      try fixture.publish("by whoever waits")
      try #require(isReadable(ready, within: nil))
      FileWatcher.serve()
      try #require(told.takeEvents().last == .replaced)
      again.cancel()
    }
  }

  @Test func whoComesWhileAnotherServesIsServedToo() async {
    await #expect(processExitsWith: .success) {
      alarm(50)
      let fixture = try WatchFixture()
      let ready = try FileWatcher.readiness()
      let stop = try HandlerStop()
      // Nothing but the call that was missed makes it readable.
      let first = try FileWatcher.watch(
        WatchRequest(file: "session", in: fixture.path, intervals: .never), servedBy: .waiter
      ) { if $0.event == .began { stop.hold() } }
      let serving = Task { try await TestThread.run { FileWatcher.serve() } }
      try await stop.isHolding.wait()
      let told = ToldWaiter()
      let second = try fixture.watchForWaiter(told)
      FileWatcher.serve()
      try #require(told.events == [])
      stop.release()
      try await serving.value
      try #require(isReadable(ready, within: nil))
      FileWatcher.serve()
      try #require(told.events == [.began])
      for token in [first, second] { token.cancel() }
    }
  }

  @Test func aFloodIsServedTurnByTurn() async {
    await #expect(processExitsWith: .success) {
      let (fixture, told, ready, token) = try watchForWaiter()
      FileWatcher.serve()
      // The kernel makes one of two events in a row that say the same.
      let directory = try fixture.directory
      for number in 1...5000 {
        try directory.replaceFile("other \(number % 2)", with: [1], durability: .volatile)
      }
      try fixture.publish()
      var turns = 0
      while isReadable(ready, within: .zero) {
        FileWatcher.serve()
        turns += 1
      }
      try #require(told.events.last == .replaced)
      try #require(turns > 1)
      token.cancel()
    }
  }
}

/// What a watch for a waiter said.
private final class ToldWaiter: Sendable {
  private let said = EventRecorder<FileEvent>()
  private let taken = Mutex(0)

  var events: [FileEvent] { said.events }

  func record(_ event: FileEvent) { said.record(event) }

  /// What was said since the last call.
  func takeEvents() -> [FileEvent] {
    let all = said.events
    return taken.withLock { taken in
      defer { taken = all.count }
      return Array(all.dropFirst(taken))
    }
  }

  func wait(for event: FileEvent) async throws { try await said.next { $0 == event } }
}

extension WatchFixture {
  fileprivate func watchForWaiter(_ told: ToldWaiter) throws -> WatchToken {
    try FileWatcher.watch(
      WatchRequest(file: "session", in: path, root: temporary.path, intervals: .never),
      servedBy: .waiter
    ) { told.record($0.event) }
  }
}

/// A watch that nobody serves yet, what it has said, and what tells whoever is to serve it; the process
/// ends if it is waited for in vain.
private func watchForWaiter() throws -> (WatchFixture, ToldWaiter, Int32, WatchToken) {
  alarm(50)
  let (fixture, told) = (try WatchFixture(), ToldWaiter())
  return (fixture, told, try FileWatcher.readiness(), try fixture.watchForWaiter(told))
}

private func isReadable(_ descriptor: Int32, within timeout: Duration?) -> Bool {
  (try? waitForInput([descriptor], timeout: timeout)) == [.readable]
}

private func hasWatcherThread() -> Bool {
  let threads = TestFile.names(in: "/proc/self/task")
  return threads.contains { thread in
    (try? TestFile.text("/proc/self/task/\(thread)/comm"))?.hasPrefix("file-watcher") ?? false
  }
}

private func openDescriptors() -> Set<Int32> {
  // The directory's own descriptor is closed again by the time that it would be looked at.
  Set(TestFile.names(in: "/proc/self/fd").compactMap { Int32($0) })
    .filter { fcntl($0, F_GETFD) >= 0 }
}
