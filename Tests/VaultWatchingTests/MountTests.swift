import FileSupport
import Glibc
import SessionModel
import SnapshotFormat
import TestSupport
import Testing
import VaultReader
import VaultWatching

// Each in a process of its own, because the watcher's one thread has to be in the namespace.
@Suite(
  .timeLimit(.minutes(1)),
  .enabled("needs root and overlayfs, to mount") { await MountNamespace.isAvailable() })
struct MountTests {
  @Test func wt07AFileSystemMountedOverTheDirectoryIsSeenAndItsEndToo() async {
    await #expect(processExitsWith: .success) {
      alarm(50)
      let published = try PublishedVault()
      try await MountNamespace().run {
        let lock = try published.holdHostLock()
        let below = try published.publish()
        let monitor = try VaultMonitor(published.vault())
        try monitor.expect { $0.state.generation == below && $0.watchMode == .inotify }
        try MountNamespace.mountMemory(on: published.namespacePath)
        try monitor.expect { $0.state.session == .absent }
        for _ in 1...3 {
          let above = try published.publish()
          try monitor.expect { $0.state.generation == above && $0.watchMode == .inotify }
        }
        try MountNamespace.detach(published.namespacePath)
        // The older file that is there again is no news to whoever has read a newer one.
        let back = try published.publish()
        try monitor.expect { $0.state.generation == back && $0.state.session == .valid }
        withExtendedLifetime(lock) {}
      }
    }
  }

  /// The kernel tells of a mount once, to whoever polls first.
  @Test func wt07AMountIsToldToWhoeverOnlyPollsTheDescriptor() async {
    await #expect(processExitsWith: .success) {
      alarm(50)
      let published = try PublishedVault()
      try await MountNamespace().run {
        let lock = try published.holdHostLock()
        try published.publish()
        let monitor = try VaultMonitor(published.vault())
        try #require(monitor.tellsByItsDescriptor { $0.state.session == .valid })
        // Until there is nothing more to come that would have it look by itself.
        repeat {
          while monitor.next(timeout: .zero) != nil {}
        } while try waitForInput(monitor.descriptor, timeout: .seconds(2))
        try MountNamespace.mountMemory(on: published.namespacePath)
        try #require(try waitForInput(monitor.descriptor, timeout: .seconds(15)))
        try #require(monitor.tellsByItsDescriptor { $0.state.session == .absent })
        withExtendedLifetime(lock) {}
      }
    }
  }

  @Test func wt08AnUnmountedFileSystemIsGoneUntilThereIsAnother() async {
    await #expect(processExitsWith: .success) {
      alarm(50)
      let published = try PublishedVault()
      try await MountNamespace().run {
        _ = try published.runtime
        try MountNamespace.mountMemory(on: published.path)
        try published.publish()
        let monitor = try VaultMonitor(published.vault())
        try monitor.expect { $0.state.session == .valid }
        // Whoever watches keeps the file system busy, as an open file does.
        let refusal = #expect(throws: SystemCallError.self) {
          try MountNamespace.unmount(published.path)
        }
        try #require(refusal?.number == EBUSY)
        for _ in 1...2 {
          try MountNamespace.detach(published.path)
          try monitor.expect { $0.state.session == .absent }
          try MountNamespace.mountMemory(on: published.path)
          let again = try published.publish()
          try monitor.expect { $0.state.generation == again && $0.state.session == .valid }
        }
      }
    }
  }

  @Test func wt08AFileSystemWithoutAnyWatchCanBeUnmounted() async {
    await #expect(processExitsWith: .success) {
      alarm(50)
      let published = try PublishedVault()
      try await MountNamespace().run {
        _ = try published.runtime
        try MountNamespace.mountMemory(on: published.path)
        try published.publish()
        do {
          let monitor = try VaultMonitor(published.vault())
          try monitor.expect { $0.state.session == .valid }
        }
        // The watcher's thread lets go a moment later.
        while true {
          do throws(SystemCallError) {
            return try MountNamespace.unmount(published.path)
          } catch {
            try #require(error.number == EBUSY)
            sched_yield()
          }
        }
      }
    }
  }

  @Test func wt10ABindMountIsReadWithItsEvents() async {
    await #expect(processExitsWith: .success) {
      alarm(50)
      let published = try PublishedVault()
      let place = try published.temporary.makeDirectory("bound")
      try await MountNamespace().run {
        let lock = try published.holdHostLock()
        _ = try published.runtime
        try MountNamespace.bind(published.path, on: place)
        let monitor = try VaultMonitor(published.vault(at: place))
        try monitor.expect { $0.state.session == .absent && $0.watchMode == .inotify }
        for _ in 1...20 {
          let generation = try published.publish()
          try monitor.expect { $0.state.generation == generation && $0.watchMode == .inotify }
        }
        try published.publish(.signedOut)
        try monitor.expect { $0.state.session == .signedOut }
        withExtendedLifetime(lock) {}
      }
    }
  }
}

extension VaultMonitor {
  /// Takes updates until one matches, sooner than a look that needs no event would come.
  func expect(_ matches: (VaultUpdate) -> Bool) throws {
    var passed: [VaultUpdate] = []
    while let update = next(timeout: .seconds(15)) {
      if matches(update) { return }
      passed.append(update)
    }
    Issue.record("not awaited: \(passed.map { ($0.state.session, $0.state.generation) })")
    throw MissingUpdate()
  }
}

private struct MissingUpdate: Error {}
