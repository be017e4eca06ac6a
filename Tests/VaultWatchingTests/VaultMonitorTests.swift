import FileSupport
import Glibc
import SessionModel
import SnapshotFormat
import Synchronization
import TestSupport
import Testing
import VaultReader
import VaultWatching

@Suite(.timeLimit(.minutes(1)))
struct VaultMonitorTests {
  @Test func theStateComesAtOnceThenEachChangeThenNothing() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    try published.publish()
    let monitor = try VaultMonitor(published.vault())
    try await TestThread.run {
      let first = try #require(monitor.next())
      #expect(first.change == .current)
      #expect(monitor.next(timeout: .zero) == nil)
      let generation = try published.publish()
      let second = try #require(monitor.next())
      #expect(second.state.generation == generation)
      #expect(second.change == .snapshot)
      #expect(monitor.next(timeout: .milliseconds(1)) == nil)
    }
    withExtendedLifetime(lock) {}
  }

  @Test func itsDescriptorTellsWhenToAsk() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    try published.publish(expiresIn: .seconds(2))
    let monitor = try VaultMonitor(published.vault())
    let isTold = try await TestThread.run {
      monitor.tellsByItsDescriptor { $0.state.session == .expired }
    }
    #expect(isTold)
    withExtendedLifetime(lock) {}
  }

  /// What is published without a host is looked at once more a second later.
  ///
  /// In a process of its own, as other monitors would wake this one.
  @Test func itsDescriptorTellsOfTheEndAfterALookThatBroughtNothing() async {
    await #expect(processExitsWith: .success) {
      alarm(50)
      let published = try PublishedVault()
      try published.publish()
      let monitor = try VaultMonitor(published.vault())
      let isTold = try await TestThread.run {
        _ = monitor.next()
        try published.publish(expiresIn: .seconds(3))
        return monitor.tellsByItsDescriptor { $0.state.session == .expired }
      }
      try #require(isTold)
    }
  }

  @Test func theEndOfAHostThatWasAskedForBeforeItIsWatchedIsTold() async throws {
    let published = try PublishedVault()
    let held = Mutex<FileLock?>(try published.holdHostLock())
    try published.publish()
    let vault = published.vault()
    #expect(vault.state().host == .reported(.ok))
    held.withLock { $0 = nil }
    let monitor = try VaultMonitor(vault)
    let isTold = try await TestThread.run {
      // Well before the next look at a watch in order, which comes after half a minute.
      while let update = monitor.next(timeout: .seconds(15)) {
        if update.state.host == .stale { return true }
      }
      return false
    }
    #expect(isTold)
  }

  @Test func aNoticeInBetweenDoesNotPutOffTheTellingOfAHostsEnd() async throws {
    let published = try PublishedVault()
    let held = Mutex<FileLock?>(try published.holdHostLock())
    try published.publish()
    let monitor = try VaultMonitor(published.vault())
    let isTold = try await TestThread.run {
      _ = monitor.next()
      held.withLock { $0 = nil }
      _ = try waitForInput([monitor.descriptor], timeout: nil)
      // Whether the host runs was asked less than a second ago, unless the machine is very busy.
      var update = monitor.next(timeout: .zero)
      try published.publish()
      while update?.state.host != .stale {
        update = monitor.next(timeout: .seconds(20))
        if update == nil { return false }
      }
      return true
    }
    #expect(isTold)
  }

  // In a process of its own, which may start no thread.
  @Test func itNeedsNoThread() async {
    await #expect(processExitsWith: .success) {
      alarm(50)
      let home = try limitedHome()
      let published = try PublishedVault(in: home.path)
      try published.publish()
      // A worker that waits here would have to be replaced for whatever else the process has to do.
      try await TestThread.run {
        let limit = try limitThreads(to: nil)
        let monitor = try VaultMonitor(published.vault())
        let first = try #require(monitor.next())
        try #require(first.watchMode == .inotify)
        for _ in 1...3 {
          let generation = try published.publish()
          while monitor.next()?.state.generation != generation {}
        }
        _ = try limitThreads(to: limit)
      }
      withExtendedLifetime(home) {}
    }
  }

  /// What is refused is no place to read, and the next one is an empty directory.
  @Test func aPlaceThatIsRefusedAndGoesAwayLeavesTheOthersWatched() async throws {
    let published = try PublishedVault()
    let first = try published.temporary.makeDirectory("user") + "/tokenvault"
    _ = try Directory.create(path: published.temporary.file("tokenvault/run"), policy: .ownerOnly)
    try published.publish(at: first)
    #expect(unsafe chmod(first, 0o755) == 0)
    let monitor = try VaultMonitor(
      published.vault(alsoIn: published.temporary.file("user")))
    try await TestThread.run {
      try monitor.expect { $0.state.session == .permission }
      #expect(unsafe rename(first, first + ".away") == 0)
      try monitor.expect { $0.state.session == .absent }
      #expect(unsafe chmod(first + ".away", 0o700) == 0)
      #expect(unsafe rename(first + ".away", first) == 0)
      try monitor.expect { $0.state.session == .valid }
      try published.publish(.signedOut, at: first)
      try monitor.expect { $0.state.session == .signedOut }
    }
  }

  @Test func twoMonitorsDoNotDisturbEachOther() async throws {
    let published = try PublishedVault()
    let vault = published.vault()
    let first = try VaultMonitor(vault)
    var second: VaultMonitor? = try VaultMonitor(vault)
    _ = second?.next()
    _ = first.next()
    second = nil
    let generation = try published.publish()
    try await TestThread.run {
      while let update = first.next() {
        if update.state.generation == generation { return }
      }
    }
  }
}

extension VaultMonitor {
  /// Whether an update is told to whoever only polls the monitor's descriptor.
  func tellsByItsDescriptor(of matches: (VaultUpdate) -> Bool) -> Bool {
    repeat {
      while let update = next(timeout: .zero) {
        if matches(update) { return true }
      }
      // Well before the next look at a watch in order, which comes after half a minute.
    } while (try? waitForInput(descriptor, timeout: .seconds(15))) == true
    return false
  }
}
