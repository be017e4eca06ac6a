import FileSupport

/// What the loop keeps of one watch.
final class WatchStation {
  /// The watch as its owner has it.
  let watch: Watch
  /// The bytes of the names by which each directory of the path reaches the next one or the file.
  let names: [[UInt8]]
  /// Its decisions.
  var plan: WatchPlan
  /// The last look at its path, until all that follows from it is done.
  var look: PathLook?
  /// The file's own directory while it is watched.
  var directory: HeldDirectory?
  /// How often its path was armed.
  var armings = 0
  /// When to look whatever the events say, on the boot clock.
  private(set) var nextLook: UInt64 = 0
  /// When the owner wants to be told that it is so late, on the boot clock.
  var alarm: UInt64?
  // The pause that `nextLook` was reckoned with.
  private var interval: Duration = .zero

  /// When the loop has to wake for this watch.
  var nextWake: UInt64 { min(nextLook, alarm ?? .max) }

  /// Creates what is kept of a new watch.
  init(_ watch: Watch) {
    self.watch = watch
    names = watch.request.names.map { Array($0.utf8) }
    plan = WatchPlan(method: watch.request.method, intervals: watch.request.intervals)
  }

  /// Tells the owner, unless the watch was cancelled.
  func notify(_ event: FileEvent) {
    guard !watch.ticket.isCancelled else { return }
    watch.handler(WatchNotice(event: event, mode: plan.currentMode))
  }

  /// Reckons the next look after the plan may have changed its mind on the pause.
  ///
  /// - Parameter isDue: whether the present time to look is used up.
  func reckon(isDue: Bool) {
    guard isDue || plan.interval != interval else { return }
    let now = bootClockNanoseconds()
    interval = plan.interval
    let next = now + nanoseconds(interval)
    nextLook = isDue || nextLook == 0 ? next : min(nextLook, next)
  }

  /// Tells the owner when its alarm is due, or when the wall clock was set, which may make it so.
  func ringAlarm(at now: UInt64, isClockSet: Bool) {
    guard let alarm, alarm <= now || isClockSet else { return }
    self.alarm = nil
    notify(.alarm)
  }

  /// Whether the look is due, or would be before half its pause is over.
  ///
  /// Looks that are almost due are made with those that are, which spares the processor a wakeup.
  func isDue(at now: UInt64) -> Bool { nextLook <= now + nanoseconds(interval) / 2 }
}
