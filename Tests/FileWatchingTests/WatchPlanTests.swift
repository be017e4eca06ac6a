import FileWatching
import Testing

@Suite struct WatchPlanTests {
  private static let intervals = WatchRequest.Intervals(
    degraded: .seconds(1), healthy: .seconds(30))

  private static func sighting(
    directory: UInt64? = 7, file: UInt64? = 8, hindrance: PollingReason? = nil
  ) -> Sighting {
    let top = FileIdentity(device: 1, inode: 1)
    let directories = [top] + (directory.map { [FileIdentity(device: 1, inode: $0)] } ?? [])
    return Sighting(
      top: 0, directories: directories, file: directory == nil ? nil : file.map(mark),
      hindrance: hindrance)
  }

  private static func mark(_ file: UInt64) -> FileMark {
    FileMark(identity: FileIdentity(device: 1, inode: file), size: 1, modified: 1)
  }

  private static func begun(_ sighting: Sighting = sighting()) -> WatchPlan {
    var plan = WatchPlan(method: .automatic, intervals: intervals)
    _ = plan.handle(.tick)
    _ = plan.handle(.looked(sighting))
    _ = plan.handle(.armed(.inotify))
    _ = plan.handle(.looked(sighting))
    return plan
  }

  @Test func theWatchIsInPlaceBeforeTheFirstNotice() {
    var plan = WatchPlan(method: .automatic, intervals: Self.intervals)
    #expect(plan.handle(.tick) == [.look])
    #expect(plan.handle(.looked(Self.sighting())) == [.arm])
    #expect(plan.handle(.armed(.inotify)) == [.look])
    #expect(plan.handle(.looked(Self.sighting(file: 9))) == [.notify(.began)])
    #expect(plan.currentMode == .inotify)
    #expect(plan.interval == .seconds(30))
  }

  @Test func anEventOfTheFileIsToldAtOnceAndNotAgain() {
    var plan = Self.begun()
    #expect(plan.handle(.ownDirectory(.nameAdded(isAwaited: true))) == [.lookAtFile])
    #expect(plan.handle(.lookedAtFile(Self.mark(9))) == [.notify(.replaced)])
    #expect(plan.handle(.looked(Self.sighting(file: 9))) == [])
    #expect(plan.handle(.looked(Self.sighting(file: 10))) == [.notify(.replaced)])
  }

  /// A change that gives no event comes after the look at the file of the event before it, or is
  /// what whoever is told of that event reads.
  @Test func wt09TheFileOfAnEventIsLookedAtBeforeAnybodyIsToldOfIt() {
    var plan = Self.begun()
    #expect(plan.handle(.ownDirectory(.nameRemoved(isAwaited: true))) == [.lookAtFile])
    #expect(plan.handle(.lookedAtFile(nil)) == [.notify(.removed)])
    #expect(plan.handle(.looked(Self.sighting(file: 9))) == [.notify(.replaced)])
  }

  @Test func aFileThatGoesWithItsDirectoryIsToldThoughItsEventIsDropped() {
    var plan = Self.begun(Self.sighting(file: nil))
    _ = plan.handle(.ownDirectory(.nameAdded(isAwaited: true)))
    // Its removal is still in the queue when the file is looked at, and when the look is made.
    _ = plan.handle(.lookedAtFile(nil))
    #expect(plan.handle(.looked(Self.sighting(directory: nil))) == [.arm])
    #expect(plan.handle(.armed(.inotify)) == [.look])
    #expect(plan.handle(.looked(Self.sighting(directory: nil))) == [.notify(.removed)])
  }

  @Test(arguments: [
    WatchPlan.Input.ownDirectory(.nameAdded(isAwaited: false)),
    .ownDirectory(.nameRemoved(isAwaited: false)),
    .directoryAbove(.nameAdded(isAwaited: false)),
    .directoryAbove(.nameRemoved(isAwaited: false)),
  ])
  func otherNamesAreIgnored(input: WatchPlan.Input) {
    var plan = Self.begun()
    #expect(plan.handle(input) == [])
  }

  @Test(arguments: [
    WatchPlan.Input.ownDirectory(.selfChanged), .directoryAbove(.selfChanged),
    .directoryAbove(.nameAdded(isAwaited: true)), .directoryAbove(.nameRemoved(isAwaited: true)),
    .mountsChanged, .overflow, .tick,
  ])
  func whateverMayConcernThePathIsLookedInto(input: WatchPlan.Input) {
    var plan = Self.begun()
    #expect(plan.handle(input) == [.look])
  }

  @Test func aLookThatFindsNothingNewIsSilent() {
    var plan = Self.begun()
    _ = plan.handle(.mountsChanged)
    #expect(plan.handle(.looked(Self.sighting())) == [])
  }

  @Test func aReplacedDirectoryIsArmedAgainThenLookedAtThenTold() {
    var plan = Self.begun()
    _ = plan.handle(.directoryAbove(.nameAdded(isAwaited: true)))
    // The file in the new directory happens to have the old one's number.
    #expect(plan.handle(.looked(Self.sighting(directory: 20))) == [.arm])
    #expect(plan.handle(.armed(.inotify)) == [.look])
    #expect(plan.handle(.looked(Self.sighting(directory: 20))) == [.notify(.replaced)])
  }

  @Test func aFileThatAnEventToldOfGoesAwayWithItsDirectory() {
    var plan = Self.begun(Self.sighting(file: nil))
    _ = plan.handle(.ownDirectory(.nameAdded(isAwaited: true)))
    _ = plan.handle(.lookedAtFile(Self.mark(9)))
    _ = plan.handle(.directoryAbove(.nameRemoved(isAwaited: true)))
    #expect(plan.handle(.looked(Self.sighting(directory: nil))) == [.arm])
    #expect(plan.handle(.armed(.inotify)) == [.look])
    #expect(plan.handle(.looked(Self.sighting(directory: nil))) == [.notify(.removed)])
  }

  /// Whoever was told of something meanwhile has looked for the file where none was.
  @Test(arguments: [
    WatchPlan.Input.ownDirectory(.selfChanged), .directoryAbove(.selfChanged),
    .directoryAbove(.nameAdded(isAwaited: true)),
  ])
  func wt15APathThatWasAwayAndIsBackIsToldAgain(input: WatchPlan.Input) {
    for (file, event) in [(8, .replaced), (nil, .removed)] as [(UInt64?, FileEvent)] {
      var plan = Self.begun(Self.sighting(file: file))
      #expect(plan.handle(input) == [.look])
      #expect(plan.handle(.looked(Self.sighting(file: file))) == [.notify(event)])
      _ = plan.handle(.mountsChanged)
      #expect(plan.handle(.looked(Self.sighting(file: file))) == [])
    }
  }

  @Test func aChangingPathIsLookedAtMoreOftenForAWhile() {
    var plan = Self.begun()
    _ = plan.handle(.looked(Self.sighting(directory: nil)))
    _ = plan.handle(.armed(.inotify))
    #expect(plan.handle(.looked(Self.sighting(directory: nil))) == [.notify(.removed)])
    for _ in 0..<10 {
      #expect(plan.interval == .seconds(1))
      _ = plan.handle(.tick)
      #expect(plan.handle(.looked(Self.sighting(directory: nil))) == [])
    }
    #expect(plan.interval == .seconds(30))
  }

  @Test func whatTheLastLookFoundIsTold() {
    var plan = Self.begun(Self.sighting(file: nil))
    #expect(plan.handle(.looked(Self.sighting(directory: 20))) == [.arm])
    #expect(plan.handle(.armed(.inotify)) == [.look])
    // The new directory's file is gone with it before anybody was told.
    #expect(plan.handle(.looked(Self.sighting(directory: nil))) == [.arm])
    #expect(plan.handle(.armed(.inotify)) == [.look])
    #expect(plan.handle(.looked(Self.sighting(directory: nil))) == [.notify(.removed)])
  }

  @Test func aLookThatFindsTheToldFileGoneDoesNotSwallowThat() {
    var plan = Self.begun(Self.sighting(file: nil))
    _ = plan.handle(.ownDirectory(.nameAdded(isAwaited: true)))
    _ = plan.handle(.lookedAtFile(Self.mark(9)))
    #expect(plan.handle(.looked(Self.sighting(file: nil))) == [.notify(.removed)])
    #expect(plan.handle(.looked(Self.sighting(file: nil))) == [])
  }

  @Test func aFileThatIsReplacedWhileTheModeChangesIsTold() {
    var plan = WatchPlan(method: .automatic, intervals: Self.intervals)
    _ = plan.handle(.looked(Self.sighting()))
    #expect(plan.handle(.armed(.polling(.tooManyInstances))) == [.notify(.began)])
    for _ in 0..<30 { _ = plan.handle(.tick) }
    #expect(plan.handle(.looked(Self.sighting())) == [.arm])
    #expect(plan.handle(.armed(.inotify)) == [.look])
    #expect(plan.handle(.looked(Self.sighting(file: 9))) == [.notify(.replaced)])
  }

  @Test func aPathThatNeverStandsStillIsGivenUpUntilTheNextTick() {
    var plan = Self.begun()
    var armings = 0
    var directory: UInt64 = 100
    _ = plan.handle(.mountsChanged)
    while plan.handle(.looked(Self.sighting(directory: directory))) == [.arm] {
      armings += 1
      directory += 1
      _ = plan.handle(.armed(.inotify))
    }
    #expect(armings == 8)
    #expect(plan.interval == .seconds(1))
    _ = plan.handle(.tick)
    // It stands still now, but what is armed is an earlier path.
    #expect(plan.handle(.looked(Self.sighting(directory: directory))) == [.arm])
  }

  @Test func anOverflowIsToldOnceAndCoversWhatTheLookFinds() {
    var plan = Self.begun()
    _ = plan.handle(.overflow)
    _ = plan.handle(.overflow)
    #expect(plan.handle(.looked(Self.sighting(file: 9))) == [.notify(.overflow)])
    #expect(plan.handle(.looked(Self.sighting(file: 9))) == [])
  }

  @Test func withoutInotifyThePathIsPolledAndInotifyTriedAgainLater() {
    var plan = WatchPlan(method: .automatic, intervals: Self.intervals)
    _ = plan.handle(.tick)
    _ = plan.handle(.looked(Self.sighting()))
    #expect(plan.handle(.armed(.polling(.tooManyWatches))) == [.notify(.began)])
    #expect(plan.currentMode == .polling(.tooManyWatches))
    #expect(plan.interval == .seconds(1))
    for _ in 0..<29 {
      _ = plan.handle(.tick)
      #expect(plan.handle(.looked(Self.sighting())) == [])
    }
    _ = plan.handle(.tick)
    #expect(plan.handle(.looked(Self.sighting())) == [.arm])
    #expect(plan.handle(.armed(.inotify)) == [.look])
    #expect(plan.handle(.looked(Self.sighting())) == [.notify(.modeChanged)])
  }

  @Test(arguments: [PollingReason.builtWithoutInotify, .descriptorNotFound])
  func whatCannotPassIsNotTriedAgain(reason: PollingReason) {
    var plan = WatchPlan(method: .automatic, intervals: Self.intervals)
    _ = plan.handle(.looked(Self.sighting()))
    _ = plan.handle(.armed(.polling(reason)))
    for _ in 0..<100 {
      _ = plan.handle(.tick)
      #expect(plan.handle(.looked(Self.sighting())) == [])
    }
  }

  @Test func aHindranceOnThePathLetsGoOfWhatWasWatched() {
    var plan = Self.begun()
    let reason = PollingReason.remoteFileSystem(path: "/net/d")
    _ = plan.handle(.mountsChanged)
    #expect(
      plan.handle(.looked(Self.sighting(directory: 30, file: nil, hindrance: reason))) == [
        .release, .notify(.removed),
      ])
    #expect(plan.currentMode == .polling(reason))
  }

  @Test func whoeverAsksForPollingGetsIt() {
    var plan = WatchPlan(method: .polling, intervals: Self.intervals)
    #expect(plan.handle(.looked(Self.sighting())) == [.notify(.began)])
    #expect(plan.currentMode == .polling(.onRequest))
    _ = plan.handle(.tick)
    #expect(plan.handle(.looked(Self.sighting(file: 9))) == [.notify(.replaced)])
    _ = plan.handle(.tick)
    #expect(plan.handle(.looked(Self.sighting(file: nil))) == [.notify(.removed)])
  }
}
