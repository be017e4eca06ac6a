import FileSupport
import FileWatching
import Glibc
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

/// A lock that keeps the watcher's thread in a handler for as long as the test wants.
final class HandlerStop: Sendable {
  /// Open once the handler is held.
  let isHolding = Gate()
  private let pipe: [Int32]

  init() throws(Errno) {
    var ends: [Int32] = [-1, -1]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw .current }
    pipe = ends
  }

  deinit { for descriptor in pipe { close(descriptor) } }

  /// Blocks until `release`, at the first call only.
  func hold() {
    guard !isHolding.isOpen else { return }
    isHolding.open()
    var byte: UInt8 = 0
    unsafe _ = read(pipe[0], &byte, 1)
  }

  func release() {
    var byte: UInt8 = 1
    unsafe _ = write(pipe[1], &byte, 1)
  }
}
