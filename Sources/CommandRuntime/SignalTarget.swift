import FileSupport
import Glibc

/// A process that is told by a signal to look again, such as `waybar:RTMIN+8`.
///
/// It is what `pkill -RTMIN+8 waybar` does, and never ends a program: only a process of this user
/// that catches the signal gets it, and no other one that has taken over its number.
package struct SignalTarget: Sendable, Equatable {
  /// What became of a signal.
  package enum Outcome: Sendable, Equatable {
    /// So many processes got it.
    case sent(Int)
    /// There is no such process of this user.
    case nobody
    /// There is one, and it would not survive the signal or not notice it.
    case notCaught
  }

  private enum Process: Sendable, Equatable {
    case number(Int32)
    case name(String)
  }

  // What the kernel keeps of a name (TASK_COMM_LEN).
  private static let keptBytes = 15

  /// The target as it was written.
  package let text: String
  private let process: Process
  private let signal: Int32

  /// Reads a target; nil where the text is none.
  ///
  /// - Parameter text: the number or the name of a process, a colon, and `HUP`, `USR1`, `USR2`,
  ///   `WINCH`, `RTMIN`, `RTMIN+1` and so on, or `RTMAX-1` and so on, with or without `SIG` before.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), colon != text.startIndex,
      let signal = Self.number(ofSignal: text[colon...].dropFirst())
    else { return nil }
    let name = String(text[..<colon])
    if name.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      guard let number = Int32(name), number > 1 else { return nil }
      process = .number(number)
    } else {
      process = .name(name)
    }
    self.signal = signal
    self.text = text
  }

  /// Sends the signal to every process that is meant.
  package func send() -> Outcome {
    var sent = 0
    var isFound = false
    for number in candidates where number != getpid() {
      // The descriptor first: what is looked at afterwards is that process or, if it has ended,
      // another one that the descriptor does not lead to.
      guard let descriptor = try? ProcessDescriptor(of: number),
        let bytes = try? readSystemFile("/proc/\(number)/status", limit: 64 << 10),
        let status = ProcessStatus(parsing: String(decoding: bytes, as: UTF8.self)),
        isMeant(status)
      else { continue }
      isFound = true
      guard status.catches(signal) else { continue }
      if (try? descriptor.send(signal)) != nil { sent += 1 }
    }
    return sent > 0 ? .sent(sent) : isFound ? .notCaught : .nobody
  }

  private var candidates: [Int32] {
    switch process {
    case .number(let number): [number]
    case .name: systemDirectoryNames("/proc").compactMap { Int32($0) }
    }
  }

  private func isMeant(_ status: ProcessStatus) -> Bool {
    guard status.user == getuid() else { return false }
    guard case .name(let name) = process else { return true }
    return status.name.utf8.elementsEqual(name.utf8.prefix(Self.keptBytes))
  }

  private static func number(ofSignal text: Substring) -> Int32? {
    let name = text.hasPrefix("SIG") ? text.dropFirst(3) : text
    switch name {
    case "HUP": return SIGHUP
    case "USR1": return SIGUSR1
    case "USR2": return SIGUSR2
    case "WINCH": return SIGWINCH
    case "RTMIN": return __libc_current_sigrtmin()
    case "RTMAX": return __libc_current_sigrtmax()
    default: break
    }
    let digits = name.dropFirst(6)
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let offset = Int32(digits),
      (1...30).contains(offset)
    else { return nil }
    if name.hasPrefix("RTMIN+") { return __libc_current_sigrtmin() + offset }
    return name.hasPrefix("RTMAX-") ? __libc_current_sigrtmax() - offset : nil
  }
}
