import StrictJSON

/// A click that a bar tells of on standard input.
public struct BarClick: Sendable, Hashable {
  /// The mouse button: 1 for the left one, 2 for the middle one, 3 for the right one.
  public let button: Int

  /// Reads one line; nil for one that tells of no click, such as the array's beginning.
  ///
  /// i3bar and swaybar write an endless array with a comma before each object; i3blocks writes an
  /// object, or the number alone.
  /// - Parameter line: the line, with or without its end.
  public init?(_ line: some Sequence<UInt8>) {
    let blanks = Array(" \t\r\n".utf8)
    let bytes = Array(line.drop { blanks.contains($0) || $0 == 0x5B || $0 == 0x2C })
    guard !bytes.isEmpty,
      let value = try? JSONValue(parsing: bytes, maximumDepth: 8, maximumLength: 4096),
      let number = value.integer ?? value["button"]?.integer, let button = Int(exactly: number)
    else { return nil }
    self.button = button
  }
}

/// The lines of standard input, as they come in pieces.
package struct ClickLines: Sendable {
  // A click is a few hundred bytes; what is longer than this is none.
  private static let longest = 4096

  private var bytes: [UInt8] = []
  private var isSkipping = false

  /// Makes an empty one.
  package init() {}

  /// Takes the next piece.
  ///
  /// - Parameter piece: what was read.
  /// - Returns: the clicks whose lines it ends.
  package mutating func take(_ piece: some Sequence<UInt8>) -> [BarClick] {
    var clicks: [BarClick] = []
    for byte in piece {
      if byte == 0x0A {
        if !isSkipping, let click = BarClick(bytes) { clicks.append(click) }
        bytes = []
        isSkipping = false
      } else if bytes.count < Self.longest {
        bytes.append(byte)
      } else {
        isSkipping = true
      }
    }
    return clicks
  }
}
