import FileSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventPollTests {
  private func isReady(_ descriptor: Int32, within timeout: Duration?) throws -> Bool {
    try waitForInput([descriptor], timeout: timeout) != [[]]
  }

  @Test func itIsReadableWhileOneOfItsDescriptorsIs() throws {
    let bells = [try Doorbell(), try Doorbell()]
    let poll = try EventPoll(readable: bells.map(\.rawDescriptor))
    #expect(try !isReady(poll.rawDescriptor, within: .zero))
    bells[1].ring()
    #expect(try isReady(poll.rawDescriptor, within: .zero))
    #expect(try isReady(poll.rawDescriptor, within: .zero))
    bells[1].silence()
    #expect(try !isReady(poll.rawDescriptor, within: .zero))
  }

  @Test func whatIsRemovedOrClosedIsNoMoreOfIt() throws {
    let bell = try Doorbell()
    let poll = try EventPoll(readable: [bell.rawDescriptor])
    bell.ring()
    poll.remove(bell.rawDescriptor)
    poll.remove(bell.rawDescriptor)
    #expect(try !isReady(poll.rawDescriptor, within: .zero))
    var closed: Doorbell? = try Doorbell()
    try poll.add(#require(closed).rawDescriptor)
    closed?.ring()
    #expect(try isReady(poll.rawDescriptor, within: .zero))
    closed = nil
    #expect(try !isReady(poll.rawDescriptor, within: .zero))
  }

  @Test func oneIsPartOfAnother() throws {
    let bell = try Doorbell()
    let inner = try EventPoll(readable: [bell.rawDescriptor])
    let outer = try EventPoll(readable: [inner.rawDescriptor])
    #expect(try !isReady(outer.rawDescriptor, within: .zero))
    bell.ring()
    #expect(try isReady(outer.rawDescriptor, within: .zero))
  }

  @Test func whatCannotBePolledIsRefused() throws {
    let poll = try EventPoll()
    #expect(throws: Errno.self) { try poll.add(-1) }
    #expect(throws: Errno.self) { _ = try EventPoll(readable: [-1]) }
    #expect(try !isReady(poll.rawDescriptor, within: .zero))
  }

  @Test func aTimerIsReadableFromItsTimeUntilItIsSetAgain() throws {
    let timer = try BootTimer()
    #expect(try !isReady(timer.rawDescriptor, within: .zero))
    timer.set(after: .milliseconds(5))
    #expect(try isReady(timer.rawDescriptor, within: nil))
    timer.set(after: nil)
    #expect(try !isReady(timer.rawDescriptor, within: .zero))
    timer.set(after: .zero)
    #expect(try isReady(timer.rawDescriptor, within: nil))
    timer.set(after: .seconds(3600))
    #expect(try !isReady(timer.rawDescriptor, within: .zero))
  }
}
