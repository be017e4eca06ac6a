internal import Glibc

/// What the system knows of other processes.
package enum ProcessTable {
  /// Waits until a child of this process has ended, whoever reaps it (`waitid(2)`).
  ///
  /// - Throws: `pthread_create(3)`'s error.
  package static func waitForEnd(ofChild identifier: Int32) async throws {
    try await TestThread.run { holdUntilEnd(ofChild: identifier) }
  }

  /// Holds the thread until a child of this process has ended, whoever reaps it (`waitid(2)`).
  static func holdUntilEnd(ofChild identifier: Int32) {
    var information = unsafe siginfo_t()
    // WNOWAIT leaves it to be reaped; ECHILD says that it was.
    while unsafe waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0
      && errno == EINTR
    {}
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
