internal import Glibc
internal import Synchronization

/// What comes out of a running program at one descriptor: all bytes, and line by line.
final class ToolOutput: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var lineStart = 0
    var isClosed = false
  }

  let descriptor: Int32
  let lines = EventRecorder<String>()
  private let state = Mutex(State())

  init(descriptor: Int32) {
    self.descriptor = descriptor
    Pipe.makeNonblocking(descriptor)
  }

  deinit { close(descriptor) }

  var bytes: [UInt8] { state.withLock { $0.bytes } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Takes what is there now without waiting for more.
  func drain() {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(descriptor, &chunk, chunk.count)
      if count > 0 {
        append(chunk[..<count])
      } else if count < 0 && errno == EINTR {
        continue
      } else {
        if count == 0 { state.withLock { $0.isClosed = true } }
        return
      }
    }
  }

  /// Records a last line that has no line feed, and finishes.
  func finish() {
    let last = state.withLock { state in
      defer { state.lineStart = state.bytes.count }
      return state.bytes[state.lineStart...]
    }
    if !last.isEmpty { lines.record(String(decoding: last, as: UTF8.self)) }
    lines.finish()
  }

  private func append(_ chunk: ArraySlice<UInt8>) {
    let completed = state.withLock { state in
      var searchStart = state.bytes.count
      state.bytes.append(contentsOf: chunk)
      var completed: [String] = []
      while let end = state.bytes[searchStart...].firstIndex(of: UInt8(ascii: "\n")) {
        completed.append(String(decoding: state.bytes[state.lineStart..<end], as: UTF8.self))
        state.lineStart = end + 1
        searchStart = end + 1
      }
      return completed
    }
    for line in completed { lines.record(line) }
  }
}

/// What goes into a running program: bytes that wait for room in its pipe, and the end.
final class ToolInput: Sendable {
  private struct State {
    var pending: [UInt8] = []
    var isEnding = false
    var descriptor: Int32
  }

  private let state: Mutex<State>
  private let doorbell: Int32

  init(descriptor: Int32, doorbell: Int32) {
    state = Mutex(State(descriptor: descriptor))
    self.doorbell = doorbell
    if descriptor >= 0 { Pipe.makeNonblocking(descriptor) }
  }

  deinit { state.withLock { if $0.descriptor >= 0 { Glibc.close($0.descriptor) } } }

  /// The descriptor to wait on for room, or -1 when there is nothing to write.
  var waiting: Int32 {
    state.withLock { $0.pending.isEmpty && !$0.isEnding ? -1 : $0.descriptor }
  }

  func append(_ bytes: [UInt8]) {
    state.withLock { $0.pending.append(contentsOf: bytes) }
    ring()
  }

  func close() {
    state.withLock { $0.isEnding = true }
    ring()
  }

  /// Writes as much as there is room for, on a thread that blocks `SIGPIPE`.
  func flush() {
    state.withLock { state in
      guard state.descriptor >= 0 else { return }
      if !state.pending.isEmpty {
        let count = unsafe write(state.descriptor, state.pending, state.pending.count)
        if count > 0 { state.pending.removeFirst(count) }
        // The program has closed its end: what is left has no reader.
        if count < 0 && errno == EPIPE { (state.pending, state.isEnding) = ([], true) }
      }
      if state.pending.isEmpty && state.isEnding {
        Glibc.close(state.descriptor)
        state.descriptor = -1
      }
    }
  }

  private func ring() {
    var byte: UInt8 = 1
    _ = unsafe write(doorbell, &byte, 1)
  }
}
