import GrantModel
import HostControl
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

/// Random lives of a session, each compared after every event with what the rules alone say.
///
/// One batch at a time, and others have their turn between two lives: nothing in a life waits, so
/// that batches side by side would keep every thread of the tests from all else for minutes.
@Suite(.timeLimit(.minutes(10)), .serialized)
struct ReferenceModelTests {
  private static let batches = UInt64(20)
  private static let livesInABatch = UInt64(500)

  @Test(arguments: 0..<batches)
  func fz05TenThousandLivesGoAsTheReferenceSays(batch: UInt64) async throws {
    for seed in batch * Self.livesInABatch..<(batch + 1) * Self.livesInABatch {
      var comparison = try Comparison(seed: seed)
      guard try await comparison.live(events: 12) else { return }
      await Task.yield()
    }
  }
}

/// One life, beside the reference.
private struct Comparison {
  private let seed: UInt64
  private var generator: SeededGenerator
  private var reference = ReferenceSession()
  private let life: ReferenceLife
  private var tokens = 0
  private var story: [String] = []

  init(seed: UInt64) throws {
    self.seed = seed
    generator = SeededGenerator(seed: seed)
    life = try ReferenceLife()
  }

  /// Returns whether the session and the reference agreed to the end.
  mutating func live(events: Int) async throws -> Bool {
    for _ in 0..<events {
      // The same to the end of the event: the host tells the provider whenever it can.
      let isReachable = !isOneIn(3)
      try await event(isReachable)
      try await settle(isReachable)
      guard try await agree() else { return false }
    }
    return true
  }

  private mutating func event(_ isReachable: Bool) async throws {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0, 1, 2:
      let end = signIn()
      story.append("sign in: \(end)")
      reference.signIn(end)
      life.source.expect(end)
      _ = try await life.happen([], isReachable: isReachable) { session in
        _ = await session.signIn(SignInRequest()) { _ in }
      }
    case 3, 4, 5: try await renew(isReachable) { _ = await $0.renew() }
    case 6:
      story.append("sign out")
      reference.signOut()
      _ = try await life.happen([], isReachable: isReachable) { _ = await $0.signOut() }
    case 7, 8, 9:
      let seconds = Int.random(in: 1...(isOneIn(2) ? 40 : 700), using: &generator)
      story.append("\(seconds) s pass")
      reference.pass(seconds * 1000)
      life.clock.jump(by: .seconds(seconds))
    case 10:
      let seconds = Int.random(in: -86_400...86_400, using: &generator)
      story.append("the clock is set by \(seconds) s")
      reference.wall += seconds * 1000
      life.wallShift.value += .seconds(seconds)
    default:
      story.append("killed")
      reference.beginAnew()
      try life.begin(with: life.process.durableFile)
    }
  }

  /// Whatever is due is done, as by a timer.
  private mutating func settle(_ isReachable: Bool) async throws {
    while reference.isDue { try await renew(isReachable) { _ = await $0.runOnce() } }
    let left = try await life.happen([.unreachable], isReachable: isReachable) { session in
      _ = await session.runOnce()
    }
    #expect(left.count == 1, "life \(seed): nothing was due: \(story)")
    reference.settle(isReachable: isReachable)
  }

  private mutating func renew(
    _ isReachable: Bool, by act: (NamespaceSession) async -> Void
  ) async throws {
    let answers = (0..<4).map { _ in answer() }
    var left = answers[...]
    reference.renew(&left)
    story.append("renew: \(answers.prefix(answers.count - left.count))")
    let unasked = try await life.happen(answers[...], isReachable: isReachable, act)
    #expect(unasked.count == left.count, "life \(seed): \(story)")
  }
}

extension Comparison {
  private mutating func isOneIn(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &generator) == 0
  }

  private mutating func token() -> Int {
    tokens += 1
    return tokens
  }

  private mutating func signIn() -> ReferenceSession.SignIn {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: .denied
    case 1: .unreachable
    case 2: .unverified(token())
    case 3: .killedAfterStoring(token())
    default: .signedIn(token())
    }
  }

  private mutating func answer() -> ReferenceSession.Answer {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0: .otherAccount(token())
    case 1, 2: .unverified(token())
    case 3, 4: .unreachable
    case 5: .gatewayTimeout
    case 6, 7, 8: .refused
    case 9: .invalidGrant
    case 10, 11: .lost
    case 12: .tooMany
    case 13: .conflict
    case 14: .overtaken(token())
    case 15: .killed
    case 16: .killedAfterStoring(token())
    default: .issued(token())
    }
  }

  /// Returns whether everything that can be seen from outside is as the reference says.
  private mutating func agree() async throws -> Bool {
    let status = await life.process.session.status().first
    let stored = try life.process.stored
    var expected = ["session": reference.word, "host": reference.host]
    var found = ["session": status?.session ?? "none", "host": status?.host ?? "none"]
    expected["requests"] = "\(reference.requests)"
    found["requests"] = "[\((life.requests + life.source.requests).joined(separator: ", "))]"
    expected["pending"] = "\(reference.pending.keys.sorted())"
    let pending = stored?.pendingRevocations.compactMap { Int($0.token.copiedText()) } ?? []
    found["pending"] = "\(pending.sorted())"
    let isActive = reference.phase == .active
    expected["token"] = isActive ? "\(reference.token)" : "none"
    found["token"] = stored?.currentRefreshToken?.copiedText() ?? "none"
    expected["journal"] = "\(reference.isOpen), \(reference.isUnaccepted), \(reference.refusals)"
    found["journal"] =
      "\(stored?.rotationIntent?.isRetry ?? false), \(stored?.rotatedToken != nil),"
      + " \(stored?.refusals ?? 0)"
    expected["latch"] = "\(reference.isLatched)"
    found["latch"] = "\(stored?.latchedFingerprint != nil)"
    if let draft = life.process.published.events.last {
      expected["snapshot"] = reference.snapshot
      found["snapshot"] = draft.content.text
    }
    #expect(life.process.isCountingUp, "life \(seed): \(story)")
    let differences = expected.keys.sorted().filter { expected[$0] != found[$0] }
      .map { "\($0) is \(found[$0] ?? "none"), not \(expected[$0] ?? "none")" }
    #expect(differences == [], "life \(seed): \(story)")
    return differences.isEmpty
  }
}

extension ReferenceSession {
  /// The snapshot that readers have to find.
  fileprivate var snapshot: String {
    switch phase {
    case .absent: "none"
    case .signedOut: "signed out"
    case .over: "over"
    case .active: isRefused ? "over" : "access-\(published)"
    }
  }
}

extension SnapshotContent {
  fileprivate var text: String {
    switch self {
    case .signedOut: "signed out"
    case .reauthenticationRequired: "over"
    case .session(let session): session.accessToken
    default: "\(self)"
    }
  }
}
