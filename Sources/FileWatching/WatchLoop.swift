import FileSupport
import Glibc

/// What is done for all watches: events and time are taken in, and each watch's plan is acted on.
struct WatchLoop: ~Copyable {
  // A flood of events must not keep a stop from being noticed.
  private static let batch = 4096

  private let inbox: WatchInbox
  private var mounts: MountTable?
  private var tools: InotifySource?
  private var table = DirectoryTable()
  private var stations: [Int: WatchStation] = [:]
  private var wall = WallClockCheck()
  private var isBehind = false
  // Used again and again, so that an event is handled without any memory from the heap.
  private var actions: [WatchPlan.Action] = []
  private var polled = [pollfd](repeating: pollfd(), count: 3)

  /// Creates the loop of an inbox.
  init(inbox: WatchInbox) { self.inbox = inbox }

  /// Whether there is no watch.
  var isEmpty: Bool { stations.isEmpty }

  /// When there is something to do whatever is told, on the boot clock.
  var nextWake: UInt64 {
    isBehind ? 0 : stations.values.reduce(UInt64.max) { min($0, $1.nextWake) }
  }

  /// The inotify descriptor in use; -1 where there is none.
  var inotifyDescriptor: Int32 {
    switch tools {
    case .some(let tools): tools.descriptor
    case .none: -1
    }
  }

  /// Handles what there is to do.
  ///
  /// - Parameter waits: whether to wait until there is something.
  mutating func turn(waits: Bool) {
    polled[0] = pollfd(fd: inotifyDescriptor, events: Int16(POLLIN), revents: 0)
    polled[1] = pollfd(fd: inbox.doorbell.rawDescriptor, events: Int16(POLLIN), revents: 0)
    polled[2] = pollfd(fd: mounts?.rawDescriptor ?? -1, events: Int16(POLLPRI), revents: 0)
    let count = unsafe poll(&polled, nfds_t(polled.count), waits ? timeToNextLook() : 0)
    // A wait that was interrupted is no timeout, and its answers mean nothing.
    guard count >= 0 else { return }
    if polled[0].revents != 0 || isBehind { isBehind = !handleEvents() }
    takeInbox()
    if polled[2].revents != 0 { handleAll(.mountsChanged) }
    if count == 0 && !isBehind { lookWhereDue() }
  }

  /// Gives back what is held for watches when there is none.
  mutating func rest() {
    guard isEmpty else { return }
    isBehind = false
    tools = nil
    mounts = nil
  }

  private func timeToNextLook() -> Int32 {
    let now = bootClockNanoseconds()
    let next = nextWake
    guard next > now else { return 0 }
    return pollMilliseconds(.nanoseconds(Int64(clamping: next - now)))
  }

  /// Begins, ends and sets what the owners of watches have asked for.
  mutating func takeInbox() {
    guard let content = inbox.take() else { return }
    for number in content.removed {
      guard let station = stations.removeValue(forKey: number) else { continue }
      release(station)
    }
    for watch in content.added where !watch.ticket.isCancelled {
      if mounts == nil { mounts = MountTable() }
      let station = WatchStation(watch)
      stations[watch.ticket.number] = station
      handle(.tick, for: station)
    }
    for (number, time) in content.alarms { stations[number]?.alarm = time }
  }

  private mutating func lookWhereDue() {
    let now = bootClockNanoseconds()
    let isClockSet = wall.wasSet(at: now)
    for station in stations.values { station.ringAlarm(at: now, isClockSet: isClockSet) }
    guard stations.values.contains(where: { $0.nextLook <= now }) else { return }
    for station in stations.values where station.isDue(at: now) {
      handle(.tick, for: station)
      station.reckon(isDue: true)
    }
  }

  // MARK: Events

  /// Hands out the events that are there.
  ///
  /// - Returns: whether all were; otherwise the library holds some that `poll(2)` knows nothing of.
  private mutating func handleEvents() -> Bool {
    var isDrained = false
    for _ in 0..<WatchLoop.batch {
      guard let event = tools?.next() else {
        isDrained = true
        break
      }
      handle(event, name: tools?.name ?? [])
    }
    return isDrained
  }

  private mutating func handle(_ event: InotifyEvent, name: [UInt8]) {
    if event.kind == .overflow { return handleAll(.overflow) }
    let users = table.users(of: event.watch)
    if event.kind == .ignored { table.lost(event.watch) }
    for user in users where user.isCurrent {
      let names = user.station.names
      let change = event.kind.change(isAwaited: name == names[user.position])
      let isOwn = user.position == names.count - 1
      handle(isOwn ? .ownDirectory(change) : .directoryAbove(change), for: user.station)
    }
  }

  // MARK: Plans

  private mutating func handleAll(_ input: WatchPlan.Input) {
    for station in stations.values { handle(input, for: station) }
  }

  /// Gives an input to a watch's plan and does what it says, until it has nothing more to say.
  private mutating func handle(_ input: WatchPlan.Input, for station: WatchStation) {
    var next: WatchPlan.Input? = input
    while let input = next {
      next = nil
      station.plan.handle(input, into: &actions)
      for index in actions.indices {
        switch actions[index] {
        case .notify(let event):
          station.look = nil
          station.notify(event)
        case .lookAtFile: next = lookAtFile(of: station)
        case .look: next = look(station)
        case .arm: next = arm(station)
        case .release: release(station)
        }
      }
      actions.removeAll(keepingCapacity: true)
    }
    // What is watched is held by the table; another look would only hold it a second time.
    station.look = nil
    station.reckon(isDue: false)
    for other in table.takeDisturbed() { handle(.ownDirectory(.watchLost), for: other) }
  }

  private func lookAtFile(of station: WatchStation) -> WatchPlan.Input {
    .lookedAtFile(station.directory?.mark(of: station.watch.request.file))
  }

  private func look(_ station: WatchStation) -> WatchPlan.Input {
    let look = PathLook(station.watch.request)
    station.look = look
    return .looked(look.sighting)
  }

  private mutating func arm(_ station: WatchStation) -> WatchPlan.Input? {
    guard let look = station.look.take() else { return nil }
    station.armings += 1
    station.directory = nil
    var tools: InotifySource
    do {
      tools = try takeTools()
    } catch {
      return .armed(.polling(error))
    }
    let failure = table.arm(look, for: station, tools: &tools)
    self.tools = consume tools
    if look.sighting.isComplete(for: station.watch.request), let last = look.held.last {
      station.directory = table.directory(last.identity)
    }
    return .armed(failure.map(WatchMode.polling) ?? .inotify)
  }

  private mutating func release(_ station: WatchStation) {
    station.directory = nil
    guard var tools = tools.take() else { return }
    table.remove(where: { $0.station === station }, tools: &tools)
    self.tools = consume tools
  }

  private mutating func takeTools() throws(PollingReason) -> InotifySource {
    if let tools = tools.take() { return tools }
    return try InotifySource.take()
  }
}

extension InotifyEvent.Kind {
  /// Translates the event for a plan.
  ///
  /// - Parameter isAwaited: whether the event's name is the one that is watched for.
  /// - Returns: what it says of its directory.
  fileprivate func change(isAwaited: Bool) -> WatchPlan.DirectoryEvent {
    switch self {
    case .nameAdded: .nameAdded(isAwaited: isAwaited)
    case .nameRemoved: .nameRemoved(isAwaited: isAwaited)
    case .writerGone: .writerGone(isAwaited: isAwaited)
    case .selfChanged, .unmounted, .overflow: .selfChanged
    case .ignored: .watchLost
    }
  }
}
