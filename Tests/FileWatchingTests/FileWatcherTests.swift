import FileSupport
import FileWatching
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FileWatcherTests {
  @Test func wt01EachPublishIsToldWithin10Milliseconds() async throws {
    let fixture = try WatchFixture()
    let path = fixture.path + "/session"
    let told = EventRecorder<(text: String?, time: ContinuousClock.Instant, waited: Duration)>()
    let token = try fixture.watch { _ in
      let time = ContinuousClock.now
      told.record((try? TestFile.text(path), time, waitForProcessor()))
    }
    var waited = try await told.next().waited
    // As fast as they are told, which is more than 100 a second.
    var delays: [Duration] = []
    for number in 1...1_000 {
      try fixture.publish("\(number)")
      let published = ContinuousClock.now
      let sight = try await told.next { $0.text == "\(number)" }
      // A busy machine is not the watcher's fault.
      delays.append(sight.time - published - (sight.waited - waited))
      waited = sight.waited
    }
    #expect(delays.sorted()[990] < .milliseconds(10))
    // Each was told here before it is told there.
    let events = try await fixture.notices.wait(count: 1_001)
    #expect(events.dropFirst().allSatisfy { $0.event == .replaced })
    #expect(events.count == 1_001)
    #expect(events.allSatisfy { $0.mode == .inotify })
    token.cancel()
  }

  @Test func wt04WhatIsPublishedWhileTheWatchBeginsIsNotMissed() async throws {
    for number in 0..<50 {
      let fixture = try WatchFixture()
      let seen = EventRecorder<String>()
      let path = fixture.path
      let token = try fixture.watch { _ in
        if let bytes = try? TestFile.read(path + "/session") {
          seen.record(String(decoding: bytes, as: UTF8.self))
        }
      }
      try fixture.publish("\(number)")
      try await seen.next { $0 == "\(number)" }
      token.cancel()
    }
  }

  @Test func wt05ADirectoryMadeAgainIsWatchedAgain() async throws {
    let fixture = try WatchFixture()
    let token = try await fixture.begin(intervals: .never)
    for _ in 0..<10 {
      try fixture.publish()
      try await fixture.notices.next { $0.event == .replaced }
      try fixture.removeDirectory()
      try await fixture.notices.next { $0.event == .removed }
      try fixture.makeDirectory()
    }
    try fixture.publish()
    let notice = try await fixture.notices.next { $0.event == .replaced }
    #expect(notice.mode == .inotify)
    token.cancel()
  }

  @Test func wt05ADirectoryThatSomebodyHoldsOpenIsWatchedAgain() async throws {
    let fixture = try WatchFixture()
    let token = try await fixture.begin(
      intervals: .init(degraded: .seconds(1), healthy: .seconds(3600)))
    let held = try fixture.directory
    try fixture.publish()
    try await fixture.notices.next { $0.event == .replaced }
    try fixture.removeDirectory()
    try fixture.makeDirectory()
    try fixture.publish()
    try await fixture.notices.next { $0.event == .replaced }
    #expect(!held.isStillInPlace)
    token.cancel()
  }

  @Test func wt06ADirectoryMovedAwayIsNotWatchedAnyMore() async throws {
    let fixture = try WatchFixture()
    let token = try await fixture.begin()
    try fixture.publish()
    try await fixture.notices.next { $0.event == .replaced }
    let old = try fixture.directory
    #expect(unsafe rename(fixture.path, fixture.path + ".old") == 0)
    try await fixture.notices.next { $0.event == .removed }
    try fixture.makeDirectory()
    try old.replaceFile("session", with: [1], durability: .volatile)
    try fixture.publish("new")
    try await fixture.notices.next { $0.event == .replaced }
    try (try fixture.directory).removeFile("session")
    try await fixture.notices.next { $0.event == .removed }
    // What a look finds may be told again by the event that follows.
    let events = fixture.notices.events.map(\.event)
    let changes = zip(events, events.dropFirst()).filter { $0 != $1 }.map(\.1)
    #expect(changes == [.replaced, .removed, .replaced, .removed])
    token.cancel()
  }

  @Test(arguments: [1, 2, 4]) func wt12AMissingDirectoryIsAwaited(depth: Int) async throws {
    let fixture = try WatchFixture(depth: depth, isMissing: true)
    let token = try fixture.watch(root: fixture.temporary.path + "/d", intervals: .never)
    let began = try await fixture.notices.next { $0.event == .began }
    #expect(began.mode == .inotify)
    try fixture.makeDirectory()
    try fixture.publish()
    let notice = try await fixture.notices.next { $0.event == .replaced }
    #expect(notice.mode == .inotify)
    token.cancel()
  }

  @Test func wt13ARemovedFileIsToldOnce() async throws {
    let fixture = try WatchFixture()
    try fixture.publish()
    let token = try await fixture.begin()
    try (try fixture.directory).removeFile("session")
    try await fixture.notices.next { $0.event == .removed }
    try fixture.publish()
    try await fixture.notices.next { $0.event == .replaced }
    #expect(fixture.notices.events.map(\.event) == [.began, .removed, .replaced])
    token.cancel()
  }

  @Test func wt14TouchingAndReadingAreNotTold() async throws {
    let fixture = try WatchFixture()
    try fixture.publish()
    let token = try await fixture.begin()
    let file = fixture.path + "/session"
    #expect(unsafe utimes(file, nil) == 0)
    #expect(unsafe chmod(file, 0o400) == 0)
    _ = try TestFile.read(file)
    try fixture.publish("other", to: "other")
    try (try fixture.directory).removeFile("other")
    try fixture.publish()
    try await fixture.notices.next { $0.event == .replaced }
    #expect(fixture.notices.events.map(\.event) == [.began, .replaced])
    token.cancel()
  }

  @Test func wt16ALinkInTheDirectorysPlaceIsRefusedWithAReason() async throws {
    let fixture = try WatchFixture(isMissing: true)
    _ = try fixture.temporary.makeDirectory("elsewhere")
    #expect(unsafe symlink("elsewhere", fixture.path) == 0)
    let token = try fixture.watch()
    let began = try await fixture.notices.next { $0.event == .began }
    #expect(began.mode == .polling(.notDirectory(path: fixture.path)))
    token.cancel()
  }

  @Test func wt16ALinkAboveTheRootIsFollowed() async throws {
    let fixture = try WatchFixture(isMissing: true)
    _ = try fixture.temporary.makeDirectory("elsewhere")
    let link = fixture.temporary.path + "/link"
    #expect(unsafe symlink("elsewhere", link) == 0)
    let notices = fixture.notices
    let token = try FileWatcher.watch(
      WatchRequest(file: "session", in: link + "/root/d", root: link + "/root")
    ) { notices.record($0) }
    try await notices.next { $0.event == .began }
    let directory = try Directory.create(path: link + "/root/d", policy: .ownerOnly)
    try directory.replaceFile("session", with: [], durability: .volatile)
    let notice = try await notices.next { $0.event == .replaced }
    #expect(notice.mode == .inotify)
    token.cancel()
  }

  @Test func pollingSeesWhatEventsWouldTell() async throws {
    let fixture = try WatchFixture()
    let intervals = WatchRequest.Intervals(degraded: .milliseconds(5), healthy: .milliseconds(50))
    let token = try await fixture.begin(method: .polling, intervals: intervals)
    #expect(fixture.notices.events.first?.mode == .polling(.onRequest))
    try fixture.publish()
    try await fixture.notices.next { $0.event == .replaced }
    try fixture.removeDirectory()
    try await fixture.notices.next { $0.event == .removed }
    try fixture.makeDirectory()
    try fixture.publish()
    try await fixture.notices.next { $0.event == .replaced }
    token.cancel()
  }

  @Test func twoWatchesOfOneDirectoryAreIndependent() async throws {
    let fixture = try WatchFixture()
    let first = try await fixture.begin()
    let others = EventRecorder<FileEvent>()
    let second = try FileWatcher.watch(
      WatchRequest(file: "other", in: fixture.path, root: fixture.temporary.path)
    ) { others.record($0.event) }
    try await others.next { $0 == .began }
    first.cancel()
    try fixture.publish("x", to: "other")
    try await others.next { $0 == .replaced }
    second.cancel()
  }

  @Test func aDirectoryOnThePathOfAnotherWatchIsWatchedForBoth() async throws {
    let fixture = try WatchFixture()
    let inner = try await fixture.begin()
    let others = EventRecorder<FileEvent>()
    let outer = try FileWatcher.watch(
      WatchRequest(file: "top", in: fixture.temporary.path)
    ) { others.record($0.event) }
    try await others.next { $0 == .began }
    try fixture.temporary.write("x", to: ".top")
    #expect(unsafe rename(fixture.temporary.file(".top"), fixture.temporary.file("top")) == 0)
    try await others.next { $0 == .replaced }
    outer.cancel()
    try fixture.removeDirectory()
    try fixture.makeDirectory()
    try fixture.publish()
    try await fixture.notices.next { $0.event == .replaced }
    inner.cancel()
  }

  @Test func anEventDuringTheWideningOfAWatchIsNotMissed() async throws {
    let fixture = try WatchFixture()
    let stop = try HandlerStop()
    let token = try fixture.watch(intervals: .never) { notice in
      if notice.event == .replaced { stop.hold() }
    }
    try await fixture.notices.next { $0.event == .began }
    try fixture.publish("1")
    try await stop.isHolding.wait()
    // The thread takes both together: what the first does is not handled before the second widens.
    let publisher = try FileWatcher.watch(
      WatchRequest(file: "any", in: fixture.temporary.path, method: .polling)
    ) { notice in
      if notice.event == .began { try? fixture.publish("22") }
    }
    let below = try FileWatcher.watch(
      WatchRequest(file: "any", in: fixture.path + "/below", root: fixture.path)
    ) { _ in }
    stop.release()
    try await fixture.notices.wait(count: 3)
    #expect(fixture.notices.events.map(\.event) == [.began, .replaced, .replaced])
    for token in [token, publisher, below] { token.cancel() }
  }

  @Test func anAlarmGoesOffOnce() async throws {
    let fixture = try WatchFixture()
    let token = try await fixture.begin()
    token.setAlarm(at: bootClockNanoseconds() + 5_000_000)
    try await fixture.notices.next { $0.event == .alarm }
    token.setAlarm(at: 0)
    try await fixture.notices.next { $0.event == .alarm }
    token.setAlarm(at: .max)
    try fixture.publish()
    try await fixture.notices.next { $0.event == .replaced }
    #expect(fixture.notices.events.count == 4)
    token.cancel()
  }

  @Test func aWriterThatEndsIsToldToWhoeverAsked() async throws {
    let fixture = try WatchFixture()
    let notices = fixture.notices
    var lock: FileLock? = try FileLock("lock", in: try fixture.directory)
    let token = try FileWatcher.watch(
      WatchRequest(file: "lock", in: fixture.path, tellsWriters: true)
    ) { notices.record($0) }
    try await notices.next { $0.event == .began }
    // A reader that asks for the lock is no writer.
    #expect(try FileLock.isHeld("lock", in: try fixture.directory))
    withExtendedLifetime(lock) {}
    lock = nil
    try await notices.next { $0.event == .writerGone }
    #expect(notices.events.map(\.event) == [.began, .writerGone])
    token.cancel()
  }
}
