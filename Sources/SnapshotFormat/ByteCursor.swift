/// Reads little-endian values from bytes, in order and never past the end.
struct ByteCursor {
  private let bytes: [UInt8]
  private let end: Int
  /// Where the next value begins.
  private(set) var position: Int

  /// Creates a cursor over a part of some bytes.
  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// How many bytes are left.
  var remaining: Int { end - position }

  /// Reads a number of its type's width.
  ///
  /// - Throws: `corrupt` when too few bytes are left.
  mutating func number<Number: FixedWidthInteger>(
    _ type: Number.Type = Number.self
  ) throws(SnapshotError) -> Number {
    littleEndian(try take(Number.bitWidth / 8))
  }

  /// Takes a number of bytes.
  ///
  /// - Throws: `corrupt` when too few are left.
  mutating func take(_ count: Int) throws(SnapshotError) -> ArraySlice<UInt8> {
    guard count <= remaining else { throw .corrupt(.shape) }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Reads whether a value follows: one byte, 0 or 1.
  ///
  /// - Throws: `corrupt` for any other byte.
  mutating func isPresent() throws(SnapshotError) -> Bool {
    switch try number(UInt8.self) {
    case 0: return false
    case 1: return true
    default: throw .corrupt(.shape)
    }
  }

  /// Reads a text: its length in two bytes, then UTF-8.
  ///
  /// - Throws: `corrupt` when it is longer than a limit or not UTF-8.
  mutating func text(limit: Int) throws(SnapshotError) -> String {
    let length = Int(try number(UInt16.self))
    guard length <= limit else { throw .corrupt(.shape) }
    let bytes = try take(length)
    // Not `String(validating:as:)`, which makes types at run time.
    guard let text = try? UTF8Span(validating: bytes.span) else { throw .corrupt(.shape) }
    return String(copying: text)
  }

  /// Checks that nothing is left.
  ///
  /// - Throws: `corrupt` when something is.
  func finish() throws(SnapshotError) {
    guard remaining == 0 else { throw .corrupt(.shape) }
  }
}
