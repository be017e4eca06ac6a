import LoopbackHTTP
import Testing

@Suite struct ConnectionBookTests {
  private let start = ContinuousClock.now

  @Test func theOldestSilentConnectionYieldsWhenTheTableIsFull() {
    var book = ConnectionBook(capacity: 2, allowance: .seconds(5))
    #expect(book.opened(10, at: start) == nil)
    #expect(book.opened(11, at: start) == nil)
    book.received(10)
    #expect(book.opened(12, at: start) == 11)
    book.closed(11)
    #expect(book.opened(13, at: start) == 12)
  }

  @Test func aConnectionIsOverdueOnceAndOnlyWhileItOwesARequest() {
    var book = ConnectionBook(capacity: 8, allowance: .seconds(5))
    _ = book.opened(10, at: start)
    _ = book.opened(11, at: start + .seconds(1))
    book.received(11)
    #expect(book.firstDeadline == start + .seconds(5))
    #expect(book.overdue(at: start + .seconds(4)).isEmpty)
    #expect(book.overdue(at: start + .seconds(60)) == [10])
    #expect(book.overdue(at: start + .seconds(60)).isEmpty)
    book.answered(11, at: start + .seconds(60))
    #expect(book.overdue(at: start + .seconds(65)) == [11])
    #expect(book.firstDeadline == nil)
  }

  @Test func aClosedSocketIsNeverNamedAgain() {
    var book = ConnectionBook(capacity: 1, allowance: .seconds(5))
    _ = book.opened(10, at: start)
    book.closed(10)
    #expect(book.opened(11, at: start) == nil)
    #expect(book.overdue(at: start + .seconds(9)) == [11])
  }
}
