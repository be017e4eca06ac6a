import CommandRuntime
import FileSupport
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReadinessNotifierTests {
  /// A service manager's end of the socket.
  private struct Manager: ~Copyable {
    let descriptor: FileDescriptor

    init(path: [UInt8]) throws {
      let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      descriptor = FileDescriptor(owning: number)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
      let length = socklen_t(2 + path.count + (path[0] == 0 ? 0 : 1))
      let bound = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(number, $0, length)
        }
      }
      try #require(bound == 0)
    }

    func next() -> String {
      var buffer = [UInt8](repeating: 0, count: 256)
      let count = unsafe recv(descriptor.rawValue, &buffer, buffer.count, 0)
      return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
  }

  @Test func sv01SendsOneDatagramAMessage() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("notify")
    let manager = try Manager(path: Array(path.utf8))
    let notifier = ReadinessNotifier(environment: .init(["NOTIFY_SOCKET": path]))
    try notifier.send(.ready(status: "2 sessions\nREADY=0"))
    try notifier.send(.status("renewing primary"))
    try notifier.send(.watchdog)
    try notifier.send(.reloading)
    try notifier.send(.stopping)
    #expect(manager.next() == "READY=1\nSTATUS=2 sessions READY=0")
    #expect(manager.next() == "STATUS=renewing primary")
    #expect(manager.next() == "WATCHDOG=1")
    #expect(manager.next().hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
    #expect(manager.next() == "STOPPING=1")
  }

  @Test func reachesAnAbstractSocket() throws {
    let name = "tokenvault-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let manager = try Manager(path: [0] + Array(name.utf8))
    let notifier = ReadinessNotifier(environment: .init(["NOTIFY_SOCKET": "@" + name]))
    try notifier.send(.stopping)
    #expect(manager.next() == "STOPPING=1")
  }

  @Test(arguments: ["relative", "@", "/", String(repeating: "/a", count: 60)])
  func ignoresWhatIsNoSocket(text: String) throws {
    let notifier = ReadinessNotifier(environment: .init(["NOTIFY_SOCKET": text]))
    #expect(throws: Never.self) { try notifier.send(.stopping) }
  }

  @Test func saysThatNobodyListensAnyMore() throws {
    let directory = try TemporaryDirectory()
    let notifier = ReadinessNotifier(
      environment: .init(["NOTIFY_SOCKET": directory.file("gone")]))
    #expect(throws: Errno(rawValue: ENOENT)) { try notifier.send(.stopping) }
  }

  @Test(
    arguments: [
      (["WATCHDOG_USEC": "30000000"], Duration.seconds(15)),
      (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], .seconds(15)),
      (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil),
      (["WATCHDOG_USEC": "0"], nil), (["WATCHDOG_USEC": "soon"], nil), ([:], nil),
    ] as [([String: String], Duration?)])
  func feedsTheWatchdogTwiceAsOftenAsNeeded(variables: [String: String], interval: Duration?) {
    let notifier = ReadinessNotifier(environment: .init(variables), process: 7)
    #expect(notifier.watchdogInterval == interval)
  }
}
