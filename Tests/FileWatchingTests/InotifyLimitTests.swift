import FileSupport
import FileWatching
import Glibc
import Synchronization
import TestSupport
import Testing

// Each in a process of its own, as the tests of InotifyTools.
@Suite(.timeLimit(.minutes(2)))
struct InotifyLimitTests {
  @Test(.enabled(if: geteuid() == 0, "takes another user's limit"))
  func wt11WithoutAFreeInstanceItPollsAndSaysWhy() async throws {
    await #expect(processExitsWith: .success) {
      alarm(110)
      let fixture = try WatchFixture()
      try become(54_322, fixture)
      let taken = takeInstances()
      try #require(try taken.count == limit("instances"))
      try #require(InotifyLimits.current(among: [])?.isInstanceFree == false)
      try await expectPolling(for: .tooManyInstances, fixture) {
        for number in taken { close(number) }
      }
    }
  }

  @Test(.enabled(if: geteuid() == 0, "takes another user's limit"))
  func wt11WithoutAFreeWatchItPollsAndSaysWhy() async throws {
    await #expect(processExitsWith: .success) {
      alarm(110)
      let fixture = try WatchFixture()
      try become(54_323, fixture)
      // A directory counts once for each instance that watches it.
      let instances = takeInstances()
      close(instances[0])
      let watchers = instances.dropFirst()
      let names = try (0...(limit("watches") / watchers.count)).map {
        try fixture.temporary.makeDirectory("\($0)")
      }
      let count = watchers.reduce(0) { count, instance in
        count
          + names.count { unsafe inotify_add_watch(instance, $0, UInt32(IN_DELETE_SELF)) >= 0 }
      }
      try #require(try count == limit("watches"))
      // With the one instance that is left.
      let limits = try #require(InotifyLimits.current(among: []))
      try #require(limits.isInstanceFree && !limits.isWatchFree)
      try await expectPolling(for: .tooManyWatches, fixture) {
        for instance in watchers { close(instance) }
      }
    }
  }

  @Test func wt02AReaderThatStoodStillIsToldOnceOrTwice() async throws {
    await #expect(processExitsWith: .success) {
      alarm(110)
      let fixture = try WatchFixture()
      let stop = try HandlerStop()
      let token = try fixture.watch { notice in
        if notice.event == .replaced { stop.hold() }
      }
      try await fixture.notices.next { $0.event == .began }
      try fixture.publish()
      try await stop.isHolding.wait()
      for number in 1...30_000 { try fixture.publish("\(number)") }
      // An event has 16 bytes, and as many for a short name.
      try #require(try queuedBytes() <= 2 * 32)
      stop.release()
      // Whatever is queued is told before this: the kernel keeps the order.
      try (try fixture.directory).removeFile("session")
      try await fixture.notices.next { $0.event == .removed }
      let replaced = fixture.notices.events.count { $0.event == .replaced }
      try #require(replaced <= 3)
      try #require(!fixture.notices.events.contains { $0.event == .overflow })
      token.cancel()
    }
  }

  @Test func wt03AnOverflowIsToldOnceAndWhatIsNewestIsReadThen() async throws {
    await #expect(processExitsWith: .success) {
      alarm(110)
      var delays: [Duration] = []
      for _ in 0..<5 {
        let fixture = try WatchFixture()
        let stop = try HandlerStop()
        let read = EventRecorder<(text: String, time: ContinuousClock.Instant)>()
        let waited = Mutex(Duration.zero)
        let token = try fixture.watch { notice in
          if notice.event == .replaced {
            stop.hold()
            waited.withLock { $0 = waitForProcessor() }
          }
          guard notice.event == .overflow else { return }
          let text = try? TestFile.text(fixture.path + "/session")
          // A busy machine is not the watcher's fault.
          read.record((text ?? "", .now - (waitForProcessor() - waited.withLock { $0 })))
        }
        try await fixture.notices.next { $0.event == .began }
        try fixture.publish()
        try await stop.isHolding.wait()
        let directory = try fixture.directory
        try directory.replaceFile("a", with: [], durability: .volatile)
        for _ in 0..<10_000 {
          try directory.renameFile("a", to: "b")
          try directory.renameFile("b", to: "a")
        }
        try fixture.publish("behind the overflow")
        let start = ContinuousClock.now
        stop.release()
        let newest = try await read.next()
        try #require(newest.text == "behind the overflow")
        delays.append(newest.time - start)
        try await fixture.notices.next { $0.event == .overflow }
        try fixture.publish("after")
        try await fixture.notices.next { $0.event == .replaced }
        try #require(fixture.notices.events.count { $0.event == .overflow } == 1)
        token.cancel()
      }
      // The least of them, because a machine may be busy in other ways too.
      if Sanitizer.permits("how soon an overflow is heard of") {
        try #require(delays.min() ?? .zero < .milliseconds(100), "\(delays)")
      }
    }
  }
}

/// Becomes a user that nobody is, so that the limit is nobody else's; the directory goes along.
private func become(_ user: uid_t, _ fixture: WatchFixture) throws {
  try #require(unsafe chown(fixture.temporary.path, user, user) == 0)
  try #require(unsafe chown(fixture.path, user, user) == 0)
  try #require(setreuid(user, user) == 0)
}

/// Takes all of this user's inotify instances.
private func takeInstances() -> [Int32] {
  var taken: [Int32] = []
  while case let number = inotify_init1(0), number >= 0 { taken.append(number) }
  return taken
}

/// The kernel's limit of a user's instances or watches.
private func limit(_ kind: String) throws -> Int {
  let text = try TestFile.text("/proc/sys/fs/inotify/max_user_\(kind)")
  return try #require(Int(text.prefix { $0.isNumber }))
}

/// Watches by looking for the reason given, sees a publication, and says when inotify works again.
private func expectPolling(
  for reason: PollingReason, _ fixture: WatchFixture, untilFreed: () -> Void
) async throws {
  let token = try fixture.watch(
    intervals: .init(degraded: .milliseconds(5), healthy: .milliseconds(50)))
  let began = try await fixture.notices.next { $0.event == .began }
  try #require(began.mode == .polling(reason))
  try fixture.publish()
  try await fixture.notices.next { $0.event == .replaced }
  // Tried again and again meanwhile, which is told nobody.
  token.setAlarm(at: bootClockNanoseconds() + 200_000_000)
  try await fixture.notices.next { $0.event == .alarm }
  try #require(fixture.notices.events.map(\.event) == [.began, .replaced, .alarm])
  untilFreed()
  let better = try await fixture.notices.next { $0.event == .modeChanged }
  try #require(better.mode == .inotify)
  try fixture.publish()
  try await fixture.notices.next { $0.event == .replaced }
  token.cancel()
}

/// Asks how much the kernel has queued in this process's one inotify instance.
private func queuedBytes() throws -> Int32 {
  let links = TestFile.names(in: "/proc/self/fd").compactMap { Int32($0) }
  let inotify = try #require(
    links.first { SymbolicLink.target("/proc/self/fd/\($0)") == "anon_inode:inotify" })
  var count: Int32 = 0
  try #require(unsafe ioctl(inotify, UInt(FIONREAD), &count) == 0)
  return count
}
