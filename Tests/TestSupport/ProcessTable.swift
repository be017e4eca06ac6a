internal import Glibc

/// What the system knows of other processes.
package enum ProcessTable {
  /// Waits until no process has the identifier, 10 s at most.
  ///
  /// Another program's child can't be waited for, so this looks again every few milliseconds, on a
  /// thread of its own.
  ///
  /// - Returns: whether it is gone.
  package static func waitUntilGone(_ identifier: Int32) async -> Bool {
    let gone = try? await TestThread.run {
      for _ in 0..<2_000 {
        if !TestFile.exists("/proc/\(identifier)") { return true }
        usleep(5_000)
      }
      return false
    }
    return gone ?? false
  }

  /// How much processor time this process's threads of a name have taken (`proc(5)`).
  ///
  /// - Returns: hundredths of a second.
  package static func ticks(ofThreads name: String) -> Int {
    TestFile.names(in: "/proc/self/task").reduce(0) { sum, thread in
      sum + ticks(inStatus: "/proc/self/task/\(thread)/stat", name: name)
    }
  }

  /// How much processor time a process has taken (`proc(5)`).
  ///
  /// - Returns: hundredths of a second.
  package static func ticks(of process: Int32) -> Int {
    ticks(inStatus: "/proc/\(process)/stat", name: nil)
  }

  private static func ticks(inStatus path: String, name: String?) -> Int {
    guard let text = try? TestFile.text(path), let start = text.firstIndex(of: "("),
      let end = text.lastIndex(of: ")")
    else { return 0 }
    if let name, text[text.index(after: start)..<end] != name { return 0 }
    // Behind the name, utime and stime are the twelfth and thirteenth fields.
    return text[end...].split(separator: " ").dropFirst(12).prefix(2).compactMap { Int($0) }
      .reduce(0, +)
  }
}
