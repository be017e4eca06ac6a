import FileSupport
import FileWatching
import Glibc
import Synchronization
import TestSupport
import Testing

// Each in a process of its own: descriptors, limits and the one watcher thread are process-wide.
// A time limit doesn't reach into that process, so each has its alarm(2).
@Suite(.timeLimit(.minutes(2)))
struct InotifyToolsTests {
  @Test func lb01WithManyOpenFilesItPollsInsteadOfAborting() async throws {
    await #expect(processExitsWith: .success) {
      alarm(110)
      var limit = rlimit()
      unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      limit.rlim_cur = min(limit.rlim_max, 4096)
      try #require(
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      for _ in 0..<1_100 { try #require(unsafe open("/dev/null", O_RDONLY) >= 0) }
      let fixture = try WatchFixture()
      let token = try fixture.watch(
        intervals: .init(degraded: .milliseconds(5), healthy: .seconds(30)))
      let began = try await fixture.notices.next { $0.event == .began }
      guard case .polling(.fdTooLarge(let number)) = began.mode else {
        throw UnexpectedMode(mode: began.mode)
      }
      try #require(number >= 1024)
      try fixture.publish()
      try await fixture.notices.next { $0.event == .replaced }
      token.cancel()
    }
  }

  @Test func lb02WhatIsOpenedAfterAStopKeepsItsBytes() async throws {
    await #expect(processExitsWith: .success) {
      alarm(110)
      let fixture = try WatchFixture()
      try await beginAndEnd(fixture)
      var ends: [Int32] = [-1, -1]
      try #require(unsafe pipe(&ends) == 0)
      let written = [UInt8](repeating: 7, count: 64)
      try writeAllBytes(written, to: ends[1])
      try await beginAndEnd(fixture)
      var received = [UInt8](repeating: 0, count: 100)
      try #require(unsafe read(ends[0], &received, received.count) == 64)
      try #require(received.prefix(64).elementsEqual(written))
    }
  }

  @Test func lb03AnEarlierLifesEventsAreNotDelivered() async throws {
    await #expect(processExitsWith: .success) {
      alarm(110)
      let fixture = try WatchFixture()
      let stop = try HandlerStop()
      let ended = Gate()
      let leash = Mutex<Leash?>(Leash(ended))
      let token = try fixture.watch { [held = leash.withLock { $0 }] notice in
        held?.hold()
        if notice.event == .replaced { stop.hold() }
      }
      leash.withLock { $0 = nil }
      try await fixture.notices.next { $0.event == .began }
      try fixture.publish()
      try await stop.isHolding.wait()
      for number in 0..<5 {
        try fixture.publish("\(number)")
        try fixture.publish("\(number)", to: "other")
      }
      token.cancel()
      stop.release()
      try await ended.wait()
      let second = try fixture.watch(file: "other")
      try await fixture.notices.next { $0.event == .began }
      try (try fixture.directory).removeFile("other")
      let next = try await fixture.notices.next()
      try #require(next.event == .removed)
      second.cancel()
    }
  }

  @Test func aWatchIsRefusedToEverybodyWhileNoThreadCanBeHad() async {
    await #expect(processExitsWith: .success) {
      alarm(110)
      let (rounds, callers) = (300, 4)
      let refusals = EventRecorder<Bool>()
      let line = StartingLine()
      for _ in 0..<callers {
        try TestThread.start("caller") {
          for round in 1...rounds {
            line.meet(callers * round)
            let request = WatchRequest(file: "any", in: "/nowhere", method: .polling)
            refusals.record((try? FileWatcher.watch(request) { _ in }) == nil)
          }
        }
      }
      try forbidThreads()
      line.open()
      // Whatever waits on a task may need a new thread.
      while refusals.events.count < rounds * callers { sched_yield() }
      let all = refusals.events
      try #require(all.allSatisfy { $0 }, "\(all.count { !$0 }) watches that nobody serves")
    }
  }

  @Test func lb04NoCallThatIsKnownToMisbehaveIsMade() throws {
    let directory = PackageLayout.root + "/Sources/FileWatching"
    let sources = try TestFile.names(in: directory).map { name in
      String(decoding: try TestFile.read(directory + "/" + name), as: UTF8.self)
    }
    let text = sources.joined()
    #expect(text.contains("inotifytools_next_events(0, 1)"))
    let calls = text.split(separator: "inotifytools_next_events(").dropFirst()
    #expect(calls.allSatisfy { $0.hasPrefix("0, 1)") })
    for forbidden in [
      "inotifytools_next_event(", "inotifytools_cleanup", "watch_recursively", "_by_regex",
      "_by_inverted_regex", "set_filename", "replace_filename", "get_max_queued_events",
      "inotifytools_printf", "inotifytools_fprintf", "inotifytools_sprintf",
      "inotifytools_snprintf", "inotifytools_init(",
    ] { #expect(!text.contains(forbidden), "\(forbidden)") }
  }

  @Test func lb05AtRestItUsesNoProcessorTime() async throws {
    await #expect(processExitsWith: .success) {
      alarm(110)
      let fixture = try WatchFixture()
      let token = try await fixture.begin()
      try await fixture.settle()
      let before = processorMicroseconds()
      _ = poll(nil, 0, 3_000)
      let used = processorMicroseconds() - before
      try #require(used < 3_000, "\(used) microseconds in 3 seconds")
      token.cancel()
    }
  }

  @Test func lb06AStormOfSignalsLosesNothing() async throws {
    await #expect(processExitsWith: .success) {
      alarm(110)
      signal(SIGALRM) { _ in }
      let step = timeval(tv_sec: 0, tv_usec: 1_000)
      var timer = itimerval(it_interval: step, it_value: step)
      try #require(unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil) == 0)
      let fixture = try WatchFixture()
      let token = try await fixture.begin()
      let end = ContinuousClock.now + .seconds(5)
      var number = 0
      while ContinuousClock.now < end || number < 500 {
        number += 1
        try fixture.publish("\(number)")
        try await fixture.notices.wait(count: number + 1)
      }
      try #require(fixture.notices.events.dropFirst().allSatisfy { $0.event == .replaced })
      token.cancel()
    }
  }

  @Test func lb07ReplacedDirectoriesLeaveNothingBehind() async throws {
    await #expect(processExitsWith: .success) {
      alarm(110)
      let fixture = try WatchFixture(in: "/dev/shm")
      let last = try LastEvent()
      let request = WatchRequest(file: "session", in: fixture.path, root: fixture.temporary.path)
      let token = try FileWatcher.watch(request) { last.record($0.event) }
      func replaceDirectories(_ count: Int) throws {
        for _ in 0..<count {
          try fixture.publish()
          try last.wait(for: .replaced)
          try fixture.removeDirectory()
          try last.wait(for: .removed)
          try fixture.makeDirectory()
        }
      }
      try last.wait(for: .began)
      try replaceDirectories(500)
      try await fixture.settle()
      let descriptors = TestFile.names(in: "/proc/self/fd").count
      let memory = try residentBytes()
      try replaceDirectories(10_000)
      try await fixture.settle()
      let growth = try residentBytes() - memory
      if Sanitizer.permits("the memory of replaced directories") {
        try #require(growth < 1_000_000, "\(growth) bytes")
      }
      try #require(TestFile.names(in: "/proc/self/fd").count == descriptors)
      try #require(inotifyWatchCount() == 2)
      token.cancel()
    }
  }

  @Test func lb08AChildGetsNoInotifyDescriptor() async throws {
    await #expect(processExitsWith: .success) {
      alarm(110)
      let fixture = try WatchFixture()
      let token = try await fixture.begin()
      let result = try await ToolRunner.runSuccessfully(
        ToolRequest("/bin/ls", ["-l", "/proc/self/fd"]))
      try #require(result.output.contains("pipe:"))
      try #require(!result.output.contains("inotify"))
      token.cancel()
    }
  }

  @Test func lb09AllCallsAreMadeOnOneThread() async throws {
    await #expect(processExitsWith: .success) {
      alarm(110)
      let fixture = try WatchFixture()
      let threads = Mutex<Set<UInt>>([])
      let note: @Sendable (WatchNotice) -> Void = { _ in
        let thread = UInt(pthread_self())
        threads.withLock { _ = $0.insert(thread) }
      }
      let token = try fixture.watch(also: note)
      try await fixture.notices.next { $0.event == .began }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            let events = EventRecorder<FileEvent>()
            for _ in 0..<50 {
              let path = fixture.path
              let own = try FileWatcher.watch(
                WatchRequest(file: "f\(number)", in: path)
              ) { notice in
                note(notice)
                events.record(notice.event)
              }
              try await events.next { $0 == .began }
              try fixture.publish("x", to: "f\(number)")
              try await events.next { $0 == .replaced }
              own.cancel()
            }
          }
        }
        try await group.waitForAll()
      }
      try #require(threads.withLock { $0.count } == 1)
      token.cancel()
    }
  }

  @Test func lb10AStopIsQuick() async throws {
    await #expect(processExitsWith: .success) {
      alarm(110)
      let fixture = try WatchFixture()
      var stops: [Duration] = []
      for _ in 0..<21 { stops.append(try await beginAndEnd(fixture)) }
      // The median, because one of them may wait for a processor.
      try #require(stops.sorted()[10] < .milliseconds(50), "\(stops)")
    }
  }
}

struct UnexpectedMode: Error {
  let mode: WatchMode
}

/// Watches, ends the watch, and waits until the thread has let it go.
///
/// - Returns: how long the end took.
@discardableResult
private func beginAndEnd(_ fixture: WatchFixture) async throws -> Duration {
  let ended = Gate()
  let token = try watchOnLeash(fixture, ended)
  try await fixture.notices.next { $0.event == .began }
  let start = ContinuousClock.now
  token.cancel()
  try await ended.wait()
  return ContinuousClock.now - start
}

// In a function of its own, so that only the handler keeps the leash.
private func watchOnLeash(_ fixture: WatchFixture, _ ended: Gate) throws -> WatchToken {
  let leash = Leash(ended)
  return try fixture.watch { _ in leash.hold() }
}

private func processorMicroseconds() -> Int {
  var usage = rusage()
  unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
  let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
  return seconds * 1_000_000 + Int(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
}

/// Asks how much of this process is in memory.
private func residentBytes() throws -> Int {
  let pages = try TestFile.text("/proc/self/statm").split(separator: " ")
  return try #require(Int(pages[1])) * Int(getpagesize())
}

/// Counts the watches that the kernel knows of this process.
private func inotifyWatchCount() -> Int {
  TestFile.names(in: "/proc/self/fdinfo").reduce(0) { count, name in
    // The descriptor of the listing itself is gone by now.
    guard let bytes = try? TestFile.read("/proc/self/fdinfo/\(name)") else { return count }
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    return count + lines.count { $0.hasPrefix("inotify wd:") }
  }
}

/// Where threads wait for one another, so that they go on at the same time.
private final class StartingLine: Sendable {
  private let isOpen = Atomic(false)
  private let present = Atomic(0)

  /// Lets those go on who have met.
  func open() { isOpen.store(true, ordering: .releasing) }

  /// Spins until so many calls were made in all.
  func meet(_ count: Int) {
    present.add(1, ordering: .acquiringAndReleasing)
    while !isOpen.load(ordering: .acquiring) || present.load(ordering: .acquiring) < count {}
  }
}

/// Makes `pthread_create(3)` fail with `EAGAIN` from now on; root alone would not be held to it.
private func forbidThreads() throws {
  var none = rlimit()
  try #require(unsafe setrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &none) == 0)
  if getuid() == 0 { try #require(setreuid(54_321, 54_321) == 0) }
}
