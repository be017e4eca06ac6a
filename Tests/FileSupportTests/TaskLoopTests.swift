import FileSupport
import Glibc
import Testing

/// Each test runs in a process of its own: the loop takes over all tasks of a process, for good.
@Suite(.timeLimit(.minutes(1))) struct TaskLoopTests {
  private actor Counter {
    private(set) var count = 0
    func increment() { count += 1 }
  }

  @Test func allKindsOfTasksRunOnTheThreadOfTheLoop() async {
    await #expect(processExitsWith: .success) {
      alarm(20)
      let loopThread = pthread_self()
      try TaskLoop.run {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<100 {
            group.addTask {
              if pthread_self() == loopThread { await counter.increment() }
            }
          }
        }
        await Task.detached { await counter.increment() }.value
        await Task { await counter.increment() }.value
        async let child: Void = counter.increment()
        await child
        let isComplete = await counter.count == 103
        exit(isComplete && pthread_self() == loopThread ? EXIT_SUCCESS : EXIT_FAILURE)
      }
    }
  }

  @Test func anotherThreadWakesTheLoop() async {
    await #expect(processExitsWith: .success) {
      alarm(20)
      try TaskLoop.run {
        let (numbers, continuation) = AsyncStream<Int>.makeStream()
        let isStarted =
          (try? DedicatedThread.start("numbers") {
            for number in 1...100 { continuation.yield(number) }
            continuation.finish()
          }) != nil
        let sum = await numbers.reduce(0, +)
        exit(isStarted && sum == 5050 ? EXIT_SUCCESS : EXIT_FAILURE)
      }
    }
  }

  @Test func waitsEndInTheOrderOfTheirDeadlines() async {
    await #expect(processExitsWith: .success) {
      alarm(20)
      try TaskLoop.run {
        let start = ContinuousClock.now
        let order = await withTaskGroup(of: Int.self) { group in
          for milliseconds in [300, 100, 200] {
            group.addTask {
              // From one point: a busy machine may start one task much later than the next.
              let deadline = start.advanced(by: .milliseconds(milliseconds))
              try? await TaskLoopClock().sleep(until: deadline, tolerance: nil)
              return milliseconds
            }
          }
          return await group.reduce(into: []) { $0.append($1) }
        }
        let elapsed = start.duration(to: .now)
        exit(
          order == [100, 200, 300] && elapsed >= .milliseconds(300) ? EXIT_SUCCESS : EXIT_FAILURE)
      }
    }
  }

  @Test(arguments: [false, true])
  func aCancelledWaitEndsAtOnce(isCancelledBefore: Bool) async {
    await #expect(processExitsWith: .success) { [isCancelledBefore] in
      alarm(20)
      try TaskLoop.run {
        let (begun, continuation) = AsyncStream<Void>.makeStream()
        let waiting = Task {
          if isCancelledBefore {
            while !Task.isCancelled { await Task.yield() }
          }
          continuation.finish()
          try await TaskLoopClock().sleep(for: .seconds(3600))
        }
        if !isCancelledBefore {
          for await _ in begun {}
          // The wait begins before the loop comes back to this task.
          await Task.yield()
        }
        waiting.cancel()
        let result = await waiting.result
        if case .failure(let error) = result, error is CancellationError { exit(EXIT_SUCCESS) }
        exit(EXIT_FAILURE)
      }
    }
  }

  @Test func withoutADescriptorItDoesNotBegin() async {
    await #expect(processExitsWith: .exitCode(EMFILE)) {
      // A loop that nothing wakes would spin until then.
      alarm(20)
      var none = rlimit(rlim_cur: 0, rlim_max: 0)
      unsafe _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
      do throws(Errno) {
        try TaskLoop.run { exit(EXIT_SUCCESS) }
      } catch {
        exit(error.rawValue)
      }
    }
  }
}
