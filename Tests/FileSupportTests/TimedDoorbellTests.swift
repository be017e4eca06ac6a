import FileSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct TimedDoorbellTests {
  private func isRung(_ bell: TimedDoorbell, within timeout: Duration?) throws -> Bool {
    try waitForInput([bell.rawDescriptor], timeout: timeout) != [[]]
  }

  @Test func itRingsWhenItIsRungAndUntilItIsAnswered() throws {
    let bell = try TimedDoorbell()
    #expect(try !isRung(bell, within: .zero))
    bell.ring()
    #expect(try isRung(bell, within: .zero))
    bell.silence()
    #expect(try !isRung(bell, within: .zero))
  }

  @Test func itRingsByItself() throws {
    let bell = try TimedDoorbell()
    bell.ring(after: .milliseconds(5))
    #expect(try isRung(bell, within: nil))
    bell.silence()
    #expect(try !isRung(bell, within: .zero))
    bell.ring(after: .zero)
    #expect(try isRung(bell, within: nil))
  }

  @Test func anAnswerTakesBackWhatItWasSetTo() throws {
    let bell = try TimedDoorbell()
    bell.ring(after: .milliseconds(1))
    bell.silence()
    #expect(try !isRung(bell, within: .milliseconds(20)))
  }

  @Test func beingSetToRingLosesNoRing() throws {
    let bell = try TimedDoorbell()
    bell.ring()
    bell.ring(after: .seconds(3600))
    #expect(try isRung(bell, within: .zero))
  }
}
