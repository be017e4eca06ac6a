import FileSupport
import Glibc
import SystemBus
import TestSupport
import Testing

/// A connection to a notification server: dunst on a screen of the test's own, and mocks for faults.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct NotificationBusTests {
  private typealias Notice = NotificationBus.Notice

  private static let plain = DesktopNotification(
    summary: "Sign in again: a & b", body: "<i>ada</i> & co",
    markup: "&lt;i&gt;ada&lt;/i&gt; &amp; co")

  private static func connect(
    _ address: String, patience: Duration = .seconds(60)
  ) throws -> (NotificationBus, EventRecorder<Notice>) {
    let notices = EventRecorder<Notice>()
    let bus = try NotificationBus(address: address, patience: patience) { notices.record($0) }
    return (bus, notices)
  }

  private static func number(_ notice: Notice) -> UInt32? {
    if case .shown(let number, _) = notice { number } else { nil }
  }

  private static func isServer(_ notice: Notice) -> Bool {
    if case .server(_?) = notice { true } else { false }
  }

  private static func isRefusal(_ notice: Notice) -> Bool {
    if case .refused = notice { true } else { false }
  }

  @Test func nd03APopUpIsShownReplacedAndTakenAway() async throws {
    let desktop = try await NotificationDesktop()
    let dunst = try await desktop.startServer()
    let (bus, notices) = try Self.connect(desktop.address)
    bus.show(Self.plain, replacing: nil)
    let first = Self.number(try await notices.next { Self.number($0) != nil })
    #expect(
      try await dunst.output.next { $0.contains("summary:") }.hasSuffix("'Sign in again: a & b'"))
    #expect(try await dunst.output.next { $0.contains("body:") }.contains(Self.plain.markup))
    #expect(try await dunst.output.next { $0.contains("category:") }.hasSuffix("network"))
    #expect(try await dunst.output.next { $0.contains("timeout:") }.hasSuffix(": 0"))
    #expect(try await dunst.output.next { $0.contains("urgency:") }.hasSuffix("NORMAL"))
    bus.show(
      DesktopNotification(summary: "two", body: "", markup: ""), replacing: first)
    #expect(Self.number(try await notices.next { Self.number($0) != nil }) == first)
    #expect(try await desktop.standing() == 1)
    bus.close(first ?? 0)
    try await notices.next { $0 == .closed(first ?? 0) }
    #expect(try await desktop.standing() == 0)
    // One that the person closes is heard of as well.
    bus.show(Self.plain, replacing: nil)
    let second = Self.number(try await notices.next { Self.number($0) != nil })
    try await desktop.dismiss()
    try await notices.next { $0 == .closed(second ?? 0) }
    await desktop.end()
    guard
      case .unavailable = try await notices.next(where: { !Self.isServer($0) && $0 != .server(nil) }
      )
    else {
      Issue.record("\(notices.events)")
      return
    }
  }

  @Test func aServerWithoutMarkupGetsTheTextAsItIs() async throws {
    let desktop = try await NotificationDesktop()
    let mock = try await desktop.startMock(capabilities: "body")
    let (bus, notices) = try Self.connect(desktop.address)
    bus.show(Self.plain, replacing: nil)
    try await notices.next { Self.number($0) != nil }
    let call = try await mock.output.next { $0.contains(" Notify ") }
    #expect(call.contains("<i>ada</i> & co") && !call.contains("&amp;"), "\(call)")
    #expect(call.contains("\"TokenVault\"") && call.contains("\"dialog-password\""), "\(call)")
    await desktop.end()
  }

  @Test func nd05AServerIsStartedOnceForAPopUpAndOneThatComesIsToldOf() async throws {
    let desktop = try await NotificationDesktop(isActivating: true)
    let (bus, notices) = try Self.connect(desktop.address)
    try await notices.next { $0 == .server(nil) }
    bus.show(Self.plain, replacing: nil)
    try await notices.next { Self.number($0) != nil }
    #expect(notices.events.count { Self.isServer($0) } == 1)
    await desktop.end()
  }

  @Test func withoutAServerAPopUpIsRefusedAndALaterOneIsToldOf() async throws {
    let desktop = try await NotificationDesktop()
    let (bus, notices) = try Self.connect(desktop.address)
    bus.show(Self.plain, replacing: nil)
    #expect(
      try await notices.wait(count: 2) == [
        .server(nil), .refused("org.freedesktop.DBus.Error.ServiceUnknown", server: nil),
      ])
    let dunst = try await desktop.startServer()
    try await notices.next { Self.isServer($0) }
    bus.show(Self.plain, replacing: nil)
    try await notices.next { Self.number($0) != nil }
    dunst.terminate()
    try await notices.next { $0 == .server(nil) }
    await desktop.end()
  }

  @Test func nd04AServerThatHangsIsToldOfOnceAndWaitedFor() async throws {
    let desktop = try await NotificationDesktop()
    let dunst = try await desktop.startServer()
    // The program that the shell's word has become.
    dunst.send(signal: SIGSTOP)
    let (bus, notices) = try Self.connect(desktop.address, patience: .milliseconds(50))
    bus.show(Self.plain, replacing: nil)
    try await notices.next { $0 == .silent }
    dunst.send(signal: SIGCONT)
    let number = Self.number(try await notices.next { Self.number($0) != nil })
    #expect(notices.events.count { $0 == .silent } == 1)
    bus.close(number ?? 0)
    try await notices.next { $0 == .closed(number ?? 0) }
    // One that dies with the question.
    dunst.send(signal: SIGSTOP)
    bus.show(Self.plain, replacing: nil)
    try await notices.next { $0 == .silent }
    dunst.kill()
    try await notices.next { Self.isRefusal($0) }
    #expect(notices.events.contains(.server(nil)))
    await desktop.end()
  }

  @Test func aClosingThatIsNotTheServersIsNotBelieved() async throws {
    let desktop = try await NotificationDesktop()
    let dunst = try await desktop.startServer()
    let (bus, notices) = try Self.connect(desktop.address)
    bus.show(Self.plain, replacing: nil)
    let number = Self.number(try await notices.next { Self.number($0) != nil }) ?? 0
    try await ToolRunner.runSuccessfully(
      ToolRequest(
        "dbus-send",
        [
          "--bus=\(desktop.address)", "--type=signal", "/org/freedesktop/Notifications",
          "org.freedesktop.Notifications.NotificationClosed", "uint32:\(number)", "uint32:2",
        ]))
    dunst.terminate()
    // Which comes after what the other one has said.
    try await notices.next { $0 == .server(nil) }
    #expect(!notices.events.contains(.closed(number)))
    await desktop.end()
  }

  @Test(
    arguments: [
      ([:], nil), (["XDG_RUNTIME_DIR": "run"], nil),
      (["XDG_RUNTIME_DIR": "/run/user/1000"], "unix:path=/run/user/1000/bus"),
      (["XDG_RUNTIME_DIR": "/a b;\u{e9}\n"], "unix:path=/a%20b%3b%c3%a9%0a/bus"),
      (["XDG_RUNTIME_DIR": "/x", "DBUS_SESSION_BUS_ADDRESS": "tcp:y"], "tcp:y"),
    ] as [([String: String], String?)])
  func theBusIsWhereTheEnvironmentSays(variables: [String: String], address: String?) {
    #expect(NotificationBus.sessionAddress(FileSupport.Environment(variables)) == address)
  }

  @Test func aBusThatIsNotThereIsToldOf() async throws {
    let directory = try TemporaryDirectory()
    let (bus, notices) = try Self.connect("unix:path=\(directory.file("bus"))")
    bus.show(Self.plain, replacing: nil)
    let notice = try await notices.next()
    guard case .unavailable(_, let error) = notice else {
      Issue.record("\(notice)")
      return
    }
    #expect(error.rawValue == ENOENT)
  }
}
