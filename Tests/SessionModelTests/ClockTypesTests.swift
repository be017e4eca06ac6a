import SessionModel
import Testing

@Suite struct ClockTypesTests {
  @Test func timesMoveByWholeSeconds() {
    let time = UnixTime(rawValue: 100)
    #expect(time + .seconds(5) == UnixTime(rawValue: 105))
    #expect(time - .seconds(5) == UnixTime(rawValue: 95))
    #expect(time + .milliseconds(1_999) == UnixTime(rawValue: 101))
    #expect(time.since(UnixTime(rawValue: 40)) == .seconds(60))
    #expect(UnixTime(rawValue: 40).since(time) == .seconds(-60))
  }

  @Test func timesSaturateAtTheirEnds() {
    let last = UnixTime(rawValue: .max)
    let first = UnixTime(rawValue: .min)
    #expect(last + .seconds(1) == last)
    #expect(first - .seconds(1) == first)
    #expect(UnixTime(rawValue: 0) + .seconds(Int64.max) == last)
    #expect(first + .seconds(-1) == first)
    #expect(last - .seconds(-1) == last)
    #expect(last.since(first) > .seconds(Int64.max / 4))
    #expect(first.since(last) < .seconds(Int64.min / 4))
  }

  @Test func bootTimesAreCountedInBothDirections() {
    let later = BootTime(rawValue: 5_000_000_001)
    let earlier = BootTime(rawValue: 2)
    #expect(earlier < later)
    #expect(later.since(earlier) == .nanoseconds(4_999_999_999))
    #expect(earlier.since(later) == .nanoseconds(-4_999_999_999))
    #expect(BootTime(rawValue: .max).since(BootTime(rawValue: 0)) == .nanoseconds(Int64.max))
  }

  @Test func bootIdentifiersAreReadFromTheKernelsText() {
    let text = "0f1e2d3c-4b5a-6978-8796-A5B4C3D2E1F0\n"
    #expect(
      BootIdentifier(text: text)?.bytes == [
        0x0F, 0x1E, 0x2D, 0x3C, 0x4B, 0x5A, 0x69, 0x78, 0x87, 0x96, 0xA5, 0xB4, 0xC3, 0xD2, 0xE1,
        0xF0,
      ])
  }

  @Test(arguments: [
    "", "\n", "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f", "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f00",
    "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1fg", "0f1e2d3c 4b5a 6978 8796 a5b4c3d2e1f0",
  ])
  func otherTextsAreNoBootIdentifier(_ text: String) {
    #expect(BootIdentifier(text: text) == nil)
  }

  @Test(arguments: [0, 15, 17])
  func aBootIdentifierHasSixteenBytes(_ count: Int) {
    #expect(BootIdentifier(bytes: Array(repeating: 0, count: count)) == nil)
  }

  @Test(
    arguments: [
      (nil, 30_000), (3_600_000, 30_000), (240_000, 30_000), (80_000, 10_000), (5_000, 625),
      (0, 0), (-80_000, 0),
    ] as [(Int?, Int)])
  func theStandardMarginIsAnEighthAndThirtySecondsAtMost(_ lifetime: Int?, margin: Int) {
    #expect(
      ExpiryMargin.standard(lifetime: lifetime.map { .milliseconds($0) }).duration
        == .milliseconds(margin))
  }

  @Test func aNegativeMarginIsNone() {
    #expect(ExpiryMargin(.seconds(-1)).duration == .zero)
  }
}
