import SessionHost
import SessionModel
import TestSupport
import Testing

/// The turns of sessions that are due at the same time.
@Suite(.timeLimit(.minutes(1)))
struct RenewalQueueTests {
  /// How many wait, whenever one more does.
  private let waiting = EventRecorder<Int>()

  private func queueOfOne() -> RenewalQueue {
    RenewalQueue(width: 1) { [waiting] in waiting.record($0) }
  }

  @Test func whoeverWaitsTheLongestIsNext() async throws {
    let queue = queueOfOne()
    #expect(await queue.enter())
    let order = EventRecorder<Int>()
    for number in 1...2 {
      Task {
        order.record(await queue.enter() ? number : 0)
        queue.leave()
      }
      try await waiting.wait(count: number)
    }
    queue.leave()
    #expect(try await order.wait(count: 2) == [1, 2])
    #expect(await queue.enter(), "the turn came back")
  }

  @Test func whoeverIsCancelledTakesNoTurn() async throws {
    let queue = queueOfOne()
    #expect(await queue.enter())
    let waiter = Task { await queue.enter() }
    try await waiting.wait(count: 1)
    waiter.cancel()
    #expect(await waiter.value == false)
    #expect(queue.waitingCount == 0)
    queue.leave()
    let gate = Gate()
    let late = Task {
      await gate.waitUncancelled()
      return await queue.enter()
    }
    late.cancel()
    gate.open()
    #expect(await late.value == false)
    #expect(await queue.enter())
  }

  @Test func eachProviderHasAQueueOfItsOwn() {
    let queues = RenewalQueues()
    let first = queues.queue(of: "https://id.example")
    #expect(queues.queue(of: "https://id.example") === first)
    #expect(queues.queue(of: "https://id.example/") !== first)
  }

  @Test func whoeverWaitsForATurnGoesOnPublishing() async throws {
    let queue = queueOfOne()
    #expect(queue.enterIfFree())
    #expect(!queue.enterIfFree())
    let fixture = try SessionFixture(queue: queue)
    await fixture.signIn()
    let count = fixture.published.events.count
    fixture.clock.jump(by: .seconds(10_800))
    await fixture.session.tryOverdue()
    try await waiting.wait(count: 1)
    // What the sign-in left to do may start the wait anew, and with it the sleep.
    for _ in 0..<100 where fixture.published.events.count == count {
      try await fixture.clock.waitForSleepers { $0.contains { $0 > .zero } }
      fixture.clock.advance(by: .seconds(20))
    }
    try await fixture.published.wait(count: count + 1)
    #expect(fixture.source.renewals.events.isEmpty)
    await fixture.session.stop()
    #expect(queue.waitingCount == 0)
  }

  @Test func rf19SessionsThatAreOverdueTogetherAskTheProviderInTurn() async throws {
    let queue = queueOfOne()
    let fixtures = try (0..<3).map { _ in try SessionFixture(queue: queue) }
    let answer = Gate()
    for fixture in fixtures {
      await fixture.signIn()
      fixture.source.then { grant, journal in
        await answer.waitUncancelled()
        return await issue(
          "access-2", refresh: "refresh-2", expiresAt: 1_020_000, previous: grant,
          journal: journal)
      }
      fixture.clock.jump(by: .seconds(10_800))
    }
    await fixtures[0].session.tryOverdue()
    try await fixtures[0].source.renewals.wait(count: 1)
    for fixture in fixtures[1...] { await fixture.session.tryOverdue() }
    try await waiting.wait(count: 2)
    #expect(fixtures[1].source.renewals.events.isEmpty)
    #expect(fixtures[2].source.renewals.events.isEmpty)
    // Whoever asks for it does not wait for those that nobody asks for.
    let asked = Task { await fixtures[2].session.renew() }
    try await fixtures[2].source.renewals.wait(count: 1)
    answer.open()
    guard case .renewed = await asked.value else {
      Issue.record("not renewed")
      return
    }
    try await fixtures[1].source.renewals.wait(count: 1)
    for fixture in fixtures {
      await fixture.session.stop()
      #expect(fixture.source.renewals.events.count == 1)
    }
    #expect(queue.waitingCount == 0)
    #expect(await queue.enter(), "each turn came back")
  }
}
