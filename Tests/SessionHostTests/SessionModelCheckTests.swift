import FileSupport
import GrantModel
import SecretMemory
import SecureStore
import SessionHost
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

/// Random lives of a session, whose end must be what was asked for, with no grant left behind.
@Suite(.timeLimit(.minutes(5)))
struct SessionModelCheckTests {
  /// Some lives at a time: each holds guarded memory, of which a process has only so much.
  @Test(arguments: 0..<UInt64(8))
  func rf14NoGrantIsLeftBehindAndNoSessionRevived(batch: UInt64) async throws {
    for seed in batch * 50..<(batch + 1) * 50 { try await check(seed) }
  }

  private func check(_ seed: UInt64) async throws {
    let life = try SessionLife(seed: seed)
    try await life.live(steps: 25)
    try await life.settle()
    let provider = life.provider.snapshot
    let stored = try life.process.stored ?? CanonicalRecord(life: .random())
    let current = stored.currentRefreshToken?.copiedText()
    for (index, family) in provider.families.enumerated() where family.isAlive {
      let isHeld = current.flatMap(ModelProvider.parse)?.family == index
      #expect(isHeld || family.isUnknown, "life \(seed): nobody holds grant \(index)")
    }
    #expect(stored.pendingRevocations.isEmpty)
    #expect(
      provider.reuses <= provider.losses + life.crashes,
      "life \(seed): an old token came back unasked")
    if let current, let (family, number) = ModelProvider.parse(current) {
      #expect(provider.families[family].current == number, "life \(seed)")
    }
    if life.hasSignedOut {
      #expect(stored.grant == nil, "life \(seed): a session was revived")
      #expect(life.process.published.events.last?.content == .signedOut, "life \(seed)")
    }
    await life.process.session.stop()
  }
}

private final class SessionLife {
  let provider: ModelProvider
  let clock = ManualClock()
  private(set) var source: ModelSource
  private(set) var process: Incarnation
  private(set) var crashes = 0
  /// Whether the last thing that a person asked for was the end, and it was granted.
  private(set) var hasSignedOut = false
  private var running: [Task<Void, Never>] = []

  init(seed: UInt64) throws {
    provider = ModelProvider(seed: seed)
    source = ModelSource(provider: provider, clock: clock)
    process = try Incarnation(source: source, clock: clock, file: nil)
  }

  func live(steps: Int) async throws {
    await process.session.start()
    for _ in 0..<steps {
      try await step()
      for _ in 0..<provider.random(below: 4) { await Task.yield() }
    }
  }

  /// Lets everything come to rest under a healthy provider and disk.
  func settle() async throws {
    try process.mendStore()
    provider.heal()
    for task in running { await task.value }
    // From sleeper to sleeper, however many that takes; what never comes to rest ends this too.
    let limit = ContinuousClock.now + .seconds(60)
    repeat {
      _ = await process.session.renew()
      if try process.stored?.isSettled ?? true { break }
      try await clock.advanceToNextSleeper()
    } while ContinuousClock.now < limit
    #expect(process.isCountingUp)
  }

  private func step() async throws {
    let session = process.session
    switch provider.random(below: 12) {
    case 0, 1, 2:
      hasSignedOut = false
      // It has begun when the source was asked, or never will.
      let begun = Gate()
      source.onSignIn.value = begun
      let task = Task {
        _ = await session.signIn(SignInRequest()) { _ in }
        begun.open()
      }
      await begun.waitUncancelled()
      running.append(Task { await task.value })
      // Some people give up.
      if provider.random(below: 5) == 0 { task.cancel() }
      if provider.random(below: 2) == 0 { await task.value }
    case 3, 4, 5: running.append(Task { _ = await session.renew() })
    case 6:
      let before = running
      if case .signedOut = await session.signOut() {
        for task in before { await task.value }
        hasSignedOut = true
      }
    case 7: process.breakStore()
    case 8: try process.mendStore()
    case 9: clock.advance(by: .seconds(provider.random(below: 400)))
    case 10: try await restart(isCrash: true)
    default: try await restart(isCrash: false)
    }
  }

  private func restart(isCrash: Bool) async throws {
    // An end without a disk is as bad as a crash: only what is stored goes on.
    let isClean = !isCrash && !process.isBroken
    if isCrash { source.isDead.value = true } else { await process.session.stop() }
    let former = process
    source = ModelSource(provider: provider, clock: clock)
    process = try Incarnation(source: source, clock: clock, file: former.durableFile)
    await former.session.stop()
    for task in running { await task.value }
    running = []
    #expect(former.isCountingUp)
    if !isClean {
      crashes += 1
      let tokens = try process.stored?.revocableTokens.map { $0.copiedText() } ?? []
      provider.forget(exceptNamedBy: tokens)
    }
    await process.session.start()
  }
}

extension CanonicalRecord {
  /// Whether nothing is left to be done.
  fileprivate var isSettled: Bool {
    pendingRevocations.isEmpty && rotationIntent == nil && rotatedToken == nil
      && signInToken == nil
  }
}
