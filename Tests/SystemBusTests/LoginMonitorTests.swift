import FileSupport
import Glibc
import SystemBus
import TestSupport
import Testing

/// logind's signals, from python-dbusmock's logind on a bus of the test's own.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct LoginMonitorTests {
  private static let user: UInt32 = 4321

  /// What is heard, until the last one who listens is gone.
  private final class Hearing: Sendable {
    let notices = EventRecorder<LoginMonitor.Notice>()
    private let task: Task<Void, Never>

    init(_ address: String) throws {
      let stream = try LoginMonitor.notices(address: address, user: LoginMonitorTests.user)
      let notices = notices
      task = Task { for await notice in stream { notices.record(notice) } }
    }

    deinit { task.cancel() }
  }

  @Test func rf16SleepAndWakingUpAreHeardFromLogind() async throws {
    let bus = try await MockLoginManager()
    let hearing = try Hearing(bus.address)
    _ = try await hearing.notices.wait(count: 1)
    try await bus.prepareForSleep(true)
    try await bus.prepareForSleep(false)
    #expect(try await hearing.notices.wait(count: 3) == [.listening, .suspending, .resumed])
    await bus.end()
  }

  @Test func theUsersOwnSessionsLockAndUnlock() async throws {
    let bus = try await MockLoginManager()
    try await bus.addSession("c1", of: Self.user)
    try await bus.addSession("c2", of: Self.user + 1)
    let hearing = try Hearing(bus.address)
    _ = try await hearing.notices.wait(count: 1)
    try await bus.lock("c2", true)
    try await bus.setLockedHint("c2", true)
    try await bus.lock("c1", true)
    try await bus.setLockedHint("c1", true)
    try await bus.lock("c2", false)
    try await bus.setLockedHint("c1", false)
    try await bus.lock("c1", false)
    // What somebody else's session did would have come before.
    try await bus.prepareForSleep(true)
    let heard = try await hearing.notices.wait(count: 6)
    #expect(heard == [.listening, .locked, .locked, .unlocked, .unlocked, .suspending])
    await bus.end()
  }

  @Test func aSignalThatIsNotLogindsIsNotBelieved() async throws {
    let bus = try await MockLoginManager()
    try await bus.addSession("c1", of: Self.user)
    let hearing = try Hearing(bus.address)
    _ = try await hearing.notices.wait(count: 1)
    try await bus.forge("Lock", of: "c1")
    try await bus.forge("Unlock", of: "c1")
    try await bus.prepareForSleep(false)
    #expect(try await hearing.notices.wait(count: 2) == [.listening, .resumed])
    await bus.end()
  }

  @Test func aSessionThatWasLockedBeforeIsToldOfAtOnce() async throws {
    let bus = try await MockLoginManager()
    try await bus.addSession("c1", of: Self.user)
    try await bus.setLockedHint("c1", true)
    let hearing = try Hearing(bus.address)
    #expect(try await hearing.notices.wait(count: 2) == [.listening, .locked])
    await bus.end()
  }

  @Test func aBusThatGoesAwayIsListenedToOnceItIsBack() async throws {
    let directory = try TemporaryDirectory()
    let bus = try await MockLoginManager(in: directory)
    let hearing = try Hearing(bus.address)
    _ = try await hearing.notices.wait(count: 1)
    await bus.end()
    guard case .unavailable = try await hearing.notices.wait(count: 2).last else {
      Issue.record("\(hearing.notices.events)")
      return
    }
    let later = try await MockLoginManager(in: directory)
    try await later.addSession("c1", of: Self.user)
    _ = try await hearing.notices.wait { $0.dropFirst().contains(.listening) }
    try await later.lock("c1", true)
    _ = try await hearing.notices.wait { $0.last == .locked }
    await later.end()
  }

  @Test func aBusThatIsNotThereIsNamedOnce() async throws {
    let directory = try TemporaryDirectory()
    let hearing = try Hearing("unix:path=\(directory.file("bus"))")
    guard case .unavailable(_, let error) = try await hearing.notices.wait(count: 1).first else {
      Issue.record("\(hearing.notices.events)")
      return
    }
    #expect(error.rawValue == ENOENT)
    // However often it is looked for until it is there.
    let bus = try await MockLoginManager(in: directory)
    let heard = try await hearing.notices.wait { $0.last == .listening }
    #expect(heard.count { $0 == .unavailable(call: "sd_bus_add_match", error) } <= 1, "\(heard)")
    #expect(Set(heard).count == heard.count, "\(heard)")
    await bus.end()
  }

  @Test func aBusWithoutLogindIsNotTakenForOneThatTells() async throws {
    let bus = try await MockLoginManager(hasManager: false)
    let hearing = try Hearing(bus.address)
    let first = try await hearing.notices.wait(count: 1)
    #expect(first == [.unavailable(call: "sd_bus_get_name_creds", Errno(rawValue: ENXIO))])
    await bus.end()
  }
}
