import CommandRuntime
import Testing

struct DebounceTests {
  private static func at(_ milliseconds: UInt64) -> UInt64 { milliseconds * 1_000_000 }

  @Test func aBurstIsToldOnceWhenItIsOver() {
    var debounce = Debounce(quiet: .seconds(1), limit: .seconds(5))
    func take(_ milliseconds: UInt64) -> Bool { debounce.take(now: Self.at(milliseconds)) }
    #expect(debounce.rest(now: Self.at(0)) == nil)
    #expect(!take(0))
    for time in stride(from: 0 as UInt64, through: 900, by: 300) {
      debounce.note(now: Self.at(time))
      #expect(!take(time))
    }
    #expect(debounce.rest(now: Self.at(900)) == .seconds(1))
    #expect(!take(1899))
    #expect(take(1900))
    #expect(debounce.rest(now: Self.at(1900)) == nil)
    #expect(!take(9000))
  }

  @Test func whatNeverStopsIsToldAtTheLimit() {
    var debounce = Debounce(quiet: .seconds(1), limit: .seconds(5))
    var told: [UInt64] = []
    for time in stride(from: 0 as UInt64, through: 12_000, by: 500) {
      debounce.note(now: Self.at(time))
      if debounce.take(now: Self.at(time)) { told.append(time) }
    }
    #expect(told == [5000, 10_500])
  }
}
