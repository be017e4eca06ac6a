import FileSupport

/// Tells by one descriptor when the watches need somebody while no thread serves them.
struct WatchReadiness: ~Copyable {
  // What cannot be polled is looked at so often, in nanoseconds.
  private static let substitute: UInt64 = 1_000_000_000

  private let poll: EventPoll
  private let timer: BootTimer
  // Of its own: a mount table tells of a change once, to whoever asks first.
  private var mounts: MountTable?
  private var doorbell: Int32 = -1
  private var inotify: Int32 = -1
  private var wake = UInt64.max

  /// Makes one that is never ready.
  ///
  /// - Throws: the error number.
  init() throws(Errno) {
    let timer = try BootTimer()
    poll = try EventPoll(readable: [timer.rawDescriptor])
    self.timer = timer
  }

  /// The descriptor's number, to be polled and never read.
  var rawDescriptor: Int32 { poll.rawDescriptor }

  /// Becomes ready whenever a loop has something to do.
  ///
  /// - Parameters:
  ///   - loop: the loop as it is now; to be called again when it has changed.
  ///   - bell: the doorbell of its inbox.
  mutating func follow(_ loop: borrowing WatchLoop, doorbell bell: Int32) {
    WatchReadiness.replace(&doorbell, by: bell, in: poll)
    WatchReadiness.replace(&inotify, by: loop.inotifyDescriptor, in: poll)
    if loop.isEmpty { mounts = nil } else if mounts == nil { mounts = openMounts() }
    let now = bootClockNanoseconds()
    let isWhole = doorbell == bell && inotify == loop.inotifyDescriptor
    let latest = isWhole ? UInt64.max : now + WatchReadiness.substitute
    set(min(loop.nextWake, latest), at: now)
  }

  /// Is never ready from now on.
  mutating func clear() {
    WatchReadiness.replace(&doorbell, by: -1, in: poll)
    WatchReadiness.replace(&inotify, by: -1, in: poll)
    mounts = nil
    set(.max, at: bootClockNanoseconds())
  }

  private static func replace(_ old: inout Int32, by new: Int32, in poll: borrowing EventPoll) {
    guard old != new else { return }
    // One that was closed meanwhile is gone already.
    if old >= 0 { poll.remove(old) }
    old = new < 0 || (try? poll.add(new)) != nil ? new : -1
  }

  private func openMounts() -> MountTable? {
    let table = MountTable()
    guard (try? poll.add(table.rawDescriptor, for: .exceptional)) != nil else { return nil }
    return table
  }

  private mutating func set(_ time: UInt64, at now: UInt64) {
    // A timer that has gone off stays readable until it is set again: if it is still due, to set it
    // would take that away for a moment from whoever polls just then.
    guard time != wake, time > now || wake > now else { return }
    wake = time
    timer.set(after: time == .max ? nil : .nanoseconds(Int64(clamping: time - min(now, time))))
  }
}
