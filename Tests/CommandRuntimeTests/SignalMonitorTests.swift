import CommandRuntime
import Glibc
import Testing

// Each test has a process of its own: signals are the process's.
@Suite(.timeLimit(.minutes(1))) struct SignalMonitorTests {
  @Test func turnsSignalsIntoValues() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let monitor = try SignalMonitor()
      guard monitor.next() == nil else { exit(1) }
      for signal in ProcessSignal.allCases {
        kill(getpid(), signal.number)
        guard monitor.wait() == signal else { exit(2) }
      }
      guard monitor.next() == nil else { exit(3) }
      exit(42)
    }
  }

  @Test func givesSignalsToTasksInTheirOrder() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let monitor = try SignalMonitor()
      var taken: [ProcessSignal] = []
      kill(getpid(), SIGHUP)
      for await signal in try monitor.signals() {
        taken.append(signal)
        switch signal {
        case .hangUp: kill(getpid(), SIGUSR1)
        case .user1: kill(getpid(), SIGTERM)
        default: exit(taken == [.hangUp, .user1, .terminate] ? 42 : 1)
        }
      }
    }
  }

  @Test func endsTheStreamWithItsConsumer() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let monitor = try SignalMonitor()
      let task = Task {
        for await _ in try monitor.signals() {}
        return true
      }
      task.cancel()
      guard try await task.value else { exit(1) }
      // What comes later is for the next consumer.
      kill(getpid(), SIGTERM)
      for await signal in try monitor.signals() { exit(signal == .terminate ? 42 : 2) }
    }
  }

  @Test func leavesAHangupIgnoredThatNohupIgnored() async {
    await #expect(processExitsWith: .exitCode(42)) {
      _ = signal(SIGHUP, SIG_IGN)
      let monitor = try SignalMonitor()
      kill(getpid(), SIGHUP)
      kill(getpid(), SIGTERM)
      exit(monitor.wait() == .terminate ? 42 : 1)
    }
  }

  @Test func sv08SurvivesAClosedPipe() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let monitor = try SignalMonitor()
      var ends: [Int32] = [-1, -1]
      unsafe pipe(&ends)
      close(ends[0])
      guard unsafe write(ends[1], "x", 1) == -1, errno == EPIPE else { exit(1) }
      exit(monitor.next() == nil ? 42 : 2)
    }
  }
}
