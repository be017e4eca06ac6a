import FileSupport
import FileWatching
import Glibc
import Synchronization
import TestSupport

/// A directory with a file that is replaced as snapshots are, and what a watch of it said.
final class WatchFixture: Sendable {
  /// Removed at the end.
  let temporary: TemporaryDirectory
  /// What the watch said, in order.
  let notices = EventRecorder<WatchNotice>()
  /// The watched file's directory.
  let path: String

  init(in parent: String? = nil, depth: Int = 1, isMissing: Bool = false) throws {
    temporary = try TemporaryDirectory(in: parent)
    path = temporary.path + String(repeating: "/d", count: depth)
    if !isMissing { try makeDirectory() }
  }

  /// The same directory again, opened now.
  var directory: Directory {
    get throws { try Directory.open(path: path, policy: .ownerOnly) }
  }

  func makeDirectory() throws {
    _ = try Directory.create(path: path, policy: .ownerOnly)
  }

  /// Removes the directory and the file in it, as `rm -r` does.
  func removeDirectory() throws {
    let directory = try directory
    for name in try directory.names() { try directory.removeFile(name) }
    guard unsafe rmdir(path) == 0 else { throw Errno.current }
  }

  func publish(_ text: String = "x", to name: String = "session") throws {
    try directory.replaceFile(name, with: Array(text.utf8), durability: .volatile)
  }

  func watch(
    file: String = "session", root: String? = nil, method: WatchRequest.Method = .automatic,
    intervals: WatchRequest.Intervals = .standard,
    also handler: @escaping @Sendable (WatchNotice) -> Void = { _ in }
  ) throws -> WatchToken {
    let notices = notices
    return try FileWatcher.watch(
      WatchRequest(
        file: file, in: path, root: root ?? temporary.path, method: method, intervals: intervals)
    ) { notice in
      handler(notice)
      notices.record(notice)
    }
  }

  /// Waits until the thread has handled everything that happened before.
  func settle() async throws {
    let settled = EventRecorder<FileEvent>()
    let token = try FileWatcher.watch(WatchRequest(file: "settle", in: path, method: .polling)) {
      settled.record($0.event)
    }
    try await settled.next { $0 == .began }
    token.cancel()
  }

  /// Watches, and waits until the watch is in place.
  func begin(
    method: WatchRequest.Method = .automatic, intervals: WatchRequest.Intervals = .standard
  ) async throws -> WatchToken {
    let token = try watch(method: method, intervals: intervals)
    try await notices.next { $0.event == .began }
    return token
  }
}

/// Tells when what captures it is let go.
final class Leash: Sendable {
  private let gate: Gate
  init(_ gate: Gate) { self.gate = gate }
  deinit { gate.open() }
  func hold() {}
}

extension WatchRequest.Intervals {
  /// So seldom that a test ends before: what is noticed is noticed by events.
  static let never = Self(degraded: .seconds(3600), healthy: .seconds(3600))
}

/// What a watch said last, however much it said before.
final class LastEvent: Sendable {
  private let bell: Doorbell
  private let event = Mutex<FileEvent?>(nil)

  init() throws(Errno) { bell = try Doorbell() }

  func record(_ new: FileEvent) {
    event.withLock { $0 = new }
    bell.ring()
  }

  /// Blocks until it is this.
  func wait(for awaited: FileEvent) throws(Errno) {
    while event.withLock({ $0 }) != awaited {
      _ = try waitForInput([bell.rawDescriptor], timeout: nil)
      bell.silence()
    }
  }
}

/// How long this thread has waited for a processor so far, from `/proc/thread-self/schedstat`.
func waitForProcessor() -> Duration {
  let fields = (try? TestFile.text("/proc/thread-self/schedstat"))?.split(separator: " ") ?? []
  return .nanoseconds(fields.count > 1 ? Int64(fields[1]) ?? 0 : 0)
}
