import Glibc

/// Lines on standard input that say what is to be seen just now; the last one counts.
struct Captions {
  /// What to wait on: standard input until it ends, a negative number afterwards.
  private(set) var descriptor: Int32
  private var pending: [UInt8] = []

  /// Creates a reader of standard input, or one that never reads anything.
  init(isWanted: Bool) { descriptor = isWanted ? STDIN_FILENO : -1 }

  /// Reads what is there without waiting.
  ///
  /// - Returns: the last whole line; nil when there is none.
  mutating func next() -> String? {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard descriptor >= 0, unsafe poll(&polled, 1, 0) > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    if count <= 0 { descriptor = -1 }
    pending += bytes.prefix(max(0, count))
    guard let end = pending.lastIndex(of: UInt8(ascii: "\n")) else { return nil }
    let last = pending[..<end].split(separator: UInt8(ascii: "\n")).last
    pending.removeSubrange(...end)
    return last.map { String(decoding: $0, as: UTF8.self) }
  }
}
