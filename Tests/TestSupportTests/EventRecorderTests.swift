import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventRecorderTests {
  @Test func nextGoesOnBehindTheEventItReturned() async throws {
    let recorder = EventRecorder<Int>()
    for number in 1...4 { recorder.record(number) }
    #expect(try await recorder.next { $0 % 2 == 0 } == 2)
    #expect(try await recorder.next { $0 % 2 == 0 } == 4)
    async let later = recorder.next()
    recorder.record(5)
    #expect(try await later == 5)
  }

  @Test func waitReturnsWhenThereAreEnough() async throws {
    let recorder = EventRecorder<String>()
    async let both = recorder.wait(count: 2)
    recorder.record("a")
    recorder.record("b")
    #expect(try await both == ["a", "b"])
  }

  @Test func finishingEndsAWaitThatCannotBeMet() async throws {
    let recorder = EventRecorder<Int>()
    let first = Task { try await recorder.next { $0 > 1 } }
    recorder.record(1)
    recorder.finish()
    await #expect(throws: EventWaitError.finished) { try await first.value }
    await #expect(throws: EventWaitError.finished) { try await recorder.wait(count: 2) }
    #expect(recorder.events == [1])
  }

  @Test func cancellationEndsAWait() async throws {
    let recorder = EventRecorder<Int>()
    let task = Task { try await recorder.next() }
    task.cancel()
    await #expect(throws: EventWaitError.cancelled) { try await task.value }
  }

  @Test func aGateLetsEarlyAndLateWaitersPass() async throws {
    let gate = Gate()
    async let early: Void = gate.wait()
    gate.open()
    try await early
    try await gate.wait()
    #expect(gate.isOpen)
  }
}
