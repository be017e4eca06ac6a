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
    /// The watch is gone, or was made anew: the kernel has let go of it, or another one needs more.
    case watchLost
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
    /// A look at the file alone, in the directory that is watched, found this after an event of it.
    case lookedAtFile(FileMark?)
  }

  /// What to do.
  package enum Action: Sendable, Hashable {
    /// Tell whoever watches.
    case notify(FileEvent)
    /// Look at the path and report with `looked`.
    case look
    /// Look at the file alone and report with `lookedAtFile`, before anybody reads it.
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
  private var fileEvent: FileEvent?
  // It may have been away for a moment, in which whoever was told of something found another file
  // or none.
  private var isPathDoubtful = false
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
  /// - Parameter input: what was noticed.
  /// - Returns: what to do, in order.
  package mutating func handle(_ input: Input) -> [Action] {
    var actions: [Action] = []
    handle(input, into: &actions)
    return actions
  }

  /// Takes in what was noticed.
  ///
  /// - Parameters:
  ///   - input: what was noticed.
  ///   - actions: gets what to do, in order.
  mutating func handle(_ input: Input, into actions: inout [Action]) {
    switch input {
    case .ownDirectory(let event): handle(own: event, into: &actions)
    case .directoryAbove(let event): handle(above: event, into: &actions)
    case .overflow:
      pending = .overflow
      startLook(&actions)
    case .mountsChanged: startLook(&actions)
    case .tick:
      sinceArming += interval
      unsettled = max(0, unsettled - 1)
      startLook(&actions)
    case .looked(let sighting): looked(sighting, &actions)
    case .armed(let mode): armed(mode, &actions)
    case .lookedAtFile(let mark): tell(of: mark, &actions)
    }
  }

  private mutating func handle(own event: DirectoryEvent, into actions: inout [Action]) {
    switch event {
    case .nameAdded(isAwaited: true): lookAtFile(after: .replaced, &actions)
    case .nameRemoved(isAwaited: true): lookAtFile(after: .removed, &actions)
    case .writerGone(isAwaited: true): actions.append(.notify(.writerGone))
    case .nameAdded, .nameRemoved, .writerGone: break
    case .selfChanged: doubtPath(&actions)
    case .watchLost:
      armedPath = nil
      startLook(&actions)
    }
  }

  private mutating func handle(above event: DirectoryEvent, into actions: inout [Action]) {
    switch event {
    case .nameAdded(isAwaited: true), .selfChanged: doubtPath(&actions)
    case .nameRemoved(isAwaited: true): startLook(&actions)
    case .nameAdded, .nameRemoved, .writerGone: break
    case .watchLost:
      armedPath = nil
      startLook(&actions)
    }
  }

  /// Has the file of an event looked at before anybody is told of it.
  ///
  /// Whoever is told reads the file after this look, so that a later one that finds another file
  /// has found what he may not have read: not every change gives an event.
  private mutating func lookAtFile(after event: FileEvent, _ actions: inout [Action]) {
    fileEvent = event
    actions.append(.lookAtFile)
  }

  /// Tells of the file's event, and takes in what its look has found.
  ///
  /// What has been told stays told: the file may be gone by now with its event still to come, and a
  /// look that drops that event with the watch must not take the file for one that was never there.
  private mutating func tell(of mark: FileMark?, _ actions: inout [Action]) {
    guard let event = fileEvent.take() else { return }
    file = mark
    isPresent = event == .replaced
    actions.append(.notify(event))
  }

  /// Looks at a path that was perhaps moved away and back, which a look alone does not show.
  private mutating func doubtPath(_ actions: inout [Action]) {
    isPathDoubtful = true
    startLook(&actions)
  }

  private mutating func startLook(_ actions: inout [Action]) {
    armings = 0
    actions.append(.look)
  }

  private mutating func looked(_ sighting: Sighting, _ actions: inout [Action]) {
    if let path {
      let isSamePath = path.hasSamePath(as: sighting)
      learn(sighting.file, isSamePlace: isSamePath && !isPathDoubtful)
      isPathDoubtful = false
      if !isSamePath { unsettled = WatchPlan.unsettledTicks }
    } else {
      pending = .began
      file = sighting.file
      isPresent = file != nil
    }
    path = sighting
    let isArmed = armedPath?.hasSamePath(as: sighting) ?? false
    if isArmed && !isRetryDue || armings == WatchPlan.armingLimit {
      report(&actions)
    } else {
      arm(sighting, &actions)
    }
  }

  /// Takes in the file that a look has found, and notes what there is to tell of it.
  private mutating func learn(_ mark: FileMark?, isSamePlace: Bool) {
    // In another directory a file's number and time may be those of the one before, and so may
    // that there is none, although a file was read in between.
    let isChanged = !isSamePlace || mark != file || (mark != nil) != isPresent
    file = mark
    isPresent = mark != nil
    guard isChanged else { return }
    switch pending {
    // The last look is right: a file that was found a moment ago may be gone.
    case nil, .modeChanged, .replaced, .removed: pending = isPresent ? .replaced : .removed
    // Whoever is told of these looks for the file.
    case .began, .overflow, .writerGone, .alarm: break
    }
  }

  private var isRetryDue: Bool {
    guard case .polling(let reason) = mode, reason.mayPass else { return false }
    return sinceArming >= intervals.healthy
  }

  private mutating func arm(_ sighting: Sighting, _ actions: inout [Action]) {
    armings += 1
    sinceArming = .zero
    armedPath = sighting
    guard method == .automatic else { return armed(.polling(.onRequest), &actions) }
    guard let hindrance = sighting.hindrance else { return actions.append(.arm) }
    actions.append(.release)
    armed(.polling(hindrance), &actions)
  }

  private mutating func armed(_ mode: WatchMode, _ actions: inout [Action]) {
    if let old = self.mode, old != mode, pending == nil { pending = .modeChanged }
    self.mode = mode
    // Only a look that follows the watch leaves no gap between the two.
    if mode == .inotify {
      actions.append(.look)
    } else {
      report(&actions)
    }
  }

  private mutating func report(_ actions: inout [Action]) {
    guard let event = pending else { return }
    pending = nil
    actions.append(.notify(event))
  }
}
