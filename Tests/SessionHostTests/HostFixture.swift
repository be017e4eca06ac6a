import FileSupport
import HostControl
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport

/// Directories for hosts, one after another, with clocks that stand still.
final class HostFixture: Sendable {
  let root: TemporaryDirectory
  let directories: VaultDirectories
  let clock = ManualClock()
  let log = EventRecorder<String>()

  init() throws {
    root = try TemporaryDirectory()
    directories = VaultDirectories(
      environment: Environment([
        "TOKENVAULT_STATE_DIR": root.file("state"), "TOKENVAULT_KEY_DIR": root.file("keys"),
        "TOKENVAULT_RUNTIME_DIR": root.file("run"),
      ]), user: 0)
  }

  /// What a host is told of one namespace.
  static func setup(
    _ source: ScriptedSource, named name: String = "primary", groups: [String] = ["default"],
    queue: RenewalQueue = RenewalQueue()
  ) -> NamespaceSession.Setup {
    NamespaceSession.Setup(
      namespace: Namespace(name) ?? .primary, source: source, policy: RenewalPolicy(),
      queue: queue, accessGroups: groups.compactMap { AccessGroup($0) })
  }

  /// Takes the locks and loads what is stored.
  func makeHost(
    _ setups: [NamespaceSession.Setup], keys: KeyAccess = .file
  ) throws(HostStartError) -> HostService {
    let log = log
    return try HostService(
      setups: setups, directories: directories, machine: Array("machine".utf8),
      keys: keys, time: .manual(clock),
      log: HostLog { level, text in log.record("\(level): \(text)") },
      drawQRCode: { _ in nil })
  }

  /// Runs a host for as long as the closure takes.
  func run<Result>(
    _ setups: [NamespaceSession.Setup], keys: KeyAccess = .file,
    _ body: (HostService) async throws -> Result
  ) async throws -> Result {
    let host = try makeHost(setups, keys: keys)
    try await host.start()
    do {
      let result = try await body(host)
      await host.stop()
      return result
    } catch {
      await host.stop()
      throw error
    }
  }

  /// Sends a request over the socket and returns the whole answer, its last event included.
  func events(of request: ControlRequest) async throws -> [ControlEvent] {
    let directory = try Directory.open(path: root.file("run"), policy: .ownerOnly)
    return try await TestThread.run {
      var client = try ControlClient(in: directory)
      try client.send(request)
      var events: [ControlEvent] = []
      repeat {
        events.append(try client.nextEvent(timeout: .seconds(30)))
      } while events.last?.isLast == false
      return events
    }
  }

  /// Sends a request over the socket and returns the last event of the answer.
  func ask(_ request: ControlRequest) async throws -> ControlEvent {
    let events = try await events(of: request)
    return events[events.count - 1]
  }

  /// Asks over the socket what `status` says of every namespace.
  func statuses() async throws -> [NamespaceStatus] {
    let directory = try Directory.open(path: root.file("run"), policy: .ownerOnly)
    return try await TestThread.run {
      var client = try ControlClient(in: directory)
      try client.send(.status(nil))
      var statuses: [NamespaceStatus] = []
      while case .namespace(let status) = try client.nextEvent(timeout: .seconds(30)) {
        statuses.append(status)
      }
      return statuses
    }
  }

  /// Signs in over the socket.
  func signIn(_ source: ScriptedSource, named name: String = "primary") async throws {
    source.thenIssue("access-1", rotatingTo: "refresh-1")
    let namespace = Namespace(name) ?? .primary
    let event = try await ask(.signIn(SignInRequest(namespace: namespace)))
    guard event == .signedIn(namespace) else { throw Refusal(event: event) }
  }

  struct Refusal: Error {
    let event: ControlEvent
  }

  /// The snapshot in a place, read back with its group's key.
  func snapshot(_ name: String = "primary", group: String = "default") throws -> Snapshot? {
    let directory = try Directory.open(path: root.file("run"), policy: .ownerOnly)
    let publisher = try SnapshotPublisher(runtime: directory) { _ in }
    return try publisher.readBack(
      SnapshotPlace(
        accessGroup: AccessGroup(group) ?? .default, namespace: Namespace(name) ?? .primary))
  }
}
