/// Takes a widget's output apart into what a person sees as lines.
package struct OutputSplitter {
  /// Where a line is cut in two, in bytes: one that never ends must not take all memory.
  package static let longestLine = 64 << 10

  private let isError: Bool
  private var pending: [UInt8] = []
  private var endedByReturn = false

  /// Makes a splitter for one stream.
  package init(isError: Bool) { self.isError = isError }

  /// Whether the start of a line waits for the rest.
  package var hasPending: Bool { !pending.isEmpty }

  /// Takes in what was read.
  ///
  /// A line ends with a line feed; a carriage return begins one anew, and so does what is too long.
  /// - Returns: the lines that are whole now.
  package mutating func take(_ bytes: ArraySlice<UInt8>, at time: Duration) -> [TrialRecord.Line] {
    var lines: [TrialRecord.Line] = []
    for byte in bytes {
      let isEndOfReturn = endedByReturn && byte == 0x0A
      endedByReturn = byte == 0x0D
      switch byte {
      case 0x0A: if !isEndOfReturn { lines.append(line(at: time)) }
      case 0x0D: if !pending.isEmpty { lines.append(line(at: time)) }
      default:
        // Not within a character (RFC 3629).
        if pending.count >= Self.longestLine, byte & 0xC0 != 0x80 { lines.append(line(at: time)) }
        pending.append(byte)
      }
    }
    return lines
  }

  /// Takes what is there of a line, when nothing more has come for a while.
  package mutating func flush(at time: Duration) -> [TrialRecord.Line] {
    pending.isEmpty ? [] : [line(at: time)]
  }

  private mutating func line(at time: Duration) -> TrialRecord.Line {
    defer { pending = [] }
    return TrialRecord.Line(
      at: time, isError: isError,
      text: Self.withoutEscapes(String(decoding: pending, as: UTF8.self)))
  }

  /// A text without control characters and escape sequences (ECMA-48).
  static func withoutEscapes(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}" {
        skipSequence(&rest)
      } else if scalar == "\t" {
        result.append(" ")
      } else if scalar.properties.generalCategory != .control {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func skipSequence(_ rest: inout Substring.UnicodeScalarView) {
    switch rest.popFirst() {
    case "[": while let scalar = rest.popFirst(), !("\u{40}"..."\u{7E}").contains(scalar) {}
    case "]":
      // A title and the like, up to BEL or to ESC \.
      while let scalar = rest.popFirst(), scalar != "\u{07}" {
        if scalar == "\u{1B}" {
          _ = rest.popFirst()
          return
        }
      }
    default: break
    }
  }
}
