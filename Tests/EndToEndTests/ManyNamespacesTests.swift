import Glibc
import TestSupport
import Testing

/// Many namespaces in one host process, beside a host with one, each with a provider process.
@Suite(.timeLimit(.minutes(30)))
struct ManyNamespacesTests {
  @Test func rf19ManyNamespacesOfOneHostCostNoMoreEachThanOneAndNotAllRenewAtOnce()
    async throws
  {
    let count = Effort.count(60, whole: 1_000)
    let lifetime = Duration.seconds(Effort.count(16, whole: 1_200))
    let busy = try await Household(namespaces: 1, lifetime: .seconds(1))
    let one = try await Household(namespaces: 1, lifetime: lifetime)
    let many = try await Household(namespaces: count, lifetime: lifetime)
    // All in the same time: whatever else the machine does weighs on each of them.
    let before = (busy: try busy.reading(), one: try one.reading(), many: try many.reading())
    try await many.waitForRenewals(count)
    let used = (
      busy: try busy.reading() - before.busy, one: try one.reading() - before.one,
      many: try many.reading() - before.many
    )

    let renewal = used.busy.processorTime / used.busy.renewals
    let rest = max(.zero, used.one.processorTime - renewal * used.one.renewals)
    let expected = renewal * used.many.renewals + rest * count
    let each = try (many.reading().kibibytes - one.reading().kibibytes) / (count - 1)
    let seconds = many.renewalSeconds.suffix(count)
    let most = Dictionary(grouping: seconds) { $0 }.values.map(\.count).max() ?? 0
    print("a renewal of one: \(renewal); the rest of its time: \(rest)")
    print("\(count) namespaces: \(used.many.processorTime), by that: \(expected)")
    print("memory: \(before.one.kibibytes) KiB with one, \(each) KiB for each one more")
    print("renewals in one second: \(most) of \(count) at most")
    #expect(used.many.processorTime < expected * 1.2)
    if Sanitizer.permits("the memory of a namespace") { #expect(each < 48) }
    // However fast the sign-ins came: jitter is a twentieth of the lifetime, which is less than a
    // second in a sample.
    #expect(most <= Effort.count(count - 1, whole: count * 3 / 100))
    for household in [busy, one, many] {
      #expect(household.refusals == [])
      #expect(await household.end() == 0)
    }
  }
}

/// A provider, and a host with so many namespaces, all signed in.
private final class Household: Sendable {
  /// What a host has used.
  struct Reading {
    let processorTime: Duration
    let renewals: Int
    let kibibytes: Int

    static func - (later: Reading, earlier: Reading) -> Reading {
      Reading(
        processorTime: later.processorTime - earlier.processorTime,
        renewals: later.renewals - earlier.renewals,
        kibibytes: later.kibibytes - earlier.kibibytes)
    }
  }

  private static let limit = Duration.seconds(1_700)
  private static let renewed = " token refresh_token 200"
  private let machine: HostMachine
  private let provider: RunningTool
  private let host: RunningTool

  init(namespaces count: Int, lifetime: Duration) async throws {
    machine = try HostMachine()
    provider = try RunningTool(
      .product(
        "development-provider",
        ["--auto-approve", "--verbose", "--lifetime", "\(lifetime.components.seconds)s"],
        limit: Household.limit))
    let prefix = "# issuer: "
    let issuer = try await provider.output.next { $0.hasPrefix(prefix) }.dropFirst(prefix.count)
    let names = (0..<count).map { "n\($0)" }
    let tables = names.map { name in
      """
      [namespaces.\(name)]
      issuer = "\(issuer)"
      clientId = "desktop"
      scopes = ["openid", "profile", "offline_access"]

      """
    }
    try machine.root.write(tables.joined(), to: "config.toml")
    host = try await machine.startHost(limit: Household.limit)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, name) in names.enumerated() {
        if index >= 4 { try await group.next() }
        group.addTask { [machine] in
          let result = try await machine.signIn(name)
          #expect(result.status == 0, "\(name): \(result.error)")
        }
      }
      try await group.waitForAll()
    }
  }

  /// When the provider has renewed a session, in seconds since its start.
  var renewalSeconds: [Int] {
    provider.error.events.filter { $0.hasSuffix(Household.renewed) }
      .compactMap { Int($0.prefix { $0 != "." }) }
  }

  /// The renewals that the provider has refused.
  var refusals: [String] {
    provider.error.events.filter {
      $0.contains(" token refresh_token ") && !$0.hasSuffix(Household.renewed)
    }
  }

  /// What the host has used until now.
  func reading() throws -> Reading {
    var clock = clockid_t()
    var time = timespec()
    try #require(unsafe clock_getcpuclockid(host.identifier, &clock) == 0)
    try #require(unsafe clock_gettime(clock, &time) == 0)
    let rollup = try TestFile.text("/proc/\(host.identifier)/smaps_rollup")
    let line = try #require(rollup.split(separator: "\n").first { $0.hasPrefix("Anonymous:") })
    return Reading(
      processorTime: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec),
      renewals: renewalSeconds.count,
      kibibytes: try #require(line.split(separator: " ").compactMap { Int($0) }.first))
  }

  /// Waits for so many more renewals.
  func waitForRenewals(_ count: Int) async throws {
    for _ in 0..<(renewalSeconds.count + count) {
      try await provider.error.next { $0.hasSuffix(Household.renewed) }
    }
  }

  /// Ends both and returns the host's status.
  func end() async -> Int32? {
    let status = await machine.end(host).status
    _ = await machine.end(provider)
    return status
  }
}
