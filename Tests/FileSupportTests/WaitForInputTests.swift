import FileSupport
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1))) struct WaitForInputTests {
  @Test func aWritersDescriptorEndsTheWaitOnlyWhenItsReaderHasGone() throws {
    let bell = try Doorbell()
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    let reading = FileDescriptor(owning: ends[0])
    let writing = FileDescriptor(owning: ends[1])
    #expect(
      try waitForInput([bell.rawDescriptor], hangUpsOf: [writing.rawValue], timeout: .zero) == [
        [], [],
      ])
    bell.ring()
    #expect(
      try waitForInput([bell.rawDescriptor], hangUpsOf: [writing.rawValue], timeout: nil)
        == [.readable, []])
    bell.silence()
    try reading.closeReporting()
    let readiness = try waitForInput(
      [bell.rawDescriptor], hangUpsOf: [writing.rawValue], timeout: nil)
    #expect(readiness[0].isEmpty)
    #expect(!readiness[1].intersection(.hungUp).isEmpty)
  }
}
