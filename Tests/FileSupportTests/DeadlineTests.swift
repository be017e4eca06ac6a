import FileSupport
import Testing

@Suite struct DeadlineTests {
  @Test func itCountsDownOnTheBootClock() {
    let deadline = Deadline(after: .seconds(1000))
    let first = deadline.rest
    #expect(first > .seconds(900) && first <= .seconds(1000))
    #expect(deadline.rest <= first)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(-1)])
  func nothingIsLeftOfOneThatHasPassed(_ wait: Duration) {
    #expect(Deadline(after: wait).rest == .zero)
  }

  @Test func theLongestWaitIsNoOverflow() {
    #expect(Deadline(after: .seconds(Int64.max)).rest > .seconds(1_000_000_000))
  }
}
