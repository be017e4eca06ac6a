import FileSupport
import SessionHost
import SessionModel
import Synchronization
import TestSupport
import Testing

/// The notifier between sessions and a desktop that the test plays.
@Suite(.timeLimit(.minutes(1)))
struct PersonNotifierTests {
  private enum Deed: Sendable, Hashable {
    case connected(Int)
    case shown(String, replacing: UInt32?)
    case closed(UInt32)
    case left
  }

  /// A desktop that notes what is wanted of it; the test answers.
  private final class Desktop: Sendable {
    let deeds = EventRecorder<Deed>()
    /// How often no thread can be had.
    let failures = Mutex(0)
    private let tells = Mutex<[@Sendable (NotificationPlan.Event) -> Void]>([])

    func connect(
      _ tell: @escaping @Sendable (NotificationPlan.Event) -> Void
    ) throws(DesktopConnectionError) -> (any NotificationDisplay)? {
      let fails = failures.withLock { left in
        defer { left = max(0, left - 1) }
        return left > 0
      }
      guard !fails else { throw DesktopConnectionError(Errno(rawValue: 11)) }
      let count = tells.withLock { tells in
        tells.append(tell)
        return tells.count
      }
      deeds.record(.connected(count))
      return Display(deeds: deeds)
    }

    func tell(_ event: NotificationPlan.Event, connection: Int? = nil) {
      tells.withLock { tells in tells[(connection ?? tells.count) - 1] }(event)
    }
  }

  private final class Display: NotificationDisplay {
    let deeds: EventRecorder<Deed>
    init(deeds: EventRecorder<Deed>) { self.deeds = deeds }
    deinit { deeds.record(.left) }
    func show(_ text: NotificationText, replacing number: UInt32?) {
      deeds.record(.shown(text.summary, replacing: number))
    }
    func close(_ number: UInt32) { deeds.record(.closed(number)) }
  }

  private final class Host: Sendable {
    let desktop = Desktop()
    let clock: ManualClock
    let notifier: PersonNotifier
    let log = EventRecorder<String>()
    private let task: Task<Void, Never>

    init(_ directory: TemporaryDirectory, _ clock: ManualClock = ManualClock()) {
      self.clock = clock
      let (desktop, log) = (desktop, log)
      notifier = PersonNotifier(
        file: NotificationFile(state: directory.path), time: .manual(clock),
        log: HostLog { level, text in log.record("\(level): \(text)") }
      ) { (tell) throws(DesktopConnectionError) in try desktop.connect(tell) }
      task = Task { [notifier] in await notifier.run() }
    }

    func stop() async {
      task.cancel()
      await task.value
    }
  }

  private static let ended = PersonMatter(.sessionEnded(.invalidGrant))

  @Test func aPopUpIsShownThenTakenAwayAndTheBusIsLeft() async throws {
    let host = Host(try TemporaryDirectory())
    host.notifier.note(nil, of: .primary)
    host.notifier.note(Self.ended, of: .primary)
    try await host.desktop.deeds.wait(count: 1)
    host.desktop.tell(.server("s"))
    #expect(try await host.clock.advanceToNextSleeper() == .seconds(3))
    try await host.desktop.deeds.wait(count: 2)
    host.desktop.tell(.shown(5, server: "s"))
    host.notifier.note(nil, of: .primary)
    let deeds = try await host.desktop.deeds.wait(count: 4)
    #expect(
      deeds == [
        .connected(1), .shown("Sign in again: primary", replacing: nil), .closed(5), .left,
      ])
    await host.stop()
  }

  @Test func theNextProcessSaysNothingAndTakesThePopUpAway() async throws {
    let directory = try TemporaryDirectory()
    let first = Host(directory)
    first.notifier.note(Self.ended, of: .primary)
    try await first.desktop.deeds.wait(count: 1)
    first.desktop.tell(.server("s"))
    try await first.clock.advanceToNextSleeper()
    try await first.desktop.deeds.wait(count: 2)
    first.desktop.tell(.shown(5, server: "s"))
    // Whatever comes after it finds it stored.
    first.notifier.note(Self.ended, of: Namespace("work") ?? .primary)
    try await first.clock.waitForSleepers()
    await first.stop()
    let second = Host(directory)
    second.notifier.configure([.primary], isEnabled: true)
    second.notifier.note(Self.ended, of: .primary)
    try await second.desktop.deeds.wait(count: 1)
    second.desktop.tell(.server("s"))
    second.notifier.note(nil, of: .primary)
    let deeds = try await second.desktop.deeds.wait(count: 3)
    #expect(deeds == [.connected(1), .closed(5), .left])
    await second.stop()
    #expect(TestFile.names(in: directory.path) == [])
  }

  @Test func aBusThatIsNotThereIsTriedAgainLater() async throws {
    let host = Host(try TemporaryDirectory())
    host.notifier.note(Self.ended, of: .primary)
    try await host.desktop.deeds.wait(count: 1)
    host.desktop.tell(.lost)
    #expect(try await host.clock.advanceToNextSleeper() == PersonNotifier.retryInterval)
    try await host.desktop.deeds.wait(count: 3)
    // What a former connection still says counts for nothing.
    host.desktop.tell(.lost, connection: 1)
    host.desktop.tell(.server("s"))
    let deeds = try await host.desktop.deeds.wait(count: 4)
    #expect(
      deeds == [
        .connected(1), .left, .connected(2), .shown("Sign in again: primary", replacing: nil),
      ])
    await host.stop()
  }

  @Test func aThreadThatCannotBeHadOnceIsNoDesktopThatNeverIs() async throws {
    let host = Host(try TemporaryDirectory())
    host.desktop.failures.withLock { $0 = 2 }
    host.notifier.note(Self.ended, of: .primary)
    for count in 1...2 {
      let said = try await host.log.wait(count: count)
      #expect(said.last?.hasPrefix("warning: the desktop cannot be told") == true, "\(said)")
      #expect(try await host.clock.advanceToNextSleeper() == PersonNotifier.retryInterval)
    }
    #expect(try await host.desktop.deeds.wait(count: 1) == [.connected(1)])
    host.desktop.tell(.server("s"))
    #expect(
      try await host.desktop.deeds.wait(count: 2).last
        == .shown("Sign in again: primary", replacing: nil))
    await host.stop()
  }

  @Test func whereNothingIsWantedTheBusIsLeftAlone() async throws {
    let directory = try TemporaryDirectory()
    let host = Host(directory)
    host.notifier.configure([.primary], isEnabled: false)
    host.notifier.note(Self.ended, of: .primary)
    host.notifier.configure([.primary], isEnabled: true)
    #expect(try await host.desktop.deeds.wait(count: 1) == [.connected(1)])
    host.notifier.configure([.primary], isEnabled: false)
    #expect(try await host.desktop.deeds.wait(count: 2) == [.connected(1), .left])
    await host.stop()
  }

  @Test(arguments: [
    "", "{", "[]", "{\"told\":3,\"popUp\":{\"number\":-1}}",
    "{\"told\":{\"primary\":\"elsewhere\",\"../x\":\"ended\"},\"popUp\":{\"number\":99999999999}}",
  ])
  func aDamagedFileHoldsNothing(text: String) async throws {
    let directory = try TemporaryDirectory()
    try directory.write(text, to: "notifications", mode: 0o600)
    let host = Host(directory)
    host.notifier.note(Self.ended, of: .primary)
    try await host.desktop.deeds.wait(count: 1)
    host.desktop.tell(.server("s"))
    try await host.clock.advanceToNextSleeper()
    try await host.desktop.deeds.wait(count: 2)
    host.desktop.tell(.shown(1, server: "s"))
    host.notifier.note(nil, of: .primary)
    try await host.desktop.deeds.wait(count: 4)
    await host.stop()
  }
}
