import GrantModel
import SessionHost
import SessionModel
import Synchronization
import TestSupport

/// A provider that rotates refresh tokens, kills a grant whose old token comes back, and fails at
/// random; it knows which grants are alive.
final class ModelProvider: Sendable {
  struct Family {
    var current = 1
    var isAlive = true
    /// Nobody but the provider has heard of its current token.
    var isUnknown = false
  }

  struct State {
    var generator: SeededGenerator
    var families: [Family] = []
    var isHealthy = false
    /// Old tokens that came back.
    var reuses = 0
    /// Answers that were lost after the provider had rotated.
    var losses = 0
  }

  enum Fault: CaseIterable {
    case none, early, refused, late, unchecked
  }

  private let state: Mutex<State>

  init(seed: UInt64) {
    state = Mutex(State(generator: SeededGenerator(seed: seed)))
  }

  /// What the provider knows.
  var snapshot: State { state.withLock { $0 } }

  /// Ends all faults.
  func heal() {
    state.withLock { $0.isHealthy = true }
  }

  /// Calls off the search for grants whose current token no record names, as after a crash.
  func forget(exceptNamedBy tokens: [String]) {
    let named = tokens.compactMap { ModelProvider.parse($0) }
    state.withLock { state in
      for (index, family) in state.families.enumerated()
      where !named.contains(where: { $0 == (index, family.current) }) {
        state.families[index].isUnknown = true
      }
    }
  }

  /// A random number below a bound.
  func random(below bound: Int) -> Int {
    state.withLock { state in Int.random(in: 0..<bound, using: &state.generator) }
  }

  func fault() -> Fault {
    state.withLock { state in
      guard !state.isHealthy else { return .none }
      return Int.random(in: 0..<2, using: &state.generator) == 0
        ? .none : Fault.allCases.randomElement(using: &state.generator) ?? .none
    }
  }

  static func parse(_ token: String) -> (family: Int, number: Int)? {
    let parts = token.split(separator: "/").compactMap { Int($0) }
    return parts.count == 2 ? (parts[0], parts[1]) : nil
  }

  func makeFamily(isUnknown: Bool) -> String {
    state.withLock { state in
      state.families.append(Family(isUnknown: isUnknown))
      return "\(state.families.count - 1)/1"
    }
  }

  /// Rotates a token; nil when the grant is gone.
  func rotate(_ token: String, losesAnswer: Bool) -> String? {
    guard let (family, number) = ModelProvider.parse(token) else { return nil }
    return state.withLock { state in
      guard state.families[family].isAlive else { return nil }
      guard state.families[family].current == number else {
        state.reuses += 1
        state.families[family].isAlive = false
        return nil
      }
      if losesAnswer {
        state.losses += 1
        state.families[family].isUnknown = true
      }
      state.families[family].current += 1
      return "\(family)/\(number + 1)"
    }
  }

  func revoke(_ token: String) {
    guard let (family, number) = ModelProvider.parse(token) else { return }
    state.withLock { state in
      // Nothing happens to a grant when a token is named that was rotated away.
      if state.families[family].current == number { state.families[family].isAlive = false }
    }
  }
}

/// The provider as one process reaches it, until that process is killed.
final class ModelSource: SessionSource {
  let provider: ModelProvider
  let clock: ManualClock
  let isDead = Shared(false)
  /// Opened when the next sign-in begins.
  let onSignIn = Shared<Gate?>(nil)

  init(provider: ModelProvider, clock: ManualClock) {
    self.provider = provider
    self.clock = clock
  }

  func signIn(
    _ request: SignInRequest, journal: some GrantJournal,
    prompt: @escaping @Sendable (SignInPrompt) async -> Void
  ) async -> GrantOutcome {
    onSignIn.value?.open()
    let fault = provider.fault()
    await wander()
    guard !Task.isCancelled else { return .terminal(.cancelled) }
    if isDead.value || fault == .early { return .transient(.network("down"), retryAfter: nil) }
    if fault == .refused { return .terminal(.accessDenied) }
    let token = provider.makeFamily(isUnknown: fault == .late)
    if fault == .late { return .transient(.lostAnswer("timeout"), retryAfter: nil) }
    return await issue(token, previous: nil, isUnchecked: fault == .unchecked, journal)
  }

  func renew(_ grant: Grant, journal: some GrantJournal) async -> GrantOutcome {
    let fault = provider.fault()
    await wander()
    if isDead.value || fault == .early { return .transient(.network("down"), retryAfter: nil) }
    if fault == .refused {
      return .transient(.refusedWithoutReason(status: 400), retryAfter: nil)
    }
    let old = grant.refreshToken?.copiedText() ?? ""
    guard let token = provider.rotate(old, losesAnswer: fault == .late) else {
      return .terminal(.invalidGrant)
    }
    await wander()
    if fault == .late { return .transient(.lostAnswer("timeout"), retryAfter: nil) }
    return await issue(
      token, previous: grant.refreshToken, isUnchecked: fault == .unchecked, journal)
  }

  func revoke(_ token: RevocableToken) async -> RevocationOutcome {
    let fault = provider.fault()
    await wander()
    guard !isDead.value, fault != .early else {
      return .transient(.network("down"), retryAfter: nil)
    }
    provider.revoke(token.copiedText())
    return .done
  }

  private func issue(
    _ token: String, previous: RefreshToken?, isUnchecked: Bool, _ journal: some GrantJournal
  ) async -> GrantOutcome {
    let issuedAt = UnixTime(rawValue: SessionFixture.start) + clock.now.offset
    do {
      let receipt = try await journal.record(
        ProvisionalGrant(
          refreshToken: try RefreshToken(token), accessToken: "access-of-\(token)"))
      await wander()
      if isUnchecked { return .transient(.unverifiable("signature"), retryAfter: nil) }
      return .issued(
        IssuedGrant(receipt: receipt, previous: previous) { refreshToken in
          Grant(
            issuer: "https://id.example", clientId: "desktop", subject: "alice", accountName: nil,
            accessToken: "access-of-\(token)", tokenType: "Bearer", scope: nil, issuedAt: issuedAt,
            expiresAt: issuedAt + .seconds(600), refreshToken: refreshToken, idToken: nil)
        })
    } catch let error as JournalError {
      return .transient(.storage(error), retryAfter: nil)
    } catch {
      return .terminal(.configuration("no memory"))
    }
  }

  // Lets others run, so that requests meet one another in every order.
  private func wander() async {
    for _ in 0..<provider.random(below: 6) { await Task.yield() }
  }
}
