#if Tasks
  import CLinux
  import Synchronization

  /// Runs all tasks of a process on one thread, for programs that rest most of the time.
  ///
  /// Swift's usual executor, libdispatch, looks after its threads once a second for as long as the
  /// process lives, which keeps a processor from sleeping; and each burst of work starts threads.
  /// Here nothing happens unless there is something to do. Code that blocks belongs on a
  /// `DedicatedThread`, as ever: it would hold up every task.
  ///
  /// Waits must be on `TaskLoopClock`: those on the clocks of the standard library end up with
  /// libdispatch. The main actor is not served.
  package enum TaskLoop {
    private struct Schedule {
      var jobs: [UnownedJob] = []
      var alarms = AlarmList<ContinuousClock.Instant, CheckedContinuation<Void, any Error>>()
      var lastNumber: UInt64 = 0
    }

    private static let schedule = Mutex(Schedule())
    private static let bell = Result<Doorbell, Errno> { () throws(Errno) in try Doorbell() }

    /// Runs a task and all that comes of it on the calling thread, which must be the main one.
    ///
    /// To be called once, before any task of the process has begun.
    /// - Parameter body: what the program does, its end included: it has to call `exit(3)`.
    /// - Throws: the error number of `eventfd(2)`: nothing could wake the loop, nothing has begun.
    package static func run(
      _ body: @escaping @Sendable () async -> Never
    ) throws(Errno) -> Never {
      let bell = try bell.get()
      let taken = unsafe clinux_take_jobs { job in
        guard let job = unsafe job else { return }
        TaskLoop.enqueue(unsafe unsafeBitCast(job, to: UnownedJob.self))
      }
      // A runtime without the hook keeps its own threads: then this loop serves the alarms alone.
      _ = taken
      Task.detached { await body() }
      while true { turn(bell) }
    }

    /// Waits until an instant; the tasks of other threads may call it too.
    ///
    /// - Throws: `CancellationError` at once when the task is cancelled.
    static func sleep(until deadline: ContinuousClock.Instant) async throws {
      let number = schedule.withLock { schedule in
        schedule.lastNumber += 1
        return schedule.lastNumber
      }
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          schedule.withLock { schedule in
            schedule.alarms.add(continuation, at: deadline, number: number)
          }
          // A cancellation before this line found no alarm to silence.
          if Task.isCancelled { silence(number, deadline) } else { ring() }
        }
      } onCancel: {
        silence(number, deadline)
      }
    }

    private static func silence(_ number: UInt64, _ deadline: ContinuousClock.Instant) {
      let sleeper = schedule.withLock { schedule in
        schedule.alarms.remove(at: deadline, number: number)
      }
      sleeper?.resume(throwing: CancellationError())
    }

    private static func enqueue(_ job: UnownedJob) {
      let isFirst = schedule.withLock { schedule in
        schedule.jobs.append(job)
        return schedule.jobs.count == 1
      }
      if isFirst { ring() }
    }

    private static func ring() {
      // Without a bell no loop runs that could be woken.
      if case .success(let bell) = bell { bell.ring() }
    }

    /// Does what there is to do, then waits for more.
    private static func turn(_ bell: Doorbell) {
      let now = ContinuousClock.now
      let (jobs, due, next) = schedule.withLock { schedule in
        let jobs = schedule.jobs
        schedule.jobs.removeAll(keepingCapacity: true)
        let due = schedule.alarms.removeDue(at: now)
        return (jobs, due, schedule.alarms.next)
      }
      for sleeper in due { sleeper.resume() }
      for job in jobs { unsafe job.runSynchronously(on: generic) }
      guard jobs.isEmpty, due.isEmpty else { return }
      _ = try? waitForInput(bell.rawDescriptor, timeout: next.map { now.duration(to: $0) })
      bell.silence()
    }

    // The executor of jobs that are bound to no actor: two words of zeros (`swift_job_run`).
    private static var generic: UnownedSerialExecutor {
      unsafe unsafeBitCast((0, 0), to: UnownedSerialExecutor.self)
    }
  }

  /// The clock to wait on in a program that runs in a `TaskLoop`: the boot clock.
  package struct TaskLoopClock: Clock {
    /// A point on the boot clock.
    package typealias Instant = ContinuousClock.Instant

    /// Makes a clock.
    package init() {}

    /// The present point.
    package var now: Instant { ContinuousClock.now }

    /// What the clock can tell apart.
    package var minimumResolution: Duration { .milliseconds(1) }

    /// Waits, a millisecond longer than asked for at most as far as this clock is concerned.
    ///
    /// - Throws: `CancellationError` at once when the task is cancelled.
    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
      try await TaskLoop.sleep(until: deadline)
    }
  }
#endif
