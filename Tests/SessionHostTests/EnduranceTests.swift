import FileSupport
import Glibc
import GrantModel
import SecretMemory
import SecureStore
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

/// What a host costs after many renewals and with many namespaces, in a process of its own.
@Suite(.timeLimit(.minutes(30)))
struct EnduranceTests {
  /// A day at a renewal a second, in virtual time.
  @Test func mm07ADayOfRenewalsLeavesNothingBehind() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      let household = try Household(lifetime: .seconds(2))
      let session = try household.makeSession(.primary)
      _ = await session.signIn(.init()) { _ in }
      let renewals = Effort.count(3_000, whole: 86_400)
      try await household.renew([session], times: 500)
      let before = try Footprint()
      try await household.renew([session], times: renewals)
      let after = try Footprint()
      print("\(renewals) renewals: \(after.kibibytes - before.kibibytes) KiB more")
      #expect(household.source.renewals == renewals + 500)
      #expect(after.descriptors == before.descriptors)
      if Sanitizer.permits("the memory of a day") {
        #expect(after.kibibytes - before.kibibytes < 2048)
      }
    }
    result.report()
  }

  /// A thousand namespaces cost what one costs a thousand times.
  @Test func rf19AThousandNamespacesCostNoMoreEachThanOne() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      let household = try Household(lifetime: .seconds(3600))
      let one = try household.makeSession(.primary)
      _ = await one.signIn(.init()) { _ in }
      try await household.renew([one], times: 200)
      let before = try Footprint()
      var sessions: [NamespaceSession] = []
      for number in 0..<1000 {
        let session = try household.makeSession(#require(Namespace("n\(number)")))
        _ = await session.signIn(.init()) { _ in }
        sessions.append(session)
      }
      let after = try Footprint()
      let everybody = sessions
      // The first round also makes what is made once.
      try await household.renew(everybody, times: 1)
      // What else runs only ever makes one of them dearer.
      var ratios: [Double] = []
      for _ in 1...3 {
        let alone = try await household.cost { try await household.renew([one], times: 1000) }
        let among = try await household.cost { try await household.renew(everybody, times: 1) }
        print("a renewal of one: \(alone), of one among a thousand: \(among)")
        ratios.append(among / alone)
      }
      print("memory for a thousand: \(after.kibibytes - before.kibibytes) KiB")
      #expect(try #require(ratios.min()) < 1.2)
      if Sanitizer.permits("the memory of a thousand namespaces") {
        #expect(after.kibibytes - before.kibibytes < 48 * 1024)
      }
    }
    result.report()
  }
}

extension ExitTest.Result? {
  /// Prints the figures of the process.
  fileprivate func report() {
    print(String(decoding: self?.standardOutputContent ?? [], as: UTF8.self))
  }
}

/// What sessions share in one host, with a store and snapshots of their own in memory.
private final class Household: Sendable {
  let source: SteadySource
  private let root: TemporaryDirectory
  private let clock = ManualClock()
  private let store: EncryptedStore
  private let publisher: SnapshotPublisher
  private let encoder: SnapshotEncoder

  init(lifetime: Duration) throws {
    root = try TemporaryDirectory(in: "/dev/shm")
    source = SteadySource(clock: clock, lifetime: lifetime)
    let home = try Directory.create(path: root.file("state"), policy: .ownerOnly)
    store = try EncryptedStore(directory: home, key: Household.key(3))
    publisher = try SnapshotPublisher(
      runtime: Directory.create(path: root.file("run"), policy: .ownerOnly)
    ) { _ in }
    encoder = SnapshotEncoder(
      hostBoxKey: try HostBoxKey(derivedFrom: Household.key(5)), nonces: .random)
  }

  func makeSession(_ namespace: Namespace) throws -> NamespaceSession {
    let (publisher, encoder) = (publisher, encoder)
    return NamespaceSession(
      setup: .init(namespace: namespace, source: source, policy: RenewalPolicy()),
      record: CanonicalRecord(life: .random()), store: store,
      latchKey: SharedSecret(try Household.key(1)),
      fingerprinter: try AccountFingerprinter(derivedFrom: Household.key(2)),
      outlet: SnapshotOutlet(isInPlace: { true }) { draft throws(PublicationError) in
        do { try publisher.publish(draft, with: encoder) } catch {
          throw PublicationError("\(error)")
        }
      },
      time: .untilCancelled(clock), log: HostLog { _, _ in })
  }

  /// Lets each session renew itself again and again, a second after another.
  func renew(_ sessions: [NamespaceSession], times: Int) async throws {
    for _ in 0..<times {
      clock.jump(by: .seconds(1))
      for session in sessions {
        guard case .renewed = await session.renew() else { throw Refusal() }
      }
    }
  }

  /// The processor time that something takes.
  func cost(of work: () async throws -> Void) async rethrows -> Duration {
    let before = Household.processorTime
    try await work()
    return Household.processorTime - before
  }

  private static var processorTime: Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  private static func key(_ byte: UInt8) throws -> SecretBytes {
    try SecretBytes(copying: [UInt8](repeating: byte, count: 32))
  }

  private struct Refusal: Error {}
}

extension HostTime {
  /// A clock that never wakes a sleeper, whose sleep ends without an error when it is cancelled:
  /// the test runner would keep a backtrace of each error thrown, 50 bytes a renewal.
  fileprivate static func untilCancelled(_ clock: ManualClock) -> HostTime {
    let time = HostTime.manual(clock)
    return HostTime(
      now: time.now,
      sleep: { _ in
        let gate = Gate()
        await withTaskCancellationHandler {
          await gate.waitUncancelled()
        } onCancel: {
          gate.open()
        }
      },
      random: time.random)
  }
}

/// What this process holds.
private struct Footprint {
  let kibibytes: Int
  let descriptors: Int

  init() throws {
    let rollup = try TestFile.text("/proc/self/smaps_rollup")
    let line = try #require(rollup.split(separator: "\n").first { $0.hasPrefix("Anonymous:") })
    kibibytes = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
    descriptors = TestFile.names(in: "/proc/self/fd").count
  }
}
