import FileWatching
import TestSupport
import Testing

/// Random lives of a watched path, at whose end whoever was told of it has to know how it stands.
@Suite struct WatchPlanModelTests {
  @Test func whoeverIsToldKnowsHowThePathStands() {
    for seed in 0..<UInt64(3_000) {
      var model = WatchModel(seed: seed, isHindered: false)
      model.live(steps: 40)
      model.settle()
      #expect(model.knowsTheFile, "life \(seed)")
      #expect(model.wasToldOfTheFile, "life \(seed)")
    }
  }

  /// What can't be watched is looked at, and so is what is watched again from now on.
  @Test func whereWatchingFailsALookTellsAsMuch() {
    for seed in 0..<UInt64(3_000) {
      var model = WatchModel(seed: seed, isHindered: true)
      model.live(steps: 40)
      model.settle()
      model.tick()
      model.settle()
      #expect(model.knowsTheFile, "life \(seed)")
      #expect(model.wasToldOfTheFile, "life \(seed)")
    }
  }

  /// As behind an overlay's back, where the kernel does not tell of it.
  @Test func wt09AChangeWithoutAnEventIsFoundByTheNextLook() {
    for seed in 0..<UInt64(3_000) {
      var model = WatchModel(seed: seed, isHindered: false, hasSilentChanges: true)
      model.live(steps: 40)
      model.settle()
      model.tick()
      model.settle()
      #expect(model.knowsTheFile, "life \(seed)")
      #expect(model.wasToldOfTheFile, "life \(seed)")
    }
  }
}

/// A directory with a file that somebody makes and removes, step by step between the steps of the
/// thread that watches them, as the kernel and `WatchLoop` would let that happen.
private struct WatchModel {
  private static let top = FileIdentity(device: 1, inode: 1)

  private var generator: SeededGenerator
  private let isHindered: Bool
  private let hasSilentChanges: Bool
  // What there is.
  private var lastInode: UInt64 = 1
  private var directory: FileIdentity?
  private var file: FileMark?
  private var movedAway: (directory: FileIdentity, file: FileMark?)?
  // What inotify knows.
  private var watches: [FileIdentity: Int] = [:]
  private var lastWatch = 0
  private var queue: [(watch: Int, input: WatchPlan.Input)] = []
  // What the thread is at.
  private var plan = WatchPlan(
    method: .automatic, intervals: .init(degraded: .seconds(1), healthy: .seconds(30)))
  private var input: WatchPlan.Input? = .tick
  private var actions: ArraySlice<WatchPlan.Action> = []
  private var look: Sighting?
  private var isFileFound = false
  private var armedDirectory: FileIdentity?
  // What its owner has made of that.
  private var fileRead: FileMark?
  private var isFileTold = false

  init(seed: UInt64, isHindered: Bool, hasSilentChanges: Bool = false) {
    generator = SeededGenerator(seed: seed)
    self.isHindered = isHindered
    self.hasSilentChanges = hasSilentChanges
  }

  /// Whether the owner, who reads the file when told, has the one that is there, if one is.
  var knowsTheFile: Bool { file == nil || fileRead == file }
  /// Whether the last that the owner was told of the file is true.
  var wasToldOfTheFile: Bool { isFileTold == (file != nil) }

  mutating func live(steps: Int) {
    for _ in 0..<steps {
      if chance(1, of: 3) { change() } else { work() }
      if chance(1, of: 60), input == nil, actions.isEmpty {
        input = chance(1, of: 2) ? .mountsChanged : .tick
      }
    }
  }

  /// Lets the thread do what there is to do.
  mutating func settle() { while work() {} }

  /// Lets the time come to look.
  mutating func tick() { input = .tick }

  private mutating func chance(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &generator) < part
  }

  // MARK: The path

  private mutating func change() {
    var events: [(FileIdentity, WatchPlan.Input)]
    switch (directory, file) {
    case (_?, _) where hasSilentChanges && chance(1, of: 4):
      file = chance(1, of: 3) ? nil : FileMark(identity: makeIdentity(), size: 1, modified: 1)
      events = []
    case (nil, _):
      events = [(Self.top, .directoryAbove(.nameAdded(isAwaited: true)))]
      if let back = movedAway.take() {
        (directory, file) = back
        events.append((back.directory, .ownDirectory(.selfChanged)))
      } else {
        directory = makeIdentity()
      }
    // Whoever only looks cannot know that a directory was away between two looks.
    case (let own?, _) where !isHindered && chance(1, of: 4):
      movedAway = (own, file)
      (directory, file) = (nil, nil)
      events = [
        (Self.top, .directoryAbove(.nameRemoved(isAwaited: true))),
        (own, .ownDirectory(.selfChanged)),
      ]
    case (_?, nil) where chance(1, of: 2):
      directory = nil
      events = [(Self.top, .directoryAbove(.nameRemoved(isAwaited: true)))]
    case (let own?, _?) where chance(2, of: 3):
      file = nil
      events = [(own, .ownDirectory(.nameRemoved(isAwaited: true)))]
    case (let own?, _):
      file = FileMark(identity: makeIdentity(), size: 1, modified: 1)
      events = [(own, .ownDirectory(.nameAdded(isAwaited: true)))]
    }
    // The change is there a moment before its events.
    for (directory, event) in events {
      while chance(1, of: 3) { work() }
      if let watch = watches[directory] { queue.append((watch, event)) }
    }
  }

  private mutating func makeIdentity() -> FileIdentity {
    lastInode += 1
    return FileIdentity(device: 1, inode: lastInode)
  }

  // MARK: The thread

  @discardableResult
  private mutating func work() -> Bool {
    if let action = actions.popFirst() {
      carryOut(action)
    } else if let input = input.take() {
      actions = plan.handle(input)[...]
    } else if !queue.isEmpty {
      let (watch, input) = queue.removeFirst()
      if watches.values.contains(watch) { self.input = input }
    } else {
      return false
    }
    return true
  }

  private mutating func carryOut(_ action: WatchPlan.Action) {
    switch action {
    case .notify(.modeChanged): break
    case .notify(let event):
      fileRead = file
      isFileTold = event == .replaced || event != .removed && isFileFound
    case .lookAtFile:
      let isThere = armedDirectory != nil && armedDirectory == directory
      input = .lookedAtFile(isThere ? file : nil)
    case .look:
      let found = Sighting(
        top: 0, directories: [Self.top] + (directory.map { [$0] } ?? []), file: file)
      look = found
      isFileFound = file != nil
      input = .looked(found)
    case .arm: arm()
    case .release: watches = [:]
    }
  }

  private mutating func arm() {
    guard let look = look.take() else { return }
    armedDirectory = nil
    guard !isHindered || chance(1, of: 2) else {
      watches = [:]
      return input = .armed(.polling(.tooManyWatches))
    }
    watches = watches.filter { look.directories.contains($0.key) }
    for directory in look.directories where watches[directory] == nil {
      lastWatch += 1
      watches[directory] = lastWatch
    }
    if look.directories.count == 2 { armedDirectory = look.directories[1] }
    input = .armed(.inotify)
  }
}
