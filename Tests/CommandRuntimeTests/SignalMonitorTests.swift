import CommandRuntime
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct SignalMonitorTests {
  // Each test blocks and receives its signals in a thread of its own: pthread_kill(3) leaves the
  // rest of the test process alone.
  @Test func turnsSignalsIntoValues() async throws {
    let taken = try await TestThread.run {
      let monitor = try SignalMonitor()
      let before = monitor.next()
      var taken: [ProcessSignal?] = [before]
      for signal in ProcessSignal.allCases {
        pthread_kill(pthread_self(), signal.number)
        taken.append(monitor.wait())
      }
      return taken + [monitor.next()]
    }
    #expect(taken == [nil, .terminate, .interrupt, .hangUp, .user1, nil])
  }

  @Test func waitsNoLongerThanTold() async throws {
    let signal = try await TestThread.run {
      try SignalMonitor([.user1]).wait(timeout: .milliseconds(20))
    }
    #expect(signal == nil)
  }

  @Test func survivesAClosedPipe() async throws {
    let failure = try await TestThread.run {
      let monitor = try SignalMonitor([.hangUp])
      var ends: [Int32] = [-1, -1]
      unsafe pipe(&ends)
      close(ends[0])
      let written = unsafe write(ends[1], "x", 1)
      let failure = errno
      close(ends[1])
      return written == -1 && monitor.next() == nil ? failure : 0
    }
    #expect(failure == EPIPE)
  }

  @Test func endsTheStreamWithItsConsumer() async throws {
    let monitor = try await TestThread.run { try SignalMonitor([.user1]) }
    let task = Task {
      for await _ in try monitor.signals() {}
      return true
    }
    task.cancel()
    #expect(try await task.value)
  }
}
