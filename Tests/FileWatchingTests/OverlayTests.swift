import FileSupport
import FileWatching
import Glibc
import TestSupport
import Testing

@Suite(
  .timeLimit(.minutes(1)),
  .enabled("needs root and overlayfs, to mount") { await MountNamespace.isAvailable() })
struct OverlayTests {
  // The kernel forbids a change behind an overlay's back: it gives no event, and readers see the
  // old file until the overlay forgets the name. Then the next look must find the new one.
  @Test func wt09WhatIsPublishedBehindAnOverlayIsSeenByALook() async {
    // The watcher's one thread has to be in the namespace.
    await #expect(processExitsWith: .success) {
      alarm(50)
      let layers = try TemporaryDirectory()
      let namespace = try await MountNamespace()
      let fixture = try await namespace.run {
        try MountNamespace.mountOverlay(in: layers)
        let fixture = try WatchFixture(in: layers.file("merged"))
        try fixture.publish("before")
        return fixture
      }
      let often = WatchRequest.Intervals(degraded: .seconds(1), healthy: .milliseconds(20))
      let seen = EventRecorder<String>()
      let token = try await namespace.run {
        try fixture.watch(intervals: often) { _ in
          if let text = try? TestFile.text(fixture.path + "/session") { seen.record(text) }
        }
      }
      let began = try await fixture.notices.next { $0.event == .began }
      try #require(began.mode == .inotify)
      try await namespace.run { try fixture.publish("through the overlay") }
      try await seen.next { $0 == "through the overlay" }
      // What is done to a mount is noticed where it is done; the look has to find it by itself.
      let elsewhere = try await MountNamespace(copying: namespace)
      let behind = fixture.path.replacing(layers.file("merged"), with: layers.file("upper"))
      for text in ["behind", "behind it again"] {
        try await namespace.run {
          try Directory.open(path: behind, policy: .ownerOnly)
            .replaceFile("session", with: Array(text.utf8), durability: .volatile)
        }
        // A name that somebody is looking at is not forgotten.
        while seen.events.last != text {
          try await elsewhere.run { try MountNamespace.refresh(layers.file("merged")) }
        }
      }
      token.cancel()
    }
  }
}
