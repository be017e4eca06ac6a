/// The decisions of watching one file: what was noticed goes in, what to do comes out.
package struct WatchPlan: Sendable {
  /// What an event says of a watched directory.
  package enum DirectoryEvent: Sendable, Hashable {
    /// A name was added, by creating or by renaming.
    case nameAdded(isAwaited: Bool)
    /// A name went away.
    case nameRemoved(isAwaited: Bool)
    /// Somebody who could write to a file has closed it.
    case writerGone(isAwaited: Bool)
    /// The directory itself was moved, removed or unmounted.
    case selfChanged
  }

  /// What was noticed.
  package enum Input: Sendable, Hashable {
    /// An event of the file's own directory.
    case ownDirectory(DirectoryEvent)
    /// An event of a directory above it.
    case directoryAbove(DirectoryEvent)
    /// Events were lost.
    case overflow
    /// Something was mounted or unmounted somewhere.
    case mountsChanged
    /// It is time to look.
    case tick
    /// A look at the path found this.
    case looked(Sighting)
    /// The directories of the last look are watched in this way now.
    case armed(WatchMode)
    /// A look at the file alone, in the directory that is watched, found this.
    case lookedAtFile(FileMark?)
  }

  /// What to do.
  package enum Action: Sendable, Hashable {
    /// Tell whoever watches.
    case notify(FileEvent)
    /// Look at the path and report with `looked`.
    case look
    /// Look at the file alone once all events are handled, and report with `lookedAtFile`.
    case lookAtFile
    /// Watch the directories of the last look, no others, and report with `armed`.
    case arm
    /// Watch no directory any more: inotify cannot be used on the path.
    case release
  }

  // A removed directory that somebody holds open gives no event of its own, so a path that has
  // just changed is looked at more often for a while.
  private static let unsettledTicks = 10
  // A directory that is replaced at every look is given up until the next tick.
  private static let armingLimit = 8

  private let intervals: WatchRequest.Intervals
  private let method: WatchRequest.Method
  private var path: Sighting?
  private var file: FileMark?
  private var isPresent = false
  private var isFileTold = false
  private var mode: WatchMode?
  private var armedPath: Sighting?
  private var pending: FileEvent?
  private var unsettled = 0
  private var armings = 0
  private var sinceArming: Duration = .zero

  /// Creates the plan of a watch that has not looked yet.
  package init(method: WatchRequest.Method, intervals: WatchRequest.Intervals) {
    self.method = method
    self.intervals = intervals
  }

  /// How changes are noticed now.
  package var currentMode: WatchMode { mode ?? .polling(.onRequest) }

  /// When to look again.
  package var interval: Duration {
    guard mode == .inotify, unsettled == 0 else { return intervals.degraded }
    return intervals.healthy
  }

  /// Takes in what was noticed.
  ///
  /// - Returns: what to do, in order.
  package mutating func handle(_ input: Input) -> [Action] {
    switch input {
    case .ownDirectory(.nameAdded(let isAwaited)):
      return isAwaited ? told(.replaced) : []
    case .ownDirectory(.nameRemoved(let isAwaited)):
      return isAwaited ? told(.removed) : []
    case .ownDirectory(.writerGone(let isAwaited)):
      return isAwaited ? [.notify(.writerGone)] : []
    case .directoryAbove(.writerGone):
      return []
    case .directoryAbove(.nameAdded(let isAwaited)), .directoryAbove(.nameRemoved(let isAwaited)):
      return isAwaited ? startLook() : []
    case .ownDirectory(.selfChanged), .directoryAbove(.selfChanged), .mountsChanged:
      return startLook()
    case .overflow:
      pending = .overflow
      return startLook()
    case .tick:
      return tick()
    case .looked(let sighting):
      return looked(sighting)
    case .armed(let mode):
      return armed(mode)
    case .lookedAtFile(let mark):
      learn(mark)
      return []
    }
  }

  private mutating func learn(_ mark: FileMark?) {
    file = mark
    isPresent = mark != nil
    isFileTold = false
  }

  /// Tells of an event of the file itself.
  ///
  /// The next look finds a file that nobody has looked at yet and must not tell of it again; what
  /// changes after this event gives an event of its own.
  private mutating func told(_ event: FileEvent) -> [Action] {
    isFileTold = true
    isPresent = event == .replaced
    return [.notify(event), .lookAtFile]
  }

  private mutating func startLook() -> [Action] {
    armings = 0
    return [.look]
  }

  private mutating func tick() -> [Action] {
    sinceArming += interval
    unsettled = max(0, unsettled - 1)
    return startLook()
  }

  private mutating func looked(_ sighting: Sighting) -> [Action] {
    if let path {
      let isSamePath = path.hasSamePath(as: sighting)
      // A file's number and time may be those of the one before, but never in another directory.
      let isChanged =
        isSamePath ? sighting.file != file && !isFileTold : sighting.file != nil || isPresent
      if isChanged, pending == nil { pending = sighting.file == nil ? .removed : .replaced }
      if !isSamePath { unsettled = WatchPlan.unsettledTicks }
    } else {
      pending = .began
    }
    path = sighting
    learn(sighting.file)
    let isArmed = armedPath?.hasSamePath(as: sighting) ?? false
    if isArmed && !isRetryDue || armings == WatchPlan.armingLimit { return report() }
    return arm(sighting)
  }

  private var isRetryDue: Bool {
    guard case .polling(let reason) = mode, reason.mayPass else { return false }
    return sinceArming >= intervals.healthy
  }

  private mutating func arm(_ sighting: Sighting) -> [Action] {
    armings += 1
    sinceArming = .zero
    armedPath = sighting
    guard method == .automatic else { return armed(.polling(.onRequest)) }
    guard let hindrance = sighting.hindrance else { return [.arm] }
    return [.release] + armed(.polling(hindrance))
  }

  private mutating func armed(_ mode: WatchMode) -> [Action] {
    if let old = self.mode, old != mode, pending == nil { pending = .modeChanged }
    self.mode = mode
    // Only a look that follows the watch leaves no gap between the two.
    return mode == .inotify ? [.look] : report()
  }

  private mutating func report() -> [Action] {
    guard let event = pending else { return [] }
    pending = nil
    return [.notify(event)]
  }
}
