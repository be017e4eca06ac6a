import FileSupport
import Glibc

/// How much processor time a process group has taken (`/proc/PID/stat`).
package enum ProcessorTime {
  /// Adds up what the living processes of a group and their ended children took.
  ///
  /// - Parameter group: the process group.
  /// - Returns: the time, in steps of the kernel's clock ticks.
  static func of(group: Int32) -> Duration {
    var ticks = 0
    for name in systemDirectoryNames("/proc") where Int32(name) != nil {
      guard let bytes = try? readSystemFile("/proc/\(name)/stat", limit: 4096) else { continue }
      ticks += Self.ticks(in: String(decoding: bytes, as: UTF8.self), group: group) ?? 0
    }
    return .milliseconds(ticks * 1000 / max(1, sysconf(Int32(_SC_CLK_TCK))))
  }

  /// Reads a process's ticks, its waited-for children's among them.
  ///
  /// - Parameters:
  ///   - text: the content of its `stat`.
  ///   - group: the process group.
  /// - Returns: the ticks; nil when it is of another group.
  package static func ticks(in text: String, group: Int32) -> Int? {
    // The name stands in parentheses and may hold anything, a parenthesis too.
    guard let close = text.lastIndex(of: ")") else { return nil }
    let fields = text[text.index(after: close)...].split(separator: " ")
    // proc(5) counts from 1 with the identifier and the name in front: these begin with field 3.
    guard fields.count > 14, Int32(fields[2]) == group else { return nil }
    return fields[11...14].compactMap { Int($0) }.reduce(0, +)
  }
}
