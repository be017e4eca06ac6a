import FileSupport
import Glibc

/// What the watcher's thread does: it waits for events and time, and acts on each watch's plan.
struct WatchLoop: ~Copyable {
  // A flood of events must not keep a stop from being noticed.
  private static let batch = 4096

  private let inbox: WatchInbox
  private let mounts = MountTable()
  private var tools: InotifyTools?
  private var table = DirectoryTable()
  private var stations: [Int: WatchStation] = [:]
  private var filesToLookAt: Set<Int> = []
  private var wall = WallClockCheck()

  /// Creates the loop of a thread.
  init(inbox: WatchInbox) { self.inbox = inbox }

  /// Runs until no watch is left.
  mutating func run() {
    var polled = [pollfd](repeating: pollfd(), count: 3)
    var isBehind = false
    while true {
      if stations.isEmpty {
        // The next thread may take the instance as soon as the inbox is closed.
        tools = nil
        if inbox.close() { return }
        takeInbox()
        continue
      }
      polled[0] = pollfd(fd: inotifyDescriptor, events: Int16(POLLIN), revents: 0)
      polled[1] = pollfd(fd: inbox.doorbell.rawDescriptor, events: Int16(POLLIN), revents: 0)
      polled[2] = pollfd(fd: mounts.rawDescriptor, events: Int16(POLLPRI), revents: 0)
      let count = unsafe poll(&polled, nfds_t(polled.count), isBehind ? 0 : timeToNextLook())
      // A wait that was interrupted is no timeout, and its answers mean nothing.
      guard count >= 0 else { continue }
      if polled[0].revents != 0 || isBehind { isBehind = !handleEvents() }
      if polled[1].revents != 0 { takeInbox() }
      if polled[2].revents != 0 { handleAll(.mountsChanged) }
      if count == 0 && !isBehind { lookWhereDue() }
    }
  }

  private var inotifyDescriptor: Int32 {
    switch tools {
    case .some(let tools): tools.descriptor
    case .none: -1
    }
  }

  private func timeToNextLook() -> Int32 {
    let now = bootClockNanoseconds()
    let next = stations.values.reduce(UInt64.max) { min($0, $1.nextWake) }
    guard next > now else { return 0 }
    return pollMilliseconds(.nanoseconds(Int64(clamping: next - now)))
  }

  private mutating func takeInbox() {
    let content = inbox.take()
    for number in content.removed { drop(number) }
    for watch in content.added where !watch.ticket.isCancelled {
      stations[watch.ticket.number] = WatchStation(watch)
      handle(.tick, for: watch.ticket.number)
    }
    for (number, time) in content.alarms { stations[number]?.alarm = time }
  }

  private mutating func drop(_ number: Int) {
    stations[number] = nil
    filesToLookAt.remove(number)
    release(number)
  }

  private mutating func lookWhereDue() {
    let now = bootClockNanoseconds()
    let isClockSet = wall.wasSet(at: now)
    for number in stations.keys { stations[number]?.ringAlarm(at: now, isClockSet: isClockSet) }
    guard stations.values.contains(where: { $0.nextLook <= now }) else { return }
    for (number, station) in stations where station.isDue(at: now) {
      handle(.tick, for: number, isDue: true)
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
      handle(event)
    }
    lookAtFiles()
    return isDrained
  }

  private mutating func handle(_ event: InotifyEvent) {
    if event.kind == .overflow { return handleAll(.overflow) }
    let users = table.users(of: event.watch)
    if event.kind == .ignored { table.lost(event.watch) }
    for user in users {
      guard let station = stations[user.watch], station.armings == user.arming else { continue }
      let names = station.watch.request.names
      let isAwaited = event.name.elementsEqual(names[user.position].utf8)
      let change = event.kind.change(isAwaited: isAwaited)
      let isOwn = user.position == names.count - 1
      handle(isOwn ? .ownDirectory(change) : .directoryAbove(change), for: user.watch)
    }
  }

  /// Learns which files the events were about, so that the next look does not report them again.
  private mutating func lookAtFiles() {
    for number in filesToLookAt {
      guard let station = stations[number], let directory = station.directory else { continue }
      handle(.lookedAtFile(directory.mark(of: station.watch.request.file)), for: number)
    }
    filesToLookAt.removeAll(keepingCapacity: true)
  }

  // MARK: Plans

  private mutating func handleAll(_ input: WatchPlan.Input) {
    for number in stations.keys { handle(input, for: number) }
  }

  /// Gives an input to a watch's plan and does what it says, until it has nothing more to say.
  private mutating func handle(_ input: WatchPlan.Input, for number: Int, isDue: Bool = false) {
    var inputs = [input]
    while let input = inputs.popLast() {
      guard let actions = stations[number]?.plan.handle(input) else { return }
      for action in actions {
        switch action {
        case .notify(let event):
          stations[number]?.look = nil
          stations[number]?.notify(event)
        case .lookAtFile: filesToLookAt.insert(number)
        case .look: inputs += look(number)
        case .arm: inputs += arm(number)
        case .release: release(number)
        }
      }
    }
    // What is watched is held by the table; another look would only hold it a second time.
    stations[number]?.look = nil
    stations[number]?.reckon(isDue: isDue)
  }

  private mutating func look(_ number: Int) -> [WatchPlan.Input] {
    guard let station = stations[number] else { return [] }
    let look = PathLook(station.watch.request)
    stations[number]?.look = look
    return [.looked(look.sighting)]
  }

  private mutating func arm(_ number: Int) -> [WatchPlan.Input] {
    guard let station = stations[number], let look = stations[number]?.look.take() else {
      return []
    }
    let arming = station.armings + 1
    stations[number]?.armings = arming
    var tools: InotifyTools
    do {
      tools = try takeTools()
    } catch {
      return [.armed(.polling(error))]
    }
    let failure = table.arm(
      look, of: station.watch.request, watch: number, arming: arming, tools: &tools)
    self.tools = consume tools
    let isComplete = look.sighting.isComplete(for: station.watch.request)
    stations[number]?.directory =
      isComplete ? look.held.last.flatMap { table.directory($0.identity) } : nil
    return [.armed(failure.map(WatchMode.polling) ?? .inotify)]
  }

  private mutating func release(_ number: Int) {
    stations[number]?.directory = nil
    guard var tools = tools.take() else { return }
    table.remove(where: { $0.watch == number }, tools: &tools)
    self.tools = consume tools
  }

  private mutating func takeTools() throws(PollingReason) -> InotifyTools {
    if let tools = tools.take() { return tools }
    return try InotifyTools.take()
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
    case .selfChanged, .unmounted, .ignored, .overflow: .selfChanged
    }
  }
}
