import FileSupport
import Glibc
import SystemBus
import TestSupport
import Testing

/// logind's signals, from python-dbusmock's logind on a bus of the test's own.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct SleepMonitorTests {
  @Test func rf16SleepAndWakingUpAreHeardFromLogind() async throws {
    let bus = try await MockLoginManager()
    let notices = EventRecorder<SleepMonitor.Notice>()
    let stream = try SleepMonitor.notices(address: bus.address)
    let task = Task { for await notice in stream { notices.record(notice) } }
    _ = try await notices.wait(count: 1)
    try await bus.prepareForSleep(true)
    try await bus.prepareForSleep(false)
    #expect(try await notices.wait(count: 3) == [.listening, .suspending, .resumed])
    await bus.end()
    let end = try await notices.wait(count: 4).last
    guard case .unavailable = end else {
      Issue.record("\(String(describing: end))")
      return
    }
    await task.value
  }

  @Test func aBusThatIsNotThereIsNamed() async throws {
    let directory = try TemporaryDirectory()
    let stream = try SleepMonitor.notices(address: "unix:path=\(directory.file("none"))")
    var notices: [SleepMonitor.Notice] = []
    for await notice in stream { notices.append(notice) }
    #expect(notices.count == 1)
    guard case .unavailable(_, let error) = notices.first else {
      Issue.record("\(notices)")
      return
    }
    #expect(error.rawValue == ENOENT)
  }
}
