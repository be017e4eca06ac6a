import DevelopmentProvider
import FileSupport
import Glibc
import GrantModel
import HTTPExchange
import HostControl
import JOSE
import OIDCClient
import SecretMemory
import SecureStore
import SessionHost
import SessionModel
import TestSupport

/// A whole host in the test's process, with files, a socket and providers of its own.
///
/// A person asks over the socket and has a browser without a screen. All clocks stand still.
final class HostFixture: Sendable {
  /// Seconds since 1970 when the manual clock is at zero.
  static let start: Int64 = 1_800_000_000
  /// The namespaces, one for each provider.
  static let namespaces = [Namespace.primary, Namespace("second") ?? .primary]

  let providers: [LoopbackProvider]
  let clock = ManualClock()
  let directory: TemporaryDirectory
  let service: HostService
  /// Everything that the host reported, at every level.
  let log = EventRecorder<String>()

  /// Starts providers that say yes by themselves, and a host with a namespace for each.
  ///
  /// - Parameters:
  ///   - count: how many providers.
  ///   - revokes: whether their metadata has a revocation endpoint.
  ///   - adjustProvider: changes each provider's configuration.
  ///   - adjustClient: changes the client's configuration at each.
  ///   - http: sends the requests of the host.
  /// - Throws: what keeps a provider or the host from starting.
  init(
    providers count: Int = 1, revokes: Bool = true,
    provider adjustProvider: (inout ProviderConfiguration) -> Void = { _ in },
    client adjustClient: (inout OIDCConfiguration) -> Void = { _ in },
    http: HTTPClient = HTTPClient()
  ) async throws {
    let clock = clock
    let log = log
    directory = try TemporaryDirectory()
    var providers: [LoopbackProvider] = []
    var setups: [NamespaceSession.Setup] = []
    for namespace in Self.namespaces.prefix(count) {
      var settings = ProviderConfiguration()
      settings.approval = .automatic
      settings.wallTime = { .seconds(Self.start) + clock.now.offset }
      adjustProvider(&settings)
      let keys = try TestKeys.shared.get()
      let provider = try LoopbackProvider(
        settings, key: settings.algorithm == .es256 ? keys.ec : keys.rsa)
      if !revokes { provider.overrides.discovery = [.remove("revocation_endpoint")] }
      providers.append(provider)
      var client = OIDCConfiguration(
        issuer: provider.issuer, clientId: "desktop",
        scopes: ["openid", "profile", "email", "offline_access"])
      adjustClient(&client)
      setups.append(
        NamespaceSession.Setup(
          namespace: namespace,
          source: OIDCSessionSource(
            configuration: client, http: http,
            time: ClientTime(clock: clock) {
              UnixTime(rawValue: Self.start) + clock.now.offset
            }), policy: RenewalPolicy()))
    }
    self.providers = providers
    service = try HostService(
      setups: setups, directories: Self.directories(in: directory), machine: [],
      time: try Self.time(clock), log: HostLog { _, text in log.record(text) },
      drawQRCode: { _ in nil })
    try await service.start()
  }

  /// Starts a host on real clocks, for providers that are somebody else's programs.
  ///
  /// - Parameter setups: its namespaces.
  /// - Throws: what keeps the host from starting.
  init(setups: [NamespaceSession.Setup]) async throws {
    let log = log
    directory = try TemporaryDirectory()
    providers = []
    service = try HostService(
      setups: setups, directories: Self.directories(in: directory), machine: [],
      time: try Self.realTime(), log: HostLog { _, text in log.record(text) },
      drawQRCode: { _ in nil })
    try await service.start()
  }

  /// The first provider.
  var provider: LoopbackProvider { providers[0] }

  /// Asks the host for a sign-in, as `tokenvault sign-in` does, and plays the person meanwhile.
  ///
  /// - Parameters:
  ///   - request: what is asked for.
  ///   - person: does what the host's first event says.
  /// - Returns: the last event.
  /// - Throws: what the person threw, or `EventWaitError` when the host hung up.
  func signIn(
    _ request: HostControl.SignInRequest = .init(namespace: .primary, flow: .browser),
    person: @Sendable (ControlEvent) async throws -> Void = HostFixture.browse
  ) async throws -> ControlEvent {
    let events = try ask(.signIn(request))
    let first = try await events.wait(count: 1)[0]
    guard !first.isLast else { return first }
    try await person(first)
    return try await events.next { $0.isLast }
  }

  /// Sends the host a request; its answer is recorded event by event.
  func ask(_ request: ControlRequest) throws -> EventRecorder<ControlEvent> {
    let events = EventRecorder<ControlEvent>()
    let path = directory.file("run")
    try TestThread.start("command") {
      defer { events.finish() }
      guard let directory = try? Directory.open(path: path, policy: .ownerOnly),
        var client = try? ControlClient(in: directory), (try? client.send(request)) != nil
      else { return }
      while let event = try? client.nextEvent(timeout: .seconds(50)) {
        events.record(event)
        if event.isLast { return }
      }
    }
    return events
  }

  /// The state of a namespace, as `tokenvault status` has it.
  func status(_ namespace: Namespace = .primary) async throws -> NamespaceStatus? {
    let events = try await ask(.status(namespace)).wait(count: 2)
    guard case .namespace(let status)? = events.first else { return nil }
    return status
  }

  /// What is durable of a namespace, read with the host's own key.
  func stored(_ namespace: Namespace = .primary) throws -> CanonicalRecord? {
    let keys = try Directory.open(path: directory.file("keys"), policy: .ownerOnly)
    guard let master = try MasterKey.load(from: keys, machine: []) else { return nil }
    // Of a copy: whoever opens the store sweeps what its one writer is writing.
    let kind = EncryptedStore.Kind.session.rawValue
    let original = directory.file("state/store/\(kind)/\(namespace)")
    guard TestFile.exists(original) else { return nil }
    let copy = try TemporaryDirectory()
    _ = try copy.makeDirectory(kind)
    try copy.write(TestFile.read(original), to: "\(kind)/\(namespace)")
    let home = try Directory.open(path: copy.path, policy: .ownerOnly)
    let store = try EncryptedStore(directory: home, key: master.subkey("TVstores"))
    guard let bytes = try store.get(.session, namespace)?.copiedBytes() else { return nil }
    return try CanonicalRecord(decoding: bytes)
  }

  /// Whether a namespace has a snapshot.
  func hasSnapshot(_ namespace: Namespace = .primary) -> Bool {
    TestFile.exists(directory.file("run/groups/default/ns/\(namespace)/session"))
  }

  /// Lets a while go by for host and providers.
  func pass(_ duration: Duration) async throws {
    clock.advance(by: duration)
    try await clock.waitForSleepers(1)
  }

  /// Lets the time run out that a person has in the browser.
  ///
  /// - Throws: `EventWaitError` when the host hung up.
  func runOutOfTime() async throws {
    // The address is shown before the wait begins; each round is an exchange with the host.
    while !clock.sleepers.contains(.seconds(300)) { _ = try await status() }
    clock.advance(by: .seconds(300))
  }

  /// Goes to the authorization URL and follows redirects, as a browser does, until a page comes.
  static func browse(_ event: ControlEvent) async throws {
    try await open(try await redirect(of: event))
  }

  /// Goes to the authorization URL.
  ///
  /// - Returns: where the provider sends the browser.
  static func redirect(of event: ControlEvent) async throws -> String {
    guard case .authorize(let url, _) = event,
      let location = try await HTTPClient().send(HTTPRequest(url: url)).headers["Location"]
    else { throw HostFixtureError(description: "no redirect to the client: \(event)") }
    return location
  }

  /// Opens a page of the client's own listener.
  @discardableResult
  static func open(
    _ url: String, headers: [(name: String, value: String)] = []
  ) async throws -> HTTPResponse {
    try await HTTPClient().send(HTTPRequest(url: url, headers: headers))
  }

  private static func directories(in directory: TemporaryDirectory) -> VaultDirectories {
    VaultDirectories(
      environment: FileSupport.Environment([
        "TOKENVAULT_STATE_DIR": directory.file("state"),
        "TOKENVAULT_KEY_DIR": directory.file("keys"),
        "TOKENVAULT_RUNTIME_DIR": directory.file("run"),
      ]), user: getuid())
  }

  private static func realTime() throws -> HostTime {
    guard let boot = BootIdentifier(text: try bootIdentifierText()) else {
      throw HostFixtureError(description: "the boot has no identifier")
    }
    return HostTime(
      now: {
        Instant(
          wall: UnixTime(rawValue: wallClockSeconds()),
          boot: BootTime(rawValue: bootClockNanoseconds()), bootIdentifier: boot)
      },
      sleep: { deadline in
        let now = BootTime(rawValue: bootClockNanoseconds())
        try await Task.sleep(for: deadline.since(now), tolerance: nil, clock: .continuous)
      },
      random: { 0.5 })
  }

  private static func time(_ clock: ManualClock) throws -> HostTime {
    guard let boot = BootIdentifier(bytes: [UInt8](repeating: 9, count: 16)) else {
      throw HostFixtureError(description: "16 bytes make a boot identifier")
    }
    return HostTime(
      now: {
        let elapsed = clock.now.offset
        return Instant(
          wall: UnixTime(rawValue: start) + elapsed,
          boot: BootTime(rawValue: UInt64(elapsed / .nanoseconds(1)) + 1), bootIdentifier: boot)
      },
      sleep: { deadline in
        // One nanosecond as in `now`: zero is no reading.
        let offset = Duration.nanoseconds(Int64(deadline.rawValue) - 1)
        try await clock.sleep(until: ManualClock.Instant(offset: offset))
      },
      random: { 0 })
  }
}

/// Something in the fixture itself went wrong.
struct HostFixtureError: Error, CustomStringConvertible {
  let description: String
}
