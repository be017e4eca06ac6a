import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ManualClockTests {
  @Test func sleepersWakeInTheOrderOfTheirDeadlines() async throws {
    let clock = ManualClock()
    let woken = EventRecorder<Int>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for seconds in [3, 1, 2] {
        group.addTask {
          try await clock.sleep(for: .seconds(seconds))
          woken.record(seconds)
        }
      }
      #expect(try await clock.waitForSleepers(3) == [.seconds(1), .seconds(2), .seconds(3)])
      for expected in [1, 2, 3] {
        #expect(try await clock.advanceToNextSleeper() == .seconds(1))
        #expect(try await woken.next() == expected)
      }
      try await group.waitForAll()
    }
    #expect(clock.now.offset == .seconds(3))
  }

  @Test func aDeadlineThatIsPastDoesNotSleep() async throws {
    let clock = ManualClock()
    clock.advance(by: .seconds(5))
    try await clock.sleep(until: .init(offset: .seconds(5)))
    #expect(clock.sleepers.isEmpty)
  }

  @Test func cancellationEndsASleepAndForgetsTheSleeper() async throws {
    let clock = ManualClock()
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.sleepers.isEmpty)
  }

  @Test func cancellationEndsTheWaitForASleeper() async throws {
    let clock = ManualClock()
    let task = Task { try await clock.waitForSleepers() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
