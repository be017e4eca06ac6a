import FileSupport
import Testing

@Suite struct DeadlineTests {
  @Test(
    arguments: [
      (5_000_000_000, 3000), (6_000_000_000, 2000), (7_999_000_000, 1), (8_000_000_000, 0),
      (99_000_000_000, 0), (.max, 0),
    ] as [(UInt64, Int64)])
  func theRestGetsLessAndNeverNegative(now: UInt64, milliseconds: Int64) {
    let deadline = Deadline(after: .seconds(3), from: 5_000_000_000)
    #expect(deadline.rest(at: now) == .milliseconds(milliseconds))
  }

  @Test func aWaitThatIsNegativeIsOverAtOnce() {
    #expect(Deadline(after: .seconds(-3), from: 5_000_000_000).rest(at: 5_000_000_000) == .zero)
  }
}
