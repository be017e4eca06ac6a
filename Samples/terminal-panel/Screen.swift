import Glibc

/// A part of the terminal that is drawn again and again in the same place.
final class Screen {
  /// What a piece of text means, as a colour.
  enum Tone: String {
    case plain = ""
    case good = "32"
    case warning = "33"
    case bad = "31"
    case dim = "2"
    case caption = "1;36"
  }

  private let isColored: Bool
  private var height = 0

  /// Creates a screen.
  init(isColored: Bool) { self.isColored = isColored }

  /// Puts a colour around a text.
  func paint(_ text: String, _ tone: Tone) -> String {
    isColored && tone != .plain ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Hides the cursor.
  func open() { write("\u{1B}[?25l") }

  /// Shows the cursor again, below what was drawn.
  func close() { write("\u{1B}[?25h") }

  /// Draws the lines in the place of those drawn before.
  func draw(_ lines: [String]) {
    let back = height > 0 ? "\r\u{1B}[\(height)A" : ""
    write(back + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J")
    height = lines.count
  }

  /// Writes a text to standard output.
  func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
      }
      if count < 0 && errno != EINTR { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}

/// The wish to end, which comes as a signal.
enum Interruption {
  private static let pipe: (reading: Int32, writing: Int32) = {
    var ends: [Int32] = [-1, -1]
    unsafe _ = Glibc.pipe(&ends)
    return (ends[0], ends[1])
  }()

  /// Catches what ends a program; the terminal is to be left in order.
  static func catchSignals() {
    // Made before a signal can come.
    _ = pipe
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in
        var byte: UInt8 = 1
        unsafe _ = Glibc.write(Interruption.pipe.writing, &byte, 1)
      }
    }
    // A reader of the output that goes away is found out by the next write.
    signal(SIGPIPE, SIG_IGN)
  }

  /// Whether a signal has come.
  static var hasCome: Bool {
    var polled = pollfd(fd: pipe.reading, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) > 0
  }

  /// Waits until one of several descriptors is readable, a signal comes or time is up.
  static func wait(for descriptors: [Int32], milliseconds: Int32) {
    var polled = (descriptors + [pipe.reading]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    unsafe _ = poll(&polled, nfds_t(polled.count), milliseconds)
  }
}
