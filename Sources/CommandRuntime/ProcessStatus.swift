/// What the kernel says of a process in `/proc/PID/status` (proc(5)), as far as a signal needs it.
struct ProcessStatus: Sendable, Equatable {
  /// The program's name, of which the kernel keeps 15 bytes.
  let name: String
  /// The real user.
  let user: UInt32
  /// The signals that a handler waits for, the lowest bit for number 1.
  let caught: UInt64

  /// Reads the text of the file; nil where something is missing.
  init?(parsing text: String) {
    var fields: [Substring: Substring] = [:]
    for line in text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon]] = line[colon...].dropFirst().drop { $0 == "\t" || $0 == " " }
    }
    guard let name = fields["Name"], let users = fields["Uid"]?.split(separator: "\t"),
      let user = users.first.flatMap({ UInt32($0) }),
      let caught = fields["SigCgt"].flatMap({ UInt64($0, radix: 16) })
    else { return nil }
    self.name = String(name)
    self.user = user
    self.caught = caught
  }

  /// Whether the program does something of its own when the signal comes.
  ///
  /// What it does not catch ends it, or is ignored: neither is what anybody wants of a signal that
  /// says to look again.
  func catches(_ signal: Int32) -> Bool {
    (1...64).contains(signal) && caught >> UInt64(signal - 1) & 1 == 1
  }
}
